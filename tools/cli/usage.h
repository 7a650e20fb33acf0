// SPDX-License-Identifier: Apache-2.0
// Words for a person who does not know the command line yet, or made a slip.
#ifndef TERN_TOOLS_CLI_USAGE_H_
#define TERN_TOOLS_CLI_USAGE_H_

#include <string>
#include <utility>
#include <vector>

namespace tern::cli {

// "; did you mean run?" for the known word that is nearest by typing slips; empty where none is.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& known);

// "a, b or c".
std::string OrList(const std::vector<std::string>& words);

// The verbs, a line each: their names and texts.
std::string UsageText(const std::vector<std::pair<std::string, std::string>>& verbs);

// The version of this program, and that of the interface it has.
std::string VersionText();

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_USAGE_H_
