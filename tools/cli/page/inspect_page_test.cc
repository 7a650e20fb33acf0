// SPDX-License-Identifier: Apache-2.0
// Nothing in a model gets out of its place in the page.
#include "cli/page/inspect_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(InspectPage, NamesAreNoMarkup) {
  const std::string name = "</script><script>alert(1)</script><!-- /*SCRIPT*/ & \"";
  const nlohmann::json description = {{"file", name}};
  const std::string page = InspectPage(description.dump());
  EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(page, Not(HasSubstr("<!-- /")));
  const size_t begin = page.find("id=\"model\">") + 11;
  const std::string data = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(nlohmann::json::parse(data), description);
}

TEST(InspectPage, HasItsScriptAndItsStyleOnce) {
  const std::string page = InspectPage("{}");
  for (const char* part :
       {"function layoutGraph(", "function markCrossings(", "drawHead();", "svg .edge {"}) {
    EXPECT_THAT(page, HasSubstr(part));
    EXPECT_EQ(page.find(part), page.rfind(part)) << part;
  }
  for (const char* place : {"/*STYLE*/", "/*MODEL*/", "/*SCRIPT*/"}) {
    EXPECT_THAT(page, Not(HasSubstr(place)));
  }
}

}  // namespace
}  // namespace tern::cli
