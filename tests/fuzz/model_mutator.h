// SPDX-License-Identifier: Apache-2.0
// Changes of models that a fuzzer tries (fuzz/input.h). Bytes changed at random mostly end at the
// checks of the container, so most changes go through the object form of the schema and come back
// as a sound flatbuffer of a graph that is bad in one or two places.
#ifndef TERN_TESTS_FUZZ_MODEL_MUTATOR_H_
#define TERN_TESTS_FUZZ_MODEL_MUTATOR_H_

#include <cstddef>
#include <cstdint>

namespace tern::fuzz {

// In place; the new size, at most `max_size`. Of a hundred changes `raw_share` are of plain bytes.
size_t MutateModel(uint8_t* data, size_t size, size_t max_size, unsigned seed, int raw_share);

// A model with nodes of both. 0 when there is none.
size_t CrossModels(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                   size_t max_size, unsigned seed);

}  // namespace tern::fuzz

#endif  // TERN_TESTS_FUZZ_MODEL_MUTATOR_H_
