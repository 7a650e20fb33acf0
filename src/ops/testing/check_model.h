// SPDX-License-Identifier: Apache-2.0
// Runs a float model with random inputs on engines and holds every output against the reference.
#ifndef TERN_OPS_TESTING_CHECK_MODEL_H_
#define TERN_OPS_TESTING_CHECK_MODEL_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/engines.h"
#include "ops/testing/oracle.h"
#include "ops/testing/reference_tensor.h"

namespace tern::testing {

// A model with inputs to run it on.
struct ModelCase {
  std::string name;
  std::vector<uint8_t> bytes;
  std::vector<std::vector<float>> inputs;
};

// Inputs are random values in [low, high).
ModelCase MakeModelCase(std::string name, const tflite::ModelT& model, double low = -2,
                        double high = 2);

// The inputs as elements of the model's types: of quantized tensors what comes closest.
std::vector<std::vector<uint8_t>> InputBytes(const ModelCase& c);

RunResult RunModelCase(const ModelCase& c, const Engine& engine);

std::vector<RefTensor> Evaluate(const ModelCase& c, bool half);

// The first element beyond its bound, in words; empty when there is none.
std::string FirstDeviation(const Values& got, const RefTensor& want);

void CheckModelOn(const ModelCase& c, const std::vector<RefTensor>& want, const Engine& engine);

enum class Engines {
  kInTurn,   // one engine of a driver, each call another; for sweeps over many shapes
  kDrivers,  // NextDriverEngines
  kAll,      // and those that run the C++ compiler for each program
};

// The smallest device of the OpenGL ES specification takes every node. It plans only, and says so
// of each node that it would have run.
void CheckSmallestDevice(const ModelCase& c, bool half);

// On the CPU and on GPU engines at hand. With TERN_ALL_ENGINES set, sweeps run on all drivers.
void CheckModel(const ModelCase& c, Engines engines = Engines::kInTurn);
// Checks a model against the reference's results of another model, which computes the same.
void CheckModelAgainst(const ModelCase& c, const ModelCase& same,
                       Engines engines = Engines::kInTurn);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_CHECK_MODEL_H_
