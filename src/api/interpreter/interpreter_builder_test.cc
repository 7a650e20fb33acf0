// SPDX-License-Identifier: Apache-2.0
//
// Models to interpreters: loading, resolvers, delegates, failures. Operations are fakes.
#include "tensorflow/lite/core/interpreter_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "model/testing/model_builder.h"
#include "runtime/testing/fake_delegate.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/model.h"
#include "tensorflow/lite/mutable_op_resolver.h"

namespace tern {
namespace {

using testing::AddOp;
using ::testing::ElementsAre;
using testing::FakeDelegate;
using ::testing::HasSubstr;
using testing::ModelBuilder;
using testing::RecordingReporter;

// Custom operation "add" and builtin ADD are both sums.
class TestResolver : public tflite::MutableOpResolver {
 public:
  TestResolver() {
    TfLiteRegistration op = AddOp();
    AddCustom("add", &op);
    op.init = nullptr;
    op.free = nullptr;
    AddBuiltin(tflite::BuiltinOperator_ADD, &op, 1, 2);
  }
  void AddDefault(TfLiteDelegateCreator creator) { delegate_creators_.push_back(creator); }
};

struct Loaded {
  explicit Loaded(const ModelBuilder& builder)
      : bytes(builder.Finish()),
        model(tflite::FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes.data()),
                                                       bytes.size(), &reporter)) {}

  std::vector<uint8_t> bytes;
  RecordingReporter reporter;
  std::unique_ptr<tflite::FlatBufferModel> model;
  TestResolver resolver;
  std::unique_ptr<tflite::Interpreter> interpreter;
};

ModelBuilder SmallModel() {
  ModelBuilder b;
  const int x = b.Input({2, 2}, tflite::TensorType_FLOAT32, "x");
  const int c = b.Const<float>({2, 2}, {1, 2, 3, 4});
  const int y = b.Tensor({2, 2}, tflite::TensorType_FLOAT32, "y");
  b.Op(tflite::BuiltinOperator_ADD, {x, c}, {y}, tflite::AddOptionsT());
  b.Output(y);
  return b;
}

TEST(InterpreterBuilder, LoadsAndRuns) {
  Loaded m(SmallModel());
  ASSERT_NE(m.model, nullptr) << m.reporter.text;
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteOk)
      << m.reporter.text;
  EXPECT_STREQ(m.interpreter->GetInputName(0), "x");
  EXPECT_STREQ(m.interpreter->GetOutputName(0), "y");
  EXPECT_EQ(m.interpreter->subgraph(0)->GetName(), "main");
  ASSERT_EQ(m.interpreter->AllocateTensors(), kTfLiteOk) << m.reporter.text;
  float* in = m.interpreter->typed_input_tensor<float>(0);
  std::fill(in, in + 4, 10.0f);
  ASSERT_EQ(m.interpreter->Invoke(), kTfLiteOk);
  EXPECT_EQ(m.interpreter->typed_output_tensor<float>(0)[3], 14);
  // The constant is read from the model's own bytes.
  const TfLiteTensor* c = m.interpreter->tensor(1);
  EXPECT_EQ(c->allocation_type, kTfLiteMmapRo);
  const auto* data = reinterpret_cast<const uint8_t*>(c->data.raw_const);
  EXPECT_GE(data, m.bytes.data());
  EXPECT_LT(data, m.bytes.data() + m.bytes.size());
  // Parameters of the builtin operation have arrived.
  EXPECT_NE(m.interpreter->node_and_registration(0)->first.builtin_data, nullptr);
}

TEST(InterpreterBuilder, BuildsManyInterpretersFromOneModel) {
  Loaded m(SmallModel());
  tflite::InterpreterBuilder builder(m.model, m.resolver);  // the unique_ptr itself
  std::unique_ptr<tflite::Interpreter> other;
  ASSERT_EQ(builder(&m.interpreter), kTfLiteOk);
  ASSERT_EQ(builder(&other, 2), kTfLiteOk);
  EXPECT_EQ(other->primary_subgraph().context()->recommended_num_threads, 2);
  EXPECT_EQ(m.interpreter->primary_subgraph().context()->recommended_num_threads, -1);
}

TEST(InterpreterBuilder, NullArguments) {
  Loaded m(SmallModel());
  EXPECT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(nullptr), kTfLiteError);
  EXPECT_TRUE(m.reporter.Has("Null output pointer passed to InterpreterBuilder."));
  const tflite::Model* null_model = nullptr;
  EXPECT_EQ(tflite::InterpreterBuilder(null_model, m.resolver, &m.reporter)(&m.interpreter),
            kTfLiteError);
  EXPECT_TRUE(m.reporter.Has("Null pointer passed in as model."));
}

