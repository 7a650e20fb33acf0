// SPDX-License-Identifier: Apache-2.0
// Names the kind of a file that is no model: people rename, download and unpack.
#ifndef TERN_MODEL_FILE_KIND_H_
#define TERN_MODEL_FILE_KIND_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tern {

// "a Git LFS pointer (...)": what the file is, and what to do about it; empty where its bytes do
// not tell. Any bytes may be given.
std::string DescribeForeignFile(std::span<const uint8_t> file);

// Describes the folder behind an open descriptor; empty where it is none.
std::string DescribeFolder(int descriptor);

// Says why a file with the identifier of a model has no sound structure.
std::string DescribeDamage(std::span<const uint8_t> file);

// The need of a model whose custom operation nobody has registered: "the application must
// register it ...", "the file was compiled for ...".
std::string WhatOpNeeds(std::string_view custom_name);

// Parts of DescribeForeignFile. nullopt: it is nothing of the sort.
std::optional<std::string> DescribeZip(std::span<const uint8_t> file);
std::optional<std::string> DescribeMessage(std::span<const uint8_t> file);
std::optional<std::string> DescribeText(std::span<const uint8_t> file);

// Bytes as characters that a message may hold, at most `max` of them.
std::string Printable(std::string_view bytes, size_t max);

}  // namespace tern

#endif  // TERN_MODEL_FILE_KIND_H_
