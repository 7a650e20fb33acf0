// SPDX-License-Identifier: Apache-2.0
// Files of the project that the tools carry inside (cmake/embed_texts.cmake).
#ifndef TERN_TOOLS_CLI_TEXTS_H_
#define TERN_TOOLS_CLI_TEXTS_H_

namespace tern::cli {

extern const char kSchemaText[];  // schema/schema.fbs
extern const char kPageHtml[];    // tools/cli/page/inspect_page.html, with places for the others
extern const char kPageCss[];     // tools/cli/page/inspect_page.css
extern const char kPageScript[];  // tools/cli/*.js

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_TEXTS_H_
