#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A new operator is its folder and its row in src/abi/op_table.inc: STABLEHLO_NEGATE, which no folder implements, gets both in a
# folder of the test's own, then runs on the CPU and is planned on the GPU.   new_operator_test.sh BUILD_FOLDER CXX_COMPILER FLATC
# Sources that expand the row are compiled again; the others are those of the build.
set -eu -o pipefail
build=$1 cxx=$2 flatc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; exit 1; }

mkdir -p "$work/src/abi" "$work/src/ops/negate"
row='OP(STABLEHLO_NEGATE, StablehloNegate, 1, 1, negate, NoOptions, NoParams, Elements, Pure)'
sed "s/^CODE(STABLEHLO_NEGATE, .*/$row/" src/abi/op_table.inc >"$work/src/abi/op_table.inc"
grep -q -x -F "$row" "$work/src/abi/op_table.inc" || fail "STABLEHLO_NEGATE is no code without a folder"

cat >"$work/src/ops/negate/negate.cc" <<'CODE'
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Negate : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "STABLEHLO_NEGATE"; }
  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteFloat32, "input"));
    return call.SetShape(call.output(0), ShapeOf(call.input(0)));
  }
  Status Eval(const OpCall& call) override {
    const float* in = Data<float>(call.input(0));
    float* out = MutableData<float>(call.output(0));
    for (int64_t i = 0; i < Elements(call.input(0)); ++i) out[i] = -in[i];
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration StablehloNegateRegistration(OpForm form) {
  return MakeRegistration<Negate>(form);
}

}  // namespace tern
CODE
cat >"$work/src/ops/negate/negate_gpu.cc" <<'CODE'
#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"

namespace tern::gpu {
namespace {

absl::StatusOr<Epilogue> Steps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, kFloats));
  return Epilogue{{.expression = "-v"}};
}

absl::Status Lower(const Node& node, Lowering& lower) {
  return LowerSteps(node, lower, Steps(lower.graph(), node));
}

}  // namespace

GpuOp StablehloNegateGpu() { return ElementwiseOp(Lower, Steps, kFloats); }

}  // namespace tern::gpu
CODE
cat >"$work/program.cc" <<'CODE'
#include <cstdio>
#include <memory>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

int main(int, char** argv) {
  const auto model = tflite::FlatBufferModel::BuildFromFile(argv[1]);
  if (model == nullptr) return 2;
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, tflite::ops::builtin::BuiltinOpResolver())(&interpreter);
  if (interpreter == nullptr || interpreter->AllocateTensors() != kTfLiteOk) return 1;
  interpreter->typed_input_tensor<float>(0)[0] = 1.5f;
  interpreter->typed_input_tensor<float>(0)[1] = -2.0f;
  if (interpreter->Invoke() != kTfLiteOk) return 1;
  const float* out = interpreter->typed_output_tensor<float>(0);
  std::printf("CPU: %g %g\n", out[0], out[1]);

  const char* keys[] = {"tern_backend", "tern_plan_only"};
  const char* values[] = {"null:adreno", "1"};
  const std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)> delegate(
      tflite_plugin_create_delegate(keys, values, 2, nullptr), tflite_plugin_destroy_delegate);
  interpreter->ModifyGraphWithDelegate(delegate.get());
  std::puts(TfLiteGpuDelegateV2Report(delegate.get()));
  interpreter.reset();
  return 0;
}
CODE
cat >"$work/model.json" <<'JSON'
{version: 3, operator_codes: [{deprecated_builtin_code: 127, builtin_code: STABLEHLO_NEGATE}], buffers: [{}],
 subgraphs: [{tensors: [{shape: [2]}, {shape: [2]}], inputs: [0], outputs: [1], operators: [{inputs: [0], outputs: [1]}]}]}
JSON
"$flatc" -b -o "$work" schema/schema.fbs "$work/model.json"

flags="-std=c++20 -fno-exceptions -I$work/src -Iinclude -Isrc -I$build/kernels -isystem $build/include"
objects=""
for source in src/abi/op_table.cc src/ops/cpu_registry.cc src/ops/gpu_registry.cc "$work"/src/ops/negate/*.cc "$work/program.cc"; do
  object=$work/$(basename "$source" .cc).o
  $cxx $flags -c "$source" -o "$object"
  objects="$objects $object"
done
# The build's own objects have more than one source in them: the first definition counts.
$cxx $objects -Wl,--allow-multiple-definition "$build/lib/libtensorflowlite_gpu_delegate.a" "$build/lib/libtensorflowlite.a" \
  $(pkg-config --libs absl_status absl_statusor absl_strings) $(pkg-config --libs-only-l libhwy 2>/dev/null || true) \
  -lpthread -ldl -o "$work/program"
"$work/program" "$work/model.tflite" | tee "$work/log"
grep -q -x 'CPU: -1.5 2' "$work/log" || fail "the CPU does not negate"
grep -q -F '"op":"STABLEHLO_NEGATE","version":1,"decision":"gpu"' "$work/log" || fail "the GPU does not take it"
