// SPDX-License-Identifier: Apache-2.0
// The Signal* operations that keep something between runs: what comes out run by run, after
// ResetVariableTensors, after another shape, and in two interpreters.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ops/testing/flex_options.h"
#include "ops/testing/session.h"

namespace tern::testing {
namespace {

using tflite::TensorType;
using tflite::TensorType_BOOL;
using tflite::TensorType_FLOAT32;
using tflite::TensorType_INT16;
using tflite::TensorType_UINT32;
using StateSamples = std::vector<int16_t>;
using Entries = std::vector<std::pair<const char*, int64_t>>;

ModelBuilder OneOp(const std::string& op, const Entries& options, std::vector<int32_t> shape,
                   TensorType type, const std::vector<TensorType>& outputs) {
  ModelBuilder b;
  const int in = b.Input(std::move(shape), type);
  std::vector<int32_t> outs;
  for (const TensorType output : outputs) outs.push_back(b.Tensor({}, output));
  b.CustomOp(op, {in}, outs, IntegerOptions(options));
  for (const int32_t out : outs) b.Output(out);
  return b;
}

template <class T>
std::vector<T> After(Session& session, const std::vector<T>& in, int output = 0) {
  session.Set(0, in);
  EXPECT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  return session.Get<T>(output);
}

bool Valid(Session& session) { return session->typed_output_tensor<bool>(1)[0]; }

std::string Refusal(const ModelBuilder& model) {
  Session session(model);
  EXPECT_EQ(session->AllocateTensors(), kTfLiteError);
  return session.messages().empty() ? "" : session.messages().front();
}

ModelBuilder Delay(int64_t length, std::vector<int32_t> shape) {
  return OneOp("SignalDelay", {{"delay_length", length}}, std::move(shape), TensorType_INT16,
               {TensorType_INT16});
}

TEST(SignalDelay, RowsComeLater) {
  Session session(Delay(3, {2, 2}));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(After<int16_t>(session, {1, 2, 11, 12}), (StateSamples{0, 0, 0, 0}));
  EXPECT_EQ(After<int16_t>(session, {3, 4, 13, 14}), (StateSamples{0, 1, 0, 11}));
  EXPECT_EQ(After<int16_t>(session, {5, 6, 15, 16}), (StateSamples{2, 3, 12, 13}));
  ASSERT_EQ(session->ResetVariableTensors(), kTfLiteOk);
  EXPECT_EQ(After<int16_t>(session, {7, 8, 17, 18}), (StateSamples{0, 0, 0, 0}));
  EXPECT_EQ(After<int16_t>(session, {9, 9, 19, 19}), (StateSamples{0, 7, 0, 17}));
}

TEST(SignalDelay, ShorterThanAFrameOrNone) {
  Session session(Delay(1, {3}));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(After<int16_t>(session, {1, 2, 3}), (StateSamples{0, 1, 2}));
  EXPECT_EQ(After<int16_t>(session, {4, 5, 6}), (StateSamples{3, 4, 5}));
  Session none(Delay(0, {3}));
  ASSERT_EQ(none->AllocateTensors(), kTfLiteOk) << none.Errors();
  EXPECT_EQ(After<int16_t>(none, {1, 2, 3}), (StateSamples{1, 2, 3}));
}

TEST(SignalDelay, AnotherShapeBeginsAgain) {
  Session session(Delay(2, {2}));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  After<int16_t>(session, {1, 2});
  const size_t tensors = session->tensors_size();
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);  // nothing changes
  EXPECT_EQ(After<int16_t>(session, {3, 4}), (StateSamples{1, 2}));
  ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], {2, 3}), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(After<int16_t>(session, {5, 6, 7, 15, 16, 17}), (StateSamples{0, 0, 5, 0, 0, 15}));
  EXPECT_EQ(After<int16_t>(session, {8, 9, 0, 18, 19, 0}), (StateSamples{6, 7, 8, 16, 17, 18}));
  EXPECT_EQ(session->tensors_size(), tensors);
}

