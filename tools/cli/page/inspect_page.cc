// SPDX-License-Identifier: Apache-2.0
// Puts the description and the scripts that draw it into the page.
#include "cli/page/inspect_page.h"

#include "absl/strings/str_replace.h"
#include "cli/texts.h"

namespace tern::cli {

std::string InspectPage(const std::string& description) {
  // In one pass, so that nothing in the description is taken for a place. Names in it must neither
  // end the script element nor begin a comment.
  const std::string data = absl::StrReplaceAll(description, {{"<", "\\u003c"}, {">", "\\u003e"}});
  return absl::StrReplaceAll(
      kPageHtml, {{"/*STYLE*/", kPageCss}, {"/*MODEL*/", data}, {"/*SCRIPT*/", kPageScript}});
}

}  // namespace tern::cli
