// SPDX-License-Identifier: Apache-2.0
// Documents that tests write.
#ifndef TERN_OPS_TESTING_CURRENT_DOCUMENT_H_
#define TERN_OPS_TESTING_CURRENT_DOCUMENT_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace tern::testing {

// Fails when the file holds another text; with TERN_UPDATE_DOCS set it is written first.
inline void ExpectCurrent(const std::string& path, const std::string& text) {
  if (std::getenv("TERN_UPDATE_DOCS") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  std::ostringstream written;
  written << file.rdbuf();
  EXPECT_TRUE(written.str() == text) << path << " is out of date: TERN_UPDATE_DOCS=1 writes it";
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_CURRENT_DOCUMENT_H_