TEST(SignalDelay, InterpretersOfOneModelShareNothing) {
  const ModelBuilder b = Delay(2, {2});
  const std::vector<uint8_t> bytes = b.Finish();
  const auto model = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const tflite::ops::builtin::BuiltinOpResolver resolver;
  std::unique_ptr<tflite::Interpreter> both[2];
  for (auto& interpreter : both) {
    ASSERT_EQ(tflite::InterpreterBuilder(*model, resolver)(&interpreter), kTfLiteOk);
    ASSERT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  }
  for (int16_t run = 0; run < 3; ++run) {
    for (int16_t i = 0; i < 2; ++i) {
      auto* in = both[i]->typed_input_tensor<int16_t>(0);
      in[0] = in[1] = static_cast<int16_t>(10 * i + run + 1);
      ASSERT_EQ(both[i]->Invoke(), kTfLiteOk);
      const auto want = static_cast<int16_t>(run == 0 ? 0 : 10 * i + run);
      EXPECT_EQ(both[i]->typed_output_tensor<int16_t>(0)[0], want);
    }
  }
}

TEST(SignalDelay, BadDelaysAreErrors) {
  EXPECT_EQ(Refusal(Delay(-1, {2})), "SignalDelay: delay_length must lie in 0..16777216 (-1)");
  EXPECT_EQ(Refusal(Delay(1 << 24, {17, 1})),
            "SignalDelay: the state may have 268435456 elements, not the shape [17, 16777216]");
  EXPECT_NE(Refusal(Delay(1, {})), "");
}

ModelBuilder Framer(int64_t size, int64_t step, bool prefill, std::vector<int32_t> shape) {
  return OneOp("SignalFramer", {{"frame_size", size}, {"frame_step", step}, {"prefill", prefill}},
               std::move(shape), TensorType_INT16, {TensorType_INT16, TensorType_BOOL});
}

TEST(SignalFramer, FramesAreFilledOverRuns) {
  Session session(Framer(3, 2, false, {2, 2}));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(After<int16_t>(session, {1, 2, 11, 12}), (StateSamples{0, 0, 0, 0, 0, 0}));
    EXPECT_FALSE(Valid(session));
    EXPECT_EQ(After<int16_t>(session, {3, 4, 13, 14}), (StateSamples{1, 2, 3, 11, 12, 13}));
    EXPECT_TRUE(Valid(session));
    EXPECT_EQ(After<int16_t>(session, {5, 6, 15, 16}), (StateSamples{3, 4, 5, 13, 14, 15}));
    EXPECT_TRUE(Valid(session));
    ASSERT_EQ(session->ResetVariableTensors(), kTfLiteOk);
  }
}

TEST(SignalFramer, SeveralFramesInARun) {
  Session session(Framer(5, 2, false, {6}));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(After<int16_t>(session, {1, 2, 3, 4, 5, 6}),
            (StateSamples{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5}));
  EXPECT_FALSE(Valid(session));
  EXPECT_EQ(After<int16_t>(session, {7, 8, 9, 10, 11, 12}),
            (StateSamples{3, 4, 5, 6, 7, 5, 6, 7, 8, 9, 7, 8, 9, 10, 11}));
  EXPECT_TRUE(Valid(session));
}

TEST(SignalFramer, PrefillBeginsWithZeros) {
  Session session(Framer(5, 2, true, {2}));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(After<int16_t>(session, {1, 2}), (StateSamples{0, 0, 0, 1, 2}));
  EXPECT_TRUE(Valid(session));
  EXPECT_EQ(After<int16_t>(session, {3, 4}), (StateSamples{0, 1, 2, 3, 4}));
  EXPECT_EQ(After<int16_t>(session, {5, 6}), (StateSamples{2, 3, 4, 5, 6}));
}

TEST(SignalFramer, StepsMayLeaveSamplesOut) {
  Session session(Framer(2, 3, false, {3}));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(After<int16_t>(session, {1, 2, 3}), (StateSamples{1, 2}));
  EXPECT_TRUE(Valid(session));
  EXPECT_EQ(After<int16_t>(session, {4, 5, 6}), (StateSamples{4, 5}));
}

