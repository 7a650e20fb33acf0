// SPDX-License-Identifier: Apache-2.0
// Outputs as real numbers, and each of them in one line.
#ifndef TERN_TOOLS_CLI_ANSWERS_VALUES_H_
#define TERN_TOOLS_CLI_ANSWERS_VALUES_H_

#include <string>
#include <vector>

#include "tensorflow/lite/c/common.h"

namespace tern::cli {

class Engine;

// One output as real numbers (quantized elements dequantized).
struct Values {
  std::vector<int> shape;
  bool integers = false;  // the elements are integers such as class indices
  std::vector<float> data;
  std::string name;

  int dim(size_t i) const { return i < shape.size() ? shape[i] : 1; }
};
// Empty for types whose elements are no numbers.
Values ReadValues(const TfLiteTensor& tensor);
// Of an engine, in order.
std::vector<Values> ReadOutputs(Engine* engine);

// Name, shape and type, range, mean and the first elements of an output.
struct OutputRow {
  std::string name, type, range, mean, first;
};
OutputRow DescribeOutput(const TfLiteTensor& tensor, const std::string& name);
// Describes elements of a string tensor, which are quoted and cut.
OutputRow DescribeStrings(const TfLiteTensor& tensor, const std::string& name,
                          const std::vector<std::string>& strings);
// A line for each row, with columns; long names lose their middle.
std::vector<std::string> OutputLines(const std::vector<OutputRow>& rows);
// The output lines of an engine.
std::vector<std::string> OutputLines(Engine* engine);

// "outputs 1, 3-5": the positions that are false, behind a word; empty where all are true.
std::string Unset(const std::string& word, const std::vector<bool>& set);

// A text of others on one line of the terminal: control characters become '?', and what is longer
// than `max` bytes ends in "...".
std::string OneLine(const std::string& text, size_t max);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ANSWERS_VALUES_H_
