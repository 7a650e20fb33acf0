// SPDX-License-Identifier: Apache-2.0
// Telemetry: how events are sorted, what interpreters report, and how a model was converted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting_internal.h"
#include "tensorflow/lite/profiling/telemetry/profiler.h"
#include "tensorflow/lite/profiling/telemetry/telemetry.h"

namespace tflite::telemetry {
namespace {

using ::testing::ElementsAre;

// Writes down what is reported, a line each.
struct Lines {
  Lines() {
    profiler.data = this;
    profiler.ReportTelemetryEvent = [](TfLiteTelemetryProfilerStruct* p, const char* name,
                                       uint64_t status) {
      Of(p).push_back(std::string(name) + " " + std::to_string(status >> 32) + ":" +
                      std::to_string(status & 0xFFFFFFFF));
    };
    profiler.ReportTelemetryOpEvent = [](TfLiteTelemetryProfilerStruct* p, const char* name,
                                         int64_t op, int64_t graph, uint64_t status) {
      Of(p).push_back(std::string(name) + " " + std::to_string(op) + " of " +
                      std::to_string(graph) + " " + std::to_string(status >> 32) + ":" +
                      std::to_string(status & 0xFFFFFFFF));
    };
    profiler.ReportSettings = [](TfLiteTelemetryProfilerStruct* p, const char* name,
                                 const TfLiteTelemetrySettings* settings) {
      Of(p).push_back(std::string(name) + " from " + std::to_string(settings->source));
    };
    profiler.ReportBeginOpInvokeEvent = [](TfLiteTelemetryProfilerStruct* p, const char* name,
                                           int64_t op, int64_t graph) -> uint32_t {
      Of(p).push_back("begin " + std::string(name) + " " + std::to_string(op) + " of " +
                      std::to_string(graph));
      return 5;
    };
    profiler.ReportEndOpInvokeEvent = [](TfLiteTelemetryProfilerStruct* p, uint32_t handle) {
      Of(p).push_back("end " + std::to_string(handle));
    };
    profiler.ReportOpInvokeEvent = [](TfLiteTelemetryProfilerStruct* p, const char* name,
                                      uint64_t elapsed, int64_t op, int64_t graph) {
      Of(p).push_back(std::string(name) + " took " + std::to_string(elapsed) + " " +
                      std::to_string(op) + " of " + std::to_string(graph));
    };
  }
  static std::vector<std::string>& Of(TfLiteTelemetryProfilerStruct* profiler) {
    return static_cast<Lines*>(profiler->data)->lines;
  }
  std::vector<std::string> lines;
  TfLiteTelemetryProfilerStruct profiler = {};
};

TEST(Telemetry, SendersReachTheProfiler) {
  Lines heard;
  const std::unique_ptr<TelemetryProfiler> profiler(MakeTfLiteTelemetryProfiler(&heard.profiler));
  TfLiteContext context = {};
  TelemetryReportEvent(&context, "unheard", kTfLiteOk);
  context.profiler = static_cast<Profiler*>(profiler.get());
  TelemetryReportEvent(&context, "Invoke", kTfLiteError);
  TelemetryReportOpEvent(&context, "ADD", 1, 2, kTfLiteOk);
  TelemetryReportDelegateEvent(&context, "Prepare", TelemetrySource::TFLITE_GPU, 21);
  TelemetryReportDelegateOpEvent(&context, "MUL", 3, 4, TelemetrySource::TFLITE_GPU, 22);
  const TfLiteTelemetryInterpreterSettings settings;
  TelemetryReportSettings(&context, "model", &settings);
  TelemetryReportDelegateSettings(&context, "device", TelemetrySource::TFLITE_XNNPACK, &settings);
  EXPECT_THAT(heard.lines, ElementsAre("Invoke 0:1", "ADD 1 of 2 0:0", "Prepare 2:21",
                                       "MUL 3 of 4 2:22", "model from 0", "device from 5"));
}

TEST(Telemetry, EventsAreSortedByType) {
  Lines heard;
  const std::unique_ptr<Profiler> profiler(MakeTfLiteTelemetryProfiler(&heard.profiler));
  using Type = Profiler::EventType;
  for (Type type : {Type::OPERATOR_INVOKE_EVENT, Type::DELEGATE_OPERATOR_INVOKE_EVENT}) {
    profiler->EndEvent(profiler->BeginEvent("ADD", type, 1, 2));
  }
  profiler->EndEvent(profiler->BeginEvent("Invoke", Type::DEFAULT, 1, 2));
  profiler->AddEvent("MUL", Type::DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT, 30, 3, 4);
  profiler->AddEvent("other", Type::DEFAULT, 30, 3, 4);
  profiler->AddEventWithData("nothing", Type::TELEMETRY_REPORT_SETTINGS, nullptr);
  EXPECT_THAT(heard.lines, ElementsAre("begin ADD 1 of 2", "end 5", "begin ADD 1 of 2", "end 5",
                                       "MUL took 30 3 of 4"));
  EXPECT_EQ(MakeTfLiteTelemetryProfiler(nullptr), nullptr);
}

TEST(Telemetry, StatusCodesAndTheirSources) {
  const TelemetryStatusCode code(TelemetrySource::TFLITE_GPU, 7);
  EXPECT_EQ(code.code(), 0x200000007u);
  EXPECT_TRUE(TelemetryStatusCode(code.code()) == code);
  EXPECT_FALSE(TelemetryStatusCode(kTfLiteOk) == code);
}

TEST(Telemetry, CallsOfTheInterpreterAndItsGraphs) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1});
  const int y = b.Tensor({1});
  b.Op(BuiltinOperator_ABS, {x}, {y});
  b.Output(y);
  const std::vector<uint8_t> bytes = b.Finish();
  const auto model =
      FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Lines heard;
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = [](TfLiteContext*, TfLiteDelegate*) { return kTfLiteOk; };
  const ops::builtin::BuiltinOpResolverWithoutDefaultDelegates resolver;
  InterpreterBuilder builder(*model, resolver);
  builder.SetTelemetryProfiler(
      std::unique_ptr<TelemetryProfiler>(MakeTfLiteTelemetryProfiler(&heard.profiler)));
  builder.AddDelegate(&delegate);
  std::unique_ptr<Interpreter> interpreter, second;
  ASSERT_EQ(builder(&interpreter), kTfLiteOk);
  ASSERT_EQ(builder(&second), kTfLiteOk);
  EXPECT_EQ(second->GetProfiler(), nullptr) << "the first one has the profiler";
  ASSERT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(interpreter->Invoke(), kTfLiteOk);
  ASSERT_EQ(interpreter->subgraph(0)->Invoke(), kTfLiteOk);
  interpreter->ReleaseNonPersistentMemory();
  EXPECT_EQ(interpreter->Invoke(), kTfLiteError);
  EXPECT_EQ(interpreter->ModifyGraphWithDelegate(static_cast<TfLiteDelegate*>(nullptr)),
            kTfLiteDelegateError);
  EXPECT_THAT(heard.lines,
              ElementsAre("InterpreterBuilder::operator() from 0", "ModifyGraphWithDelegate 0:0",
                          "AllocateTensors 0:0", "begin ABS 0 of 0", "end 5", "Invoke 0:0",
                          "begin ABS 0 of 0", "end 5", "Invoke 0:0", "Invoke 0:1",
                          "ModifyGraphWithDelegate 0:2"));
}