TEST(InterpreterBuilder, BadThreadCountResetsTheOutput) {
  Loaded m(SmallModel());
  tflite::InterpreterBuilder builder(*m.model, m.resolver);
  ASSERT_EQ(builder(&m.interpreter), kTfLiteOk);
  EXPECT_EQ(builder.SetNumThreads(-2), kTfLiteError);
  EXPECT_EQ(builder(&m.interpreter, -2), kTfLiteError);
  EXPECT_EQ(m.interpreter, nullptr);
}

// Returns the error of a model that was not verified before; no interpreter is made of it.
std::string RawModelError(ModelBuilder& b) {
  const std::vector<uint8_t> bytes = b.Finish();
  RecordingReporter reporter;
  TestResolver resolver;
  std::unique_ptr<tflite::Interpreter> interpreter;
  EXPECT_EQ(
      tflite::InterpreterBuilder(tflite::GetModel(bytes.data()), resolver, &reporter)(&interpreter),
      kTfLiteError);
  EXPECT_EQ(interpreter, nullptr);
  return reporter.text;
}

TEST(InterpreterBuilder, RawModelsAreChecked) {
  ModelBuilder b = SmallModel();
  b.tensor(1).buffer = 99;
  EXPECT_NE(RawModelError(b), "");
}

TEST(InterpreterBuilder, OtherSchemaVersion) {
  ModelBuilder b = SmallModel();
  b.model().version = 2;
  EXPECT_THAT(RawModelError(b),
              HasSubstr("Model provided is schema version 2 not equal to supported version 3."));
}

TEST(InterpreterBuilder, UnknownBuiltin) {
  ModelBuilder b;
  const int x = b.Input({1});
  b.Output(b.Op(tflite::BuiltinOperator_NEG, {x}, {b.Tensor({1})}));
  Loaded m(b);
  ASSERT_NE(m.model, nullptr) << m.reporter.text;
  EXPECT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteError);
  EXPECT_TRUE(m.reporter.Has("Didn't find op for builtin opcode 'NEG' version '1'."));
  EXPECT_TRUE(m.reporter.Has("Registration failed."));
}

TEST(InterpreterBuilder, UnknownVersionOfABuiltin) {
  ModelBuilder b = SmallModel();
  b.model().operator_codes[0]->version = 3;
  Loaded m(b);
  ASSERT_NE(m.model, nullptr) << m.reporter.text;
  EXPECT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteError);
  EXPECT_TRUE(m.reporter.Has("Didn't find op for builtin opcode 'ADD' version '3'."));
}

ModelBuilder CustomModel(const char* name) {
  ModelBuilder b;
  const int x = b.Input({4});
  const int y = b.Tensor({4});
  b.CustomOp(name, {x, x}, {y}, {7, 8, 9});
  b.Output(y);
  return b;
}

TEST(InterpreterBuilder, CustomOperationGetsItsOptions) {
  Loaded m(CustomModel("add"));
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteOk)
      << m.reporter.text;
  const TfLiteNode& node = m.interpreter->node_and_registration(0)->first;
  ASSERT_EQ(node.custom_initial_data_size, 3);
  EXPECT_EQ(static_cast<const uint8_t*>(node.custom_initial_data)[2], 9);
}

TEST(InterpreterBuilder, UnknownCustomOperationFailsOnlyWhenPrepared) {
  Loaded m(CustomModel("Mystery"));
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteOk);
  EXPECT_EQ(m.interpreter->AllocateTensors(), kTfLiteUnresolvedOps);
  EXPECT_TRUE(m.reporter.Has("Encountered unresolved custom op: Mystery."));
}