TEST(SignalFramer, BadStepsAreErrors) {
  EXPECT_EQ(Refusal(Framer(4, 2, true, {2, 3})),
            "SignalFramer: the samples must be a multiple of frame_step ([2, 3], 2)");
  EXPECT_EQ(Refusal(Framer(4, 0, true, {4})),
            "SignalFramer: frame_step must lie in 1..16777216 (0)");
  EXPECT_NE(Refusal(Framer(0, 2, true, {4})), "");
  EXPECT_NE(Refusal(Framer(4, 2, true, {0})), "");
  EXPECT_NE(Refusal(Framer(4, 2, true, {})), "");
}

ModelBuilder Stacker(int64_t left, int64_t right, int64_t step, int32_t channels = 2) {
  return OneOp("SignalStacker",
               {{"num_channels", 2},
                {"stacker_left_context", left},
                {"stacker_right_context", right},
                {"stacker_step", step}},
               {channels}, TensorType_INT16, {TensorType_INT16, TensorType_BOOL});
}

TEST(SignalStacker, TheFirstFrameStandsForThoseBefore) {
  Session session(Stacker(1, 1, 2));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(After<int16_t>(session, {1, 11}), (StateSamples{0, 0, 0, 0, 0, 0}));
    EXPECT_FALSE(Valid(session));
    EXPECT_EQ(After<int16_t>(session, {2, 12}), (StateSamples{1, 11, 1, 11, 2, 12}));
    EXPECT_TRUE(Valid(session));
    After<int16_t>(session, {3, 13});
    EXPECT_FALSE(Valid(session));
    EXPECT_EQ(After<int16_t>(session, {4, 14}), (StateSamples{2, 12, 3, 13, 4, 14}));
    EXPECT_TRUE(Valid(session));
    ASSERT_EQ(session->ResetVariableTensors(), kTfLiteOk);
  }
}

TEST(SignalStacker, StacksThatDoNotOverlap) {
  Session session(Stacker(1, 0, 2));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(After<int16_t>(session, {1, 2}), (StateSamples{1, 2, 1, 2}));
  After<int16_t>(session, {3, 4});
  EXPECT_FALSE(Valid(session));
  EXPECT_EQ(After<int16_t>(session, {5, 6}), (StateSamples{3, 4, 5, 6}));
}

TEST(SignalStacker, BadContextsAreErrors) {
  EXPECT_EQ(Refusal(Stacker(1, 1, 4)), "SignalStacker: stacker_step must lie in 1..3 (4)");
  EXPECT_EQ(Refusal(Stacker(1, 1, 1, 3)),
            "SignalStacker: there must be num_channels inputs (3, 2)");
  EXPECT_NE(Refusal(Stacker(-1, 1, 1)), "");
  EXPECT_NE(Refusal(Stacker(1, int64_t{1} << 40, 1)), "");
}

ModelBuilder OverlapAdd(int64_t step, std::vector<int32_t> shape,
                        TensorType type = TensorType_INT16) {
  return OneOp("SignalOverlapAdd", {{"frame_step", step}}, std::move(shape), type, {type});
}

TEST(SignalOverlapAdd, SumsSaturate) {
  Session session(OverlapAdd(2, {2, 1, 3}));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(After<int16_t>(session, {1, 2, 30000, 4, 5, -30000}), (StateSamples{1, 2, 4, 5}));
    EXPECT_EQ(After<int16_t>(session, {30000, 7, 8, -30000, 9, 1}),
              (StateSamples{32767, 7, -32768, 9}));
    EXPECT_EQ(After<int16_t>(session, {1, 1, 1, 1, 1, 1}), (StateSamples{9, 1, 2, 1}));
    ASSERT_EQ(session->ResetVariableTensors(), kTfLiteOk);
  }
}

