// SPDX-License-Identifier: Apache-2.0
// One test for each rule of the stand-in: who breaks it ends the process. And its methods have the
// types of the backend's table.
#include "metal/standin.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/str_cat.h"
#include "metal/standin_runtime.h"

namespace tern::metal_standin {
namespace {

using gpu::MetalMessages;
using gpu::ObjcPool;

constexpr char kText[] =
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "struct Uniforms {\n  int count;\n};\n"
    "kernel void tern_main(\n"
    "    device const float* src_data [[buffer(0)]],\n"
    "    device float* dst_data [[buffer(1)]],\n"
    "    constant Uniforms& uniforms [[buffer(2)]],\n"
    "    uint3 global_id [[thread_position_in_grid]],\n"
    "    uint3 local_id [[thread_position_in_threadgroup]],\n"
    "    uint3 group_id [[threadgroup_position_in_grid]]) {\n"
    "  if (int(global_id.x) < uniforms.count) dst_data[global_id.x] = src_data[global_id.x] + "
    "1.0f;\n"
    "}\n";

// A device, a queue, two buffers and a kernel, as an application has them.
class StandinTest : public testing::Test {
 protected:
  void SetUp() override {
    testing::GTEST_FLAG(death_test_style) = "fast";
    device_ = TakeDevice();
    queue_ = say_.new_queue(device_);
    in_ = NewBuffer(device_, 256);
    out_ = NewBuffer(device_, 256);
    pipeline_ = NewPipeline();
  }
  void TearDown() override {
    for (const Id object : {pipeline_, out_, in_, queue_, device_}) Release(object);
  }

  Id NewPipeline() {
    const ObjcPool pool(objc_);
    const Id options = say_.new_compile_options(objc_.get_class("MTLCompileOptions"));
    const Id text = say_.new_string(objc_.get_class("NSString"), kText);
    const Id name = say_.new_string(objc_.get_class("NSString"), "tern_main");
    Id error = nullptr;
    const Id library = say_.new_library(device_, text, options, &error);
    const Id function = say_.new_function(library, name);
    const Id pipeline = say_.new_pipeline(device_, function, &error);
    for (const Id object : {options, library, function}) Release(object);
    return pipeline;
  }

  // Binds all that the kernel takes. The event, where there is one, is waited for.
  Id Encoder(Id commands, Id event = nullptr) {
    if (event != nullptr) say_.encode_wait(commands, event, 1);
    const Id encoder = say_.compute_encoder(commands);
    say_.set_pipeline(encoder, pipeline_);
    say_.set_buffer(encoder, in_, 0, 0);
    say_.set_buffer(encoder, out_, 0, 1);
    const uint32_t count = 64;
    say_.set_bytes(encoder, &count, sizeof(count), 2);
    return encoder;
  }

