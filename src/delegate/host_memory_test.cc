// SPDX-License-Identifier: Apache-2.0
// Tests how much host memory it takes to compile a quantized model, without the device's memory.
#include <cstdint>
#include <fstream>
#include <memory>
#include <random>
#include <string>

#include "base/testing/sanitizers.h"
#include "delegate/testing/delegate_test.h"
#include "delegate/testing/fresh_process.h"
#include "delegate/testing/idle_device.h"
#include "delegate/testing/process_memory.h"
#include "gpu/testing/faulty_device.h"

namespace tern::delegate {
namespace {

using tern::testing::ModelBuilder;

constexpr int kSide = 4096;

// Three products with square matrices of bytes, a scale for each channel.
std::vector<uint8_t> LargeModel() {
  ModelBuilder b;
  std::mt19937 random(5);
  const auto tensor = [&](int id) { return b.Quantize(id, 0.5f, 3); };
  int x = tensor(b.Input({1, kSide}, tflite::TensorType_INT8));
  for (int i = 0; i < 3; ++i) {
    std::vector<uint8_t> bytes(size_t{kSide} * kSide);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    const int w = b.ConstBytes({kSide, kSide}, tflite::TensorType_INT8, std::move(bytes));
    b.QuantizePerChannel(w, std::vector<float>(kSide, 1e-4f), std::vector<int64_t>(kSide, 0), 0);
    x = b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, -1},
             {tensor(b.Tensor({1, kSide}, tflite::TensorType_INT8))},
             tflite::FullyConnectedOptionsT());
  }
  b.Output(x);
  return b.Finish();
}

bool RestartPeak() {
  return static_cast<bool>(std::ofstream("/proc/self/clear_refs") << "5" << std::flush);
}

void CompilesIn(bool packed) {
  const std::vector<uint8_t> bytes = LargeModel();
  const auto file = static_cast<int64_t>(bytes.size());
  // Like a device with memory of its own.
  const auto device =
      std::make_shared<gpu::FaultyDevice>(std::make_shared<testing::IdleDevice>("amd"));
  DelegateOptions options = DefaultOptions();
  options.compile.packed = packed;
  const Delegate delegate = DelegateOver(options, Opened(device));
  ASSERT_TRUE(RestartPeak());
  const int64_t before = testing::FromStatus("VmRSS");
  Session session(bytes);  // copies the bytes, as a file that is mapped and read is in memory
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
  EXPECT_GE(device->uploaded_bytes(), (packed ? 1 : 4) * int64_t{3} * kSide * kSide);
  const int64_t took = testing::FromStatus("VmHWM") - before;
  EXPECT_LE(took, file * 13 / 10) << "a file of " << file << " bytes";
}

TEST(HostMemory, AnInt8ModelIsNotExpanded) {
  if (tern::testing::kAddressSanitizer || tern::testing::kThreadSanitizer)
    GTEST_SKIP() << "a sanitizer takes memory of its own";
  if (!testing::IsFreshProcess() && (!RestartPeak() || testing::FromStatus("VmHWM") == 0)) {
    GTEST_SKIP() << "the system does not tell the peak of memory";
  }
  testing::InFreshProcess([] { CompilesIn(/*packed=*/true); });
}

TEST(HostMemory, NorWhereTheDeviceHasItAsFloats) {
  if (tern::testing::kAddressSanitizer || tern::testing::kThreadSanitizer)
    GTEST_SKIP() << "a sanitizer takes memory of its own";
  if (!testing::IsFreshProcess() && (!RestartPeak() || testing::FromStatus("VmHWM") == 0)) {
    GTEST_SKIP() << "the system does not tell the peak of memory";
  }
  testing::InFreshProcess([] { CompilesIn(/*packed=*/false); });
}

}  // namespace
}  // namespace tern::delegate
