// SPDX-License-Identifier: Apache-2.0
// Runs a model that may be bad in any way, as an application does: load, resize, allocate, invoke,
// read. Memory and time are bounded, so that a large sound model is no finding.
#ifndef TERN_TESTS_FUZZ_PLAY_H_
#define TERN_TESTS_FUZZ_PLAY_H_

#include <cstdarg>
#include <cstddef>
#include <memory>
#include <string>

#include "fuzz/input.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/interpreter.h"

namespace tern::fuzz {

// Of one block of memory for tensors; larger ones are refused.
inline constexpr size_t kMostTensorBytes = size_t{256} << 10;
// Of one call of Invoke, polled between nodes.
inline constexpr double kMostSeconds = 0.3;

// Counts what it is told and says nothing.
class Listener : public tflite::ErrorReporter {
 public:
  using tflite::ErrorReporter::Report;
  int Report(const char* format, va_list args) override;
  int messages() const { return messages_; }

 private:
  int messages_ = 0;
};

// Logging off for the process.
void BeQuiet();

// All that an application does with an interpreter; the tail says how. `device`: an invented one
// that the GPU delegate plans for; null: the CPU alone.
void Play(std::unique_ptr<tflite::Interpreter> interpreter, const Tail& tail, const char* device);

// Ends the process with a line for the report: something holds that must never hold.
[[noreturn]] void Fail(const std::string& what);

}  // namespace tern::fuzz

#endif  // TERN_TESTS_FUZZ_PLAY_H_