TEST(SignalOverlapAdd, SeveralFramesOfFloats) {
  Session session(OverlapAdd(1, {2, 3}, TensorType_FLOAT32));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(After<float>(session, {1, 2, 3, 10, 20, 30}), (std::vector<float>{1, 12}));
  EXPECT_EQ(After<float>(session, {100, 200, 300, 0, 0, 0}), (std::vector<float>{123, 230}));
}

TEST(SignalOverlapAdd, BadStepsAreErrors) {
  EXPECT_EQ(Refusal(OverlapAdd(4, {1, 3})),
            "SignalOverlapAdd: frame_step may be at most the size of a frame (4, 3)");
  EXPECT_NE(Refusal(OverlapAdd(0, {1, 3})), "");
  EXPECT_NE(Refusal(OverlapAdd(1, {3})), "");
  EXPECT_EQ(Refusal(OverlapAdd(1, {1, 3}, tflite::TensorType_INT32)),
            "SignalOverlapAdd: type INT32 is not supported (input)");
}

ModelBuilder Subtraction(bool clamping, Entries changed = {}) {
  Entries options = {{"alternate_one_minus_smoothing", 768},
                     {"alternate_smoothing", 256},
                     {"clamping", clamping},
                     {"min_signal_remaining", 100},
                     {"num_channels", 3},
                     {"one_minus_smoothing", 512},
                     {"smoothing", 512},
                     {"smoothing_bits", 4},
                     {"spectral_subtraction_bits", 10}};
  for (auto& [key, value] : options) {
    for (const auto& [changed_key, wanted] : changed) {
      if (std::string(key) == changed_key) value = wanted;
    }
  }
  return OneOp("SignalFilterBankSpectralSubtraction", options, {3}, TensorType_UINT32,
               {TensorType_UINT32, TensorType_UINT32});
}

using Channels = std::vector<uint32_t>;

TEST(SignalFilterBankSpectralSubtraction, NoiseIsEstimatedOverRuns) {
  const Channels in[] = {{1000, 1000, 4000000000}, {10, 10, 3}, {500, 700, 90}, {800, 100, 0}};
  const struct {
    bool clamping;
    std::vector<Channels> out, noise;
  } known[] = {{false,
                {{500, 750, 390625000}, {0, 0, 0}, {122, 382, 8}, {211, 9, 0}},
                {{8000, 4000, 1935228928},
                 {4080, 3040, 967614488},
                 {6040, 5080, 483807964},
                 {9420, 4210, 241903982}}},
               {true,
                {{500, 750, 390625000}, {0, 0, 0}, {245, 517, 43}, {272, 9, 0}},
                {{8000, 4000, 1935228928}, {160, 160, 48}, {4080, 2920, 744}, {8440, 1600, 0}}}};
  for (const auto& [clamping, out, noise] : known) {
    Session session(Subtraction(clamping));
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    for (int pass = 0; pass < 2; ++pass) {
      for (size_t run = 0; run < 4; ++run) {
        EXPECT_EQ(After(session, in[run]), out[run]) << clamping << run;
        EXPECT_EQ(session.Get<uint32_t>(1), noise[run]) << clamping << run;
      }
      ASSERT_EQ(session->ResetVariableTensors(), kTfLiteOk);
    }
  }
}

TEST(SignalFilterBankSpectralSubtraction, BadOptionsAreErrors) {
  const std::string name = "SignalFilterBankSpectralSubtraction: ";
  EXPECT_EQ(Refusal(Subtraction(false, {{"smoothing_bits", 32}})),
            name + "smoothing_bits must lie in 0..31 (32)");
  EXPECT_EQ(Refusal(Subtraction(false, {{"num_channels", 4}})),
            name + "there must be num_channels inputs (3, 4)");
  EXPECT_NE(Refusal(Subtraction(false, {{"smoothing", -1}})), "");
  EXPECT_NE(Refusal(Subtraction(false, {{"spectral_subtraction_bits", -1}})), "");
}

}  // namespace
}  // namespace tern::testing
