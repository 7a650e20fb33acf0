// SPDX-License-Identifier: Apache-2.0
// Flags of the form --name=value, as the tools of TensorFlow Lite take them: what follows a name
// without `=` is no value, an empty value is one, and arguments that no flag takes are left over.
#ifndef TERN_TOOLS_FLAGS_FLAGS_H_
#define TERN_TOOLS_FLAGS_FLAGS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace tern::tools {

enum class FlagType { kBool, kInt, kFloat, kText };

struct Flag {
  const char* name;
  FlagType type;
  const char* value;  // the default, as one would write it
  const char* label;  // names the value in the log; null: it is not logged
  const char* usage;
  bool always_logged = false;  // else only when it was given, or when all are
};

// The values of a list of flags. A name that is not in the list is a mistake of the caller; a name
// that is in it twice has one value and two lines in the log.
class Flags {
 public:
  explicit Flags(const std::vector<Flag>& list);

  // Takes what it knows out of `arguments`; of a flag that is given twice the first counts and the
  // second is left over. InvalidArgument: a value that is not of the flag's type.
  absl::Status Parse(std::vector<std::string>* arguments);

  bool Bool(std::string_view name) const;  // true, false, 1 or 0
  int Int(std::string_view name) const;
  float Float(std::string_view name) const;  // finite
  const std::string& Text(std::string_view name) const { return At(name).value; }
  bool IsGiven(std::string_view name) const { return At(name).position >= 0; }
  // Where the flag stood among the arguments; -1 when it was not given.
  int Position(std::string_view name) const { return At(name).position; }
  // Sets a value in place of the user.
  void Set(std::string_view name, const std::string& value) { At(name).value = value; }

  // One line per flag: name, default, type, meaning.
  std::string Usage(const std::string& program) const;
  // "LABEL: [VALUE]" for every flag that has one and was given; for all of them with `all`.
  std::vector<std::string> LogLines(bool all) const;

 private:
  struct Entry {
    Flag flag;
    std::string value;
    int position = -1;
  };

  Entry& At(std::string_view name);
  const Entry& At(std::string_view name) const { return const_cast<Flags*>(this)->At(name); }

  std::vector<Entry> entries_;
};

}  // namespace tern::tools

#endif  // TERN_TOOLS_FLAGS_FLAGS_H_
