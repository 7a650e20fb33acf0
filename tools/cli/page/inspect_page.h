// SPDX-License-Identifier: Apache-2.0
// The description of a model as a page for browsers.
#ifndef TERN_TOOLS_CLI_PAGE_INSPECT_PAGE_H_
#define TERN_TOOLS_CLI_PAGE_INSPECT_PAGE_H_

#include <string>

namespace tern::cli {

// One file of HTML that needs no other and no network. `description` is the JSON of
// docs/inspect.md.
// With a member `explain` nodes are coloured by where they run, and cuts are drawn.
std::string InspectPage(const std::string& description);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_PAGE_INSPECT_PAGE_H_