// The modes that the settings of a model with this metadata have; -1 stands for no metadata.
std::vector<int32_t> ModesOf(const std::string& metadata) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1});
  const int y = b.Tensor({1});
  b.Op(BuiltinOperator_ABS, {x}, {y});
  b.Output(y);
  b.Metadata("CONVERSION_METADATA", {metadata.begin(), metadata.end()});
  const std::vector<uint8_t> bytes = b.Finish();
  std::vector<int32_t> modes;
  TfLiteTelemetryProfilerStruct profiler = {};
  profiler.data = &modes;
  profiler.ReportSettings = [](TfLiteTelemetryProfilerStruct* p, const char*,
                               const TfLiteTelemetrySettings* settings) {
    auto& found = *static_cast<std::vector<int32_t>*>(p->data);
    const auto* conversion = TfLiteTelemetryInterpreterSettingsGetConversionMetadata(
        static_cast<const TfLiteTelemetryInterpreterSettings*>(settings->data));
    if (conversion == nullptr) return found.push_back(-1);
    const int32_t* first = TfLiteTelemetryConversionMetadataGetModelOptimizationModes(conversion);
    found.assign(first,
                 first + TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(conversion));
  };
  TfLiteModel* model = TfLiteModelCreate(bytes.data(), bytes.size());
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetTelemetryProfiler(options, &profiler);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  EXPECT_NE(interpreter, nullptr);
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  return modes;
}

// The root's second field is the options, whose first field is the vector of modes.
std::string ConversionMetadata(const std::vector<int32_t>& modes) {
  flatbuffers::FlatBufferBuilder builder;
  const auto values = builder.CreateVector(modes);
  flatbuffers::uoffset_t start = builder.StartTable();
  builder.AddOffset(4, values);
  const flatbuffers::Offset<flatbuffers::Table> options(builder.EndTable(start));
  start = builder.StartTable();
  builder.AddOffset(6, options);
  builder.Finish(flatbuffers::Offset<flatbuffers::Table>(builder.EndTable(start)));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

TEST(Telemetry, HowAModelWasConverted) {
  const std::string good = ConversionMetadata({1003, 2000});
  EXPECT_THAT(ModesOf(good), ElementsAre(1003, 2000));
  EXPECT_THAT(ModesOf(ConversionMetadata({})), ElementsAre());
  EXPECT_THAT(ModesOf("no flatbuffer"), ElementsAre(-1));
  // A changed byte leads to no read outside of the bytes (sanitizers check this).
  for (size_t i = 0; i < good.size(); ++i) {
    std::string damaged = good;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x7F);
    ModesOf(damaged);
    ModesOf(good.substr(0, i));
  }
}

}  // namespace
}  // namespace tflite::telemetry