TEST(InterpreterBuilder, AppliesDelegatesAndPassesTheirStatusOn) {
  Loaded m(CustomModel("add"));
  FakeDelegate good;
  tflite::InterpreterBuilder builder(*m.model, m.resolver);
  builder.AddDelegate(static_cast<TfLiteDelegate*>(nullptr));
  EXPECT_TRUE(m.reporter.Has("Null delegate."));
  builder.AddDelegate(good.get());
  ASSERT_EQ(builder(&m.interpreter), kTfLiteOk);
  EXPECT_TRUE(m.interpreter->IsFullyDelegated());
  // Ready without AllocateTensors.
  m.interpreter->typed_input_tensor<float>(0)[1] = 4;
  ASSERT_EQ(m.interpreter->Invoke(), kTfLiteOk);
  EXPECT_EQ(m.interpreter->typed_output_tensor<float>(0)[1], 8);

  FakeDelegate bad;
  bad.prepare_status = kTfLiteError;
  tflite::InterpreterBuilder failing(*m.model, m.resolver);
  failing.AddDelegate(bad.get());
  EXPECT_EQ(failing(&m.interpreter), kTfLiteDelegateError);
  EXPECT_EQ(m.interpreter, nullptr);
  EXPECT_TRUE(m.reporter.Has("Failed to apply delegates."));
}

TEST(InterpreterBuilder, DefaultDelegatesAreAppliedAtTheFirstAllocation) {
  Loaded m(CustomModel("add"));
  FakeDelegate fake;
  const auto no_delete = [](TfLiteDelegate*) {};
  m.resolver.AddDefault([&](TfLiteContext*) {
    return std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>(fake.get(), no_delete);
  });
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteOk);
  EXPECT_EQ(fake.prepare_calls, 0);
  ASSERT_EQ(m.interpreter->AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(m.interpreter->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(fake.prepare_calls, 1);
  EXPECT_TRUE(m.interpreter->IsFullyDelegated());

  // One that fails as a delegate is said to, and left out from then on.
  FakeDelegate failing;
  failing.fail_kernel_prepare = true;
  TestResolver resolver;
  resolver.AddDefault([&](TfLiteContext*) {
    return std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>(failing.get(), no_delete);
  });
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, resolver)(&m.interpreter), kTfLiteOk);
  EXPECT_EQ(m.interpreter->AllocateTensors(), kTfLiteDelegateError);
  EXPECT_EQ(m.interpreter->AllocateTensors(), kTfLiteOk);
  EXPECT_FALSE(m.interpreter->HasDelegates());
  EXPECT_EQ(m.interpreter->Invoke(), kTfLiteOk);

  // Not applied on top of a full delegation.
  FakeDelegate user;
  FakeDelegate second;
  TestResolver other;
  other.AddDefault([&](TfLiteContext*) {
    return std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>(second.get(), no_delete);
  });
  tflite::InterpreterBuilder builder(*m.model, other);
  builder.AddDelegate(user.get());
  ASSERT_EQ(builder(&m.interpreter), kTfLiteOk);
  ASSERT_EQ(m.interpreter->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(second.prepare_calls, 0);
}

TEST(InterpreterBuilder, VariablesStringsAndQuantization) {
  ModelBuilder b;
  const int x = b.Input({1, 3});
  const int v = b.Variable({3});
  const int s = b.Input({1}, tflite::TensorType_STRING);
  const int q = b.Quantize(b.Input({3}, tflite::TensorType_INT8), 0.5f, -3);
  b.tensor(x).shape_signature = {-1, 3};
  b.Output(b.CustomOp("add", {x, v}, {b.Tensor({1, 3})}));
  Loaded m(b);
  ASSERT_NE(m.model, nullptr) << m.reporter.text;
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteOk)
      << m.reporter.text;
  EXPECT_THAT(m.interpreter->variables(), ElementsAre(v));
  EXPECT_EQ(m.interpreter->tensor(v)->allocation_type, kTfLiteArenaRwPersistent);
  EXPECT_EQ(m.interpreter->tensor(s)->allocation_type, kTfLiteDynamic);
  EXPECT_EQ(m.interpreter->tensor(q)->params.scale, 0.5f);
  EXPECT_EQ(m.interpreter->tensor(q)->params.zero_point, -3);
  EXPECT_EQ(m.interpreter->tensor(q)->quantization.type, kTfLiteAffineQuantization);
  ASSERT_NE(m.interpreter->tensor(x)->dims_signature, nullptr);
  EXPECT_EQ(m.interpreter->tensor(x)->dims_signature->data[0], -1);
  EXPECT_EQ(m.interpreter->ResizeInputTensorStrict(x, {5, 3}), kTfLiteOk);
  EXPECT_EQ(m.interpreter->ResizeInputTensorStrict(x, {5, 4}), kTfLiteError);
}

