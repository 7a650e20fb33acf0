#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Selective builds (TERN_OPS_FOR): which operators are read out of which model, what is no model, and a program that has the
# chosen operators alone.   chosen_ops_test.sh BUILD_FOLDER C_COMPILER CXX_COMPILER FLATC
# Sources that know the choice are compiled again; the others are those of the build.
set -eu -o pipefail
build=$1 cc=$2 cxx=$3 flatc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; exit 1; }

# model NAME CODES_AS_JSON
model() {
  echo "{version: 3, operator_codes: [$2], subgraphs: [], buffers: []}" >"$work/$1.json"
  "$flatc" -b -o "$work" schema/schema.fbs "$work/$1.json"
}
configure() {
  cmake -G Ninja -S . -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DTERN_BUILD_TOOLS=OFF -DTERN_BUILD_JAVA=OFF "-DTERN_OPS_FOR=$1" 2>&1 | tr -s '\n ' ' ' >"$work/log"
}
says() { grep -q -F -e "$1" "$work/log" || { echo "not said: $1"; cat "$work/log"; exit 1; }; }

# Codes as old files have them, in both fields, and beyond the old one; custom ones, known and of an application.
model old '{deprecated_builtin_code: 0}, {deprecated_builtin_code: 25, version: 2}'
model new '{deprecated_builtin_code: 3, builtin_code: CONV_2D}, {deprecated_builtin_code: 127, builtin_code: DILATE}'
model custom '{deprecated_builtin_code: 32, builtin_code: CUSTOM, custom_code: "TFLite_Detection_PostProcess"},
  {deprecated_builtin_code: 32, builtin_code: CUSTOM, custom_code: "Mine"}'
configure "$work/old.tflite;$work/new.tflite;$work/custom.tflite" || { cat "$work/log"; exit 1; }
says 'Operators of TERN_OPS_FOR: ADD CONV_2D DILATE SOFTMAX "TFLite_Detection_PostProcess" '
says 'Operators of these models that an application registers: "Mine" '
listed=$(grep -cE '^[A-Z_]*OP\(' "$work/build/chosen/abi/op_table.inc")
[ "$listed" = 5 ] || fail "$listed operators are listed, expected 5"

# In a file that is no model, is cut off, or is missing.
echo "not a model at all" >"$work/text.tflite"
head -c 30 "$work/old.tflite" >"$work/cut.tflite"
for row in "text:it has not the identifier TFL3" "cut:it is cut off" "none:there is no such file"; do
  ! configure "$work/${row%%:*}.tflite" || fail "${row%%:*}.tflite: configured"
  says "TERN_OPS_FOR: $work/${row%%:*}.tflite is no model: ${row#*:}; expected a .tflite file."
done

# A program that has the operators of the demo's model runs it, and refuses another with the reason.
configure demo/landscape.tflite || { cat "$work/log"; exit 1; }
flags="-std=c++20 -O2 -fno-exceptions -ffunction-sections -fdata-sections -DTERN_CHOSEN_OPS -I$work/build/chosen -Iinclude
  -Isrc -isystem $build/include"
cat >"$work/program.cc" <<'CODE'
#include <cstdio>
#include <memory>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

int main(int, char** argv) {
  const auto model = tflite::FlatBufferModel::BuildFromFile(argv[1]);
  if (model == nullptr) return 2;
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, tflite::ops::builtin::BuiltinOpResolver())(&interpreter);
  if (interpreter == nullptr || interpreter->AllocateTensors() != kTfLiteOk) return 1;
  const bool ran = interpreter->Invoke() == kTfLiteOk;
  std::printf("%s\n", ran ? "ran" : "failed");
  return ran ? 0 : 1;
}
CODE
objects=""
for source in src/ops/cpu_registry.cc src/api/operators/op_resolver.cc src/runtime/node_calls.cc "$work/program.cc"; do
  object=$work/$(basename "$source" .cc).o
  $cxx $flags -c "$source" -o "$object"
  objects="$objects $object"
done
# The build's own objects have more than one source in them: the first definition counts.
link() {
  $cxx "$@" -Wl,--gc-sections,--allow-multiple-definition "$build/lib/libtensorflowlite.a" \
    $(pkg-config --libs absl_status absl_statusor absl_strings) $(pkg-config --libs-only-l libhwy 2>/dev/null || true) \
    -lpthread -ldl -o "$work/program"
  strip "$work/program"
  stat -c %s "$work/program"
}
whole=$(link "$work/program.o")
"$work/program" demo/landscape.tflite | grep -q ran || fail "the whole program does not run the demo's model"
chosen=$(link $objects)
"$work/program" demo/landscape.tflite | grep -q ran || fail "the small program does not run the demo's model"
echo "$whole bytes with all operators, $chosen with those of the demo's model"
[ "$chosen" -lt $((whole / 2)) ] || fail "the small program is not half as large"
cat >"$work/other.json" <<'JSON'
{version: 3, operator_codes: [{deprecated_builtin_code: 17, builtin_code: MAX_POOL_2D}], buffers: [{}],
 subgraphs: [{tensors: [{shape: [1, 2, 2, 1]}, {shape: [1, 1, 1, 1]}], inputs: [0], outputs: [1],
  operators: [{inputs: [0], outputs: [1], builtin_options_type: "Pool2DOptions",
   builtin_options: {padding: VALID, stride_w: 2, stride_h: 2, filter_width: 2, filter_height: 2}}]}]}
JSON
"$flatc" -b -o "$work" schema/schema.fbs "$work/other.json"
! "$work/program" "$work/other.tflite" 2>"$work/log" || fail "an operator that was not chosen runs"
says "Didn't find op for builtin opcode 'MAX_POOL_2D'"
says "This build has the operators of the models in TERN_OPS_FOR alone."
link "$work/program.o" >/dev/null
"$work/program" "$work/other.tflite" | grep -q ran || fail "the whole program does not run the other model"