  const gpu::ObjcFunctions objc_ = Functions();
  const MetalMessages say_{objc_};
  Id device_ = nullptr, queue_ = nullptr, in_ = nullptr, out_ = nullptr, pipeline_ = nullptr;
};
using StandinDeathTest = StandinTest;

TEST_F(StandinTest, RunsAKernel) {
  const long before = LiveObjects();
  for (int i = 0; i < 64; ++i) static_cast<float*>(Contents(in_))[i] = static_cast<float>(i);
  {
    const ObjcPool pool(objc_);
    const Id commands = say_.command_buffer(queue_);
    const Id encoder = Encoder(commands);
    say_.dispatch(encoder, {8, 1, 1}, {8, 1, 1});
    say_.end_encoding(encoder);
    say_.commit(commands);
    say_.wait(commands);
    EXPECT_EQ(say_.status(commands), gpu::UInteger{gpu::metal::kCompleted});
    EXPECT_GE(say_.gpu_end(commands), say_.gpu_start(commands));
  }
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(static_cast<float*>(Contents(out_))[i], static_cast<float>(i + 1));
  WaitUntilIdle();
  EXPECT_EQ(LiveObjects(), before);
}

TEST_F(StandinTest, MethodsHaveTheTypesOfTheTable){
#define TERN_CHECK(receiver, name, selector, ...)                                                \
  {                                                                                              \
    std::string types = EncodingOf(#receiver, selector);                                         \
    for (const char* other : {"MTLBuffer", "MTLComputeCommandEncoder", "MTLCompileOptions"})     \
      if (types.empty()) types = EncodingOf(other, selector);                                    \
    EXPECT_EQ(types, gpu::ObjcMessage<__VA_ARGS__>::Encoding()) << #receiver << " " << selector; \
  }
    TERN_METAL_MESSAGES(TERN_CHECK) TERN_METAL_CLASS_MESSAGES(TERN_CHECK)
#undef TERN_CHECK
}

TEST_F(StandinTest, TextThatDoesNotCompileIsAnError) {
  const ObjcPool pool(objc_);
  const Id options = say_.new_compile_options(objc_.get_class("MTLCompileOptions"));
  const std::string bad = std::string(kText).replace(std::string(kText).find("+ 1.0f"), 1, "@");
  Id error = nullptr;
  EXPECT_EQ(say_.new_library(device_, say_.new_string(objc_.get_class("NSString"), bad.c_str()),
                             options, &error),
            nullptr);
  EXPECT_NE(error, nullptr);
  Release(options);
}

#define TERN_EXPECT_RULE(statement, rule) EXPECT_DEATH(statement, "Metal stand-in: .*(" rule ")")

TEST_F(StandinDeathTest, Messages) {
  TERN_EXPECT_RULE(say_.commit(device_), "MTLDevice has no method commit");
  TERN_EXPECT_RULE(say_.new_queue(nullptr), "message newCommandQueue to nil");
  int no_object[8] = {};
  TERN_EXPECT_RULE(say_.new_queue(reinterpret_cast<Id>(no_object)), "something that is no object");
}

TEST_F(StandinDeathTest, Lives) {
  const auto use_after_release = [&] {
    const Id buffer = NewBuffer(device_, 16);
    Release(buffer);
    say_.length(buffer);
  };
  TERN_EXPECT_RULE(use_after_release(), "use of a MTLBuffer after its release");
  TERN_EXPECT_RULE(say_.command_buffer(queue_), "there is no pool");
  const auto after_the_pool = [&] {
    Id commands = nullptr;
    {
      const ObjcPool pool(objc_);
      commands = say_.command_buffer(queue_);
    }
    say_.commit(commands);
  };
  TERN_EXPECT_RULE(after_the_pool(), "use of a MTLCommandBuffer after its release");
  const auto no_end = [&] {
    const ObjcPool pool(objc_);
    say_.compute_encoder(say_.command_buffer(queue_));
  };
  TERN_EXPECT_RULE(no_end(), "before endEncoding|while its encoder is open");
}

TEST_F(StandinDeathTest, Encoding) {
  const ObjcPool pool(objc_);
  const auto commands = [&] { return say_.command_buffer(queue_); };
  const auto after_end = [&] {
    const Id encoder = Encoder(commands());
    say_.end_encoding(encoder);
    say_.dispatch(encoder, {1, 1, 1}, {1, 1, 1});
  };
  TERN_EXPECT_RULE(after_end(), "dispatch after endEncoding");
  const auto two_encoders = [&] {
    const Id buffer = commands();
    say_.compute_encoder(buffer);
    say_.blit_encoder(buffer);
  };
  TERN_EXPECT_RULE(two_encoders(), "while another encoder is open");
  const auto open_commit = [&] {
    const Id buffer = commands();
    say_.compute_encoder(buffer);
    say_.commit(buffer);
  };
  TERN_EXPECT_RULE(open_commit(), "commit while an encoder is open");
  const auto commit_twice = [&] {
    const Id buffer = commands();
    say_.commit(buffer);
    say_.commit(buffer);
  };
  TERN_EXPECT_RULE(commit_twice(), "commit of a command buffer that is committed");
  const auto encode_late = [&] {
    const Id buffer = commands();
    say_.commit(buffer);
    say_.compute_encoder(buffer);
  };
  TERN_EXPECT_RULE(encode_late(), "of a command buffer that is committed");
  TERN_EXPECT_RULE(say_.wait(commands()), "wait for a command buffer that is not committed");
}

TEST_F(StandinDeathTest, Bindings) {
  const ObjcPool pool(objc_);
  const auto encoder = [&] { return Encoder(say_.command_buffer(queue_)); };
  const auto unbound = [&] {
    const Id bare = say_.compute_encoder(say_.command_buffer(queue_));
    say_.set_pipeline(bare, pipeline_);
    say_.set_buffer(bare, in_, 0, 0);
    say_.dispatch(bare, {1, 1, 1}, {1, 1, 1});
  };
  TERN_EXPECT_RULE(unbound(), "no buffer at index 1");
  const auto no_uniforms = [&] {
    const Id bare = say_.compute_encoder(say_.command_buffer(queue_));
    say_.set_pipeline(bare, pipeline_);
    say_.set_buffer(bare, in_, 0, 0);
    say_.set_buffer(bare, out_, 0, 1);
    say_.dispatch(bare, {1, 1, 1}, {1, 1, 1});
  };
  TERN_EXPECT_RULE(no_uniforms(), "no 4 bytes at index 2");
  const auto no_pipeline = [&] {
    say_.dispatch(say_.compute_encoder(say_.command_buffer(queue_)), {1, 1, 1}, {1, 1, 1});
  };
  TERN_EXPECT_RULE(no_pipeline(), "dispatch without a pipeline");
  TERN_EXPECT_RULE(say_.set_buffer(encoder(), in_, 2, 0), "offset 2 is no multiple of 4");
  TERN_EXPECT_RULE(say_.set_buffer(encoder(), in_, 256, 0), "offset 256 of a buffer of 256 bytes");
  TERN_EXPECT_RULE(say_.set_buffer(encoder(), in_, 0, 31), "buffer index 31, limit 31");
  TERN_EXPECT_RULE(say_.set_buffer(encoder(), pipeline_, 0, 0), "another class was expected");
  const uint32_t word = 0;
  TERN_EXPECT_RULE(say_.set_bytes(encoder(), &word, 0, 2), "setBytes of 0 bytes");
  const std::string large(4100, 'x');
  TERN_EXPECT_RULE(say_.set_bytes(encoder(), large.data(), large.size(), 2), "setBytes of 4100");
  const auto foreign = [&] { say_.set_buffer(encoder(), NewBuffer(NewDevice(), 16), 0, 0); };
  TERN_EXPECT_RULE(foreign(), "a buffer of another device");
}

TEST_F(StandinTest, EventsKeepTheOrderOfQueues) {
  const Id other = say_.new_queue(device_), event = say_.new_event(device_);
  for (const bool waits : {false, true}) {
    SCOPED_TRACE(waits);
    for (const Id buffer : {in_, out_}) static_cast<float*>(Contents(buffer))[0] = 0.0f;
    const ObjcPool pool(objc_);
    const Id first = say_.command_buffer(queue_), second = say_.command_buffer(other);
    TheSettings().holds = true;
    const Id one = Encoder(first), two = Encoder(second, waits ? event : nullptr);
    for (const Id encoder : {one, two}) {
      // The second adds to what the first made.
      say_.set_buffer(encoder, encoder == one ? in_ : out_, 0, 0);
      say_.set_buffer(encoder, encoder == one ? out_ : in_, 0, 1);
      say_.dispatch(encoder, {1, 1, 1}, {1, 1, 1});
      say_.end_encoding(encoder);
    }
    if (waits) say_.encode_signal(first, event, 1);
    for (const Id commands : {first, second}) say_.commit(commands);
    TheSettings().holds = false;
    for (const Id commands : {first, second}) say_.wait(commands);
    EXPECT_EQ(static_cast<float*>(Contents(out_))[0], waits ? 1.0f : 2.0f);
    EXPECT_EQ(static_cast<float*>(Contents(in_))[0], waits ? 2.0f : 1.0f);
  }
  for (const Id object : {event, other}) Release(object);
}

TEST_F(StandinDeathTest, Events) {
  const ObjcPool pool(objc_);
  const auto commands = [&] { return say_.command_buffer(queue_); };
  const Id event = say_.new_event(device_);
  const auto in_an_encoder = [&](bool signals) {
    const Id buffer = commands();
    say_.compute_encoder(buffer);
    signals ? say_.encode_signal(buffer, event, 1) : say_.encode_wait(buffer, event, 1);
  };
  TERN_EXPECT_RULE(in_an_encoder(true), "encodeSignalEvent while another encoder is open");
  TERN_EXPECT_RULE(in_an_encoder(false), "encodeWaitForEvent while another encoder is open");
  const auto committed = [&](bool signals) {
    const Id buffer = commands();
    say_.commit(buffer);
    signals ? say_.encode_signal(buffer, event, 1) : say_.encode_wait(buffer, event, 1);
  };
  TERN_EXPECT_RULE(committed(true), "encodeSignalEvent of a command buffer that is committed");
  TERN_EXPECT_RULE(committed(false), "encodeWaitForEvent of a command buffer that is committed");
  const auto foreign = [&] { say_.encode_wait(commands(), say_.new_event(NewDevice()), 1); };
  TERN_EXPECT_RULE(foreign(), "an event of another device");
  TERN_EXPECT_RULE(say_.encode_wait(commands(), in_, 1), "another class was expected");
  TERN_EXPECT_RULE(say_.encode_signal(commands(), event, 0), "signal of 0, which is no more");
  const auto twice = [&] {
    for (int i = 0; i < 2; ++i) say_.encode_signal(commands(), event, 7);
  };
  TERN_EXPECT_RULE(twice(), "signal of 7, which is no more than the event's last");
  const auto wait = [&](UInteger signaled, UInteger value) {
    const Id signals = commands(), waits = commands();
    say_.encode_signal(signals, event, signaled);
    if (signaled < value) say_.commit(signals);
    say_.encode_wait(waits, event, value);
    say_.commit(waits);
  };
  TERN_EXPECT_RULE(wait(1, 2), "wait for 2, which nothing that is committed signals");
  TERN_EXPECT_RULE(wait(1, 1), "wait for 1, which nothing that is committed signals");
  Release(event);
}

// The thread of the GPU ends the process, so that the child begins again.
TEST_F(StandinDeathTest, FailedSignal) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto failed = [&] {
    const ObjcPool pool(objc_);
    const Id event = say_.new_event(device_);
    const Id signals = say_.command_buffer(queue_), waits = say_.command_buffer(queue_);
    TheSettings().next_error = 1;
    say_.encode_signal(signals, event, 1);
    say_.commit(signals);
    say_.encode_wait(waits, event, 1);
    say_.commit(waits);
    say_.wait(waits);
  };
  TERN_EXPECT_RULE(failed(), "no command buffer can begin: their events are not signaled");
}

TEST_F(StandinDeathTest, Sizes) {
  const ObjcPool pool(objc_);
  const auto encoder = [&] { return Encoder(say_.command_buffer(queue_)); };
  TERN_EXPECT_RULE(say_.dispatch(encoder(), {1, 0, 1}, {1, 1, 1}), "grid of 1 x 0 x 1");
  TERN_EXPECT_RULE(say_.dispatch(encoder(), {1, 1, 1}, {64, 32, 1}), "thread group of 64 x 32 x 1");
  TERN_EXPECT_RULE(say_.dispatch(encoder(), {1, 1, 1}, {0, 1, 1}), "thread group of 0 x 1 x 1");
  TERN_EXPECT_RULE(NewBuffer(device_, 0), "buffer of 0 bytes");
  TERN_EXPECT_RULE(NewBuffer(device_, uint64_t{1} << 40), "buffer of 1099511627776 bytes");
  const auto blit = [&](UInteger from, UInteger to, UInteger size) {
    say_.copy(say_.blit_encoder(say_.command_buffer(queue_)), in_, from, out_, to, size);
  };
  TERN_EXPECT_RULE(blit(0, 0, 3), "multiples of 4 are copied");
  TERN_EXPECT_RULE(blit(2, 0, 4), "multiples of 4 are copied");
  TERN_EXPECT_RULE(blit(0, 252, 8), "beyond a buffer");
  const auto private_contents = [&] { say_.contents(NewBuffer(device_, 16, false)); };
  TERN_EXPECT_RULE(private_contents(), "contents of a private buffer");
}

}  // namespace
}  // namespace tern::metal_standin