TEST(InterpreterBuilder, SubgraphsAndMetadata) {
  ModelBuilder b = SmallModel();
  b.AddSubgraph("body");
  const int x = b.Input({4});
  const int y = b.Tensor({4});
  b.CustomOp("add", {x, x}, {y});
  b.Output(y);
  b.Metadata("note", {'h', 'i'});
  Loaded m(b);
  ASSERT_NE(m.model, nullptr) << m.reporter.text;
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteOk);
  ASSERT_EQ(m.interpreter->subgraphs_size(), 2u);
  tflite::Subgraph* body = m.interpreter->subgraph(1);
  EXPECT_EQ(body->GetName(), "body");
  ASSERT_EQ(body->AllocateTensors(), kTfLiteOk);
  body->tensor(0)->data.f[0] = 3;
  ASSERT_EQ(body->Invoke(), kTfLiteOk);
  EXPECT_EQ(body->tensor(1)->data.f[0], 6);
  const char* data = nullptr;
  size_t size = 0;
  TfLiteContext* context = body->context();
  ASSERT_EQ(context->GetModelMetadata(context, "note", &data, &size), kTfLiteOk);
  EXPECT_EQ(std::string(data, size), "hi");
}

TEST(InterpreterBuilder, OptionsAreCopied) {
  Loaded m(SmallModel());
  auto options = std::make_unique<tflite::InterpreterOptions>();
  options->SetPreserveAllTensors();
  tflite::InterpreterBuilder builder(*m.model, m.resolver, options.get());
  options.reset();
  ASSERT_EQ(builder(&m.interpreter), kTfLiteOk);
  EXPECT_TRUE(m.interpreter->primary_subgraph().ShouldPreserveAllTensors());
}

// The builder leaves errors that only a run can find to the run.
TEST(InterpreterBuilder, AGraphThatCannotRunCanBeLookedAt) {
  ModelBuilder b = SmallModel();
  b.op().outputs = {0};  // its own input
  b.subgraph().outputs = {0};
  Loaded m(b);
  ASSERT_NE(m.model, nullptr) << m.reporter.text;
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteOk);
  EXPECT_THAT(m.reporter.text, HasSubstr("Tensor 0 is both input 0 and output 0"));
  EXPECT_EQ(m.interpreter->tensors_size(), 3u);
  EXPECT_EQ(m.interpreter->AllocateTensors(), kTfLiteError);
}

TEST(InterpreterBuilder, MalformedTablesAreFoundByTheBuilder) {
  const auto rejects = [](const std::function<void(ModelBuilder&)>& damage) {
    ModelBuilder b = SmallModel();
    damage(b);
    Loaded m(b);
    EXPECT_NE(m.model, nullptr) << m.reporter.text;
    EXPECT_EQ(m.reporter.text, "");
    return tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter) != kTfLiteOk &&
           !m.reporter.text.empty();
  };
  EXPECT_FALSE(rejects([](ModelBuilder&) {}));
  EXPECT_FALSE(rejects([](ModelBuilder& b) { b.Quantize(0, 0.0f, 1000); }));
  EXPECT_TRUE(rejects([](ModelBuilder& b) { b.tensor(1).shape = {9, 9}; }));
  EXPECT_TRUE(rejects([](ModelBuilder& b) { b.tensor(1).buffer = 99; }));
  EXPECT_TRUE(rejects([](ModelBuilder& b) { b.op().inputs = {0, 7}; }));
  const auto blockwise = [](int scales, int block) {
    return [=](ModelBuilder& b) {
      b.Quantize(0, 1, 0);
      tflite::BlockwiseQuantizationT details;
      details.scales = scales;
      details.zero_points = -1;
      details.block_size = block;
      b.tensor(0).quantization->details.Set(details);
    };
  };
  EXPECT_FALSE(rejects(blockwise(1, 2)));
  EXPECT_TRUE(rejects(blockwise(3, 2)));
  EXPECT_TRUE(rejects(blockwise(1, 0)));
  // The table of the quantization is taken away behind the checks of the container.
  ModelBuilder b = SmallModel();
  blockwise(1, 2)(b);
  Loaded m(b);
  ASSERT_NE(m.model, nullptr) << m.reporter.text;
  const auto* quantization = (*m.model)->subgraphs()->Get(0)->tensors()->Get(0)->quantization();
  const auto* table = reinterpret_cast<const uint8_t*>(quantization);
  const uint8_t* fields = table - flatbuffers::ReadScalar<flatbuffers::soffset_t>(table);
  flatbuffers::WriteScalar<flatbuffers::voffset_t>(
      const_cast<uint8_t*>(fields) + tflite::QuantizationParameters::VT_DETAILS, 0);
  EXPECT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteError);
  EXPECT_THAT(m.reporter.text, HasSubstr("has no table"));
}

