// SPDX-License-Identifier: Apache-2.0
// Files of the project that the tools carry inside (cmake/embed_texts.cmake).
#ifndef TERN_TOOLS_CLI_TEXTS_H_
#define TERN_TOOLS_CLI_TEXTS_H_

namespace tern::cli {

extern const char kSchemaText[];       // schema/schema.fbs
extern const char kInspectPageHtml[];  // tools/cli/inspect_page.html, with places for the others
extern const char kInspectPageCss[];
extern const char kInspectPageJs[];
extern const char kInspectLayoutJs[];
extern const char kExplainPageJs[];

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_TEXTS_H_