// The file's own numbers, whatever they mean to an op.
TEST(InterpreterBuilder, TensorsTellTheirBlocks) {
  ModelBuilder b = SmallModel();
  b.tensor(1).quantization = std::make_unique<tflite::QuantizationParametersT>();
  tflite::BlockwiseQuantizationT details;
  details.scales = 0;
  details.zero_points = -1;
  details.block_size = 32;
  b.tensor(1).quantization->details.Set(details);
  Loaded m(b);
  ASSERT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteOk);
  const TfLiteTensor& tensor = *m.interpreter->tensor(1);
  ASSERT_EQ(tensor.quantization.type, kTfLiteBlockwiseQuantization);
  const auto& blocks = *static_cast<TfLiteBlockwiseQuantization*>(tensor.quantization.params);
  EXPECT_EQ(blocks.scale, 0);
  EXPECT_EQ(blocks.zero_point, -1);
  EXPECT_EQ(blocks.blocksize, 32);
  EXPECT_EQ(blocks.quantized_dimension, 0);
  EXPECT_EQ(tensor.params.scale, 0);
}

// Constants in a file beside the model's.
TEST(InterpreterBuilder, ExternalBuffers) {
  const std::string folder = ::testing::TempDir() + "tern_external";
  std::filesystem::create_directories(folder);
  const std::vector<float> weights = {0, 1, 2, 3, 4};
  std::ofstream(folder + "/weights.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(weights.data()), 20);
  const auto make = [&](const std::string& file, uint64_t offset, uint64_t length) {
    ModelBuilder b = SmallModel();
    tflite::ModelT& model = b.model();
    b.tensor(1).buffer = 0;
    b.tensor(1).external_buffer = 7;
    model.external_buffer_groups.push_back(std::make_unique<tflite::ExternalBufferGroupT>());
    model.external_buffer_groups[0]->name = file;
    model.external_buffers.push_back(std::make_unique<tflite::ExternalBufferT>());
    model.external_buffers[0]->id = 7;
    model.external_buffers[0]->offset = offset;
    model.external_buffers[0]->length = length;
    return b;
  };
  const auto build = [&](const ModelBuilder& b, RecordingReporter* reporter) {
    const std::vector<uint8_t> bytes = b.Finish();
    const std::string path = folder + "/model.tflite";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    const auto model = tflite::FlatBufferModel::BuildFromFile(path.c_str(), reporter);
    std::unique_ptr<tflite::Interpreter> interpreter;
    TestResolver resolver;
    if (model != nullptr) tflite::InterpreterBuilder(*model, resolver)(&interpreter);
    if (interpreter != nullptr) {
      EXPECT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
      std::fill_n(interpreter->typed_input_tensor<float>(0), 4, 10.0f);
      EXPECT_EQ(interpreter->Invoke(), kTfLiteOk);
      EXPECT_EQ(interpreter->typed_output_tensor<float>(0)[3], 14);
    }
    return interpreter != nullptr;
  };
  RecordingReporter reporter;
  EXPECT_TRUE(build(make("weights.bin", 4, 16), &reporter)) << reporter.text;
  EXPECT_FALSE(build(make("weights.bin", 8, 16), &reporter));
  EXPECT_THAT(reporter.text, HasSubstr("external buffer 7 lies outside its file (8 + 16, 20)"));
  EXPECT_FALSE(build(make("weights.bin", 4, 12), &reporter));
  EXPECT_FALSE(build(make("missing.bin", 4, 16), &reporter));
  for (const char* file : {"../tern_external/weights.bin", "/etc/passwd", ""}) {
    RecordingReporter own;
    EXPECT_FALSE(build(make(file, 4, 16), &own));
    EXPECT_THAT(own.text, HasSubstr("a model may only name files of its own folder"));
  }
  ModelBuilder unknown = make("weights.bin", 4, 16);
  unknown.tensor(1).external_buffer = 8;
  EXPECT_FALSE(build(unknown, &reporter));
  EXPECT_THAT(reporter.text, HasSubstr("there is no external buffer with the id 8"));
  // Nothing lies beside memory.
  Loaded m(make("weights.bin", 4, 16));
  EXPECT_EQ(tflite::InterpreterBuilder(*m.model, m.resolver)(&m.interpreter), kTfLiteError);
  EXPECT_THAT(m.reporter.text, HasSubstr("build it from its file"));
}

}  // namespace
}  // namespace tern
