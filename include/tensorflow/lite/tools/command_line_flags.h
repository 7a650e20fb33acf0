// SPDX-License-Identifier: Apache-2.0
// Flags of a command line, "--name=value", that set variables of a program.
#ifndef TERN_TENSORFLOW_LITE_TOOLS_COMMAND_LINE_FLAGS_H_
#define TERN_TENSORFLOW_LITE_TOOLS_COMMAND_LINE_FLAGS_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tflite {

class Flag {
 public:
  // A positional argument has no name on the command line; these come first, in their order.
  enum FlagType { kPositional = 0, kRequired, kOptional };

  // *val is the default.
  template <typename T>
  static Flag CreateFlag(const char* name, T* val, const char* usage,
                         FlagType flag_type = kOptional) {
    return Flag(
        name, [val](const T& value) { *val = value; }, *val, usage, flag_type);
  }

  // `hook` gets the value, and may ask for its position on the command line as well.
  template <typename T>
  Flag(const char* name, const std::function<void(const T&, int)>& hook, T default_value,
       const std::string& usage_text, FlagType flag_type)
      : name_(name), usage_text_(usage_text), flag_type_(flag_type), type_name_(TypeName<T>()) {
    std::ostringstream text;
    text << std::boolalpha << default_value;
    default_text_ = text.str();
    is_bool_ = std::is_same<T, bool>::value;
    set_ = [hook](const std::string& value, int position) {
      T parsed{};
      if (!Read(value, &parsed)) return false;
      hook(parsed, position);
      return true;
    };
  }
  template <typename Hook, typename T,
            typename = decltype(std::declval<Hook>()(std::declval<const T&>()))>
  Flag(const char* name, const Hook& hook, T default_value, const std::string& usage_text,
       FlagType flag_type)
      : Flag(name, std::function<void(const T&, int)>([hook](const T& value, int) { hook(value); }),
             default_value, usage_text, flag_type) {}

  FlagType GetFlagType() const { return flag_type_; }

 private:
  friend class Flags;

  template <typename T>
  static const char* TypeName() {
    if (std::is_same<T, bool>::value) return "bool";
    if (std::is_same<T, int32_t>::value) return "int32";
    if (std::is_same<T, int64_t>::value) return "int64";
    if (std::is_same<T, float>::value) return "float";
    return "string";
  }

  static bool Read(const std::string& text, std::string* value) {
    *value = text;
    return true;
  }
  static bool Read(const std::string& text, bool* value) {
    *value = text == "true" || text == "1";
    return *value || text == "false" || text == "0";
  }
  static bool Read(const std::string& text, float* value) {
    char* end = nullptr;
    *value = std::strtof(text.c_str(), &end);
    return !text.empty() && *end == 0;
  }
  template <typename Integer>
  static bool Read(const std::string& text, Integer* value) {
    char* end = nullptr;
    const long long number = std::strtoll(text.c_str(), &end, 10);
    *value = static_cast<Integer>(number);
    return !text.empty() && *end == 0 && number >= std::numeric_limits<Integer>::min() &&
           number <= std::numeric_limits<Integer>::max();
  }

  // The value in "--name=value", or "true" in "--name" of a switch. False when `argument` is
  // another one.
  bool Matches(const std::string& argument, std::string* value) const {
    const std::string start = "--" + name_;
    if (argument.compare(0, start.size(), start) != 0) return false;
    if (argument.size() == start.size()) {
      *value = "true";
      return is_bool_;
    }
    *value = argument.substr(start.size() + 1);
    return argument[start.size()] == '=';
  }

  std::string name_, usage_text_;
  FlagType flag_type_;
  const char* type_name_;
  std::string default_text_;
  bool is_bool_ = false;
  std::function<bool(const std::string&, int)> set_;
};

class Flags {
 public:
  // Sets what the arguments name and takes them out of the list; of several for one flag the first
  // counts. False for values that cannot be read, for required and positional ones that are
  // missing, and where --help is asked for.
  static bool Parse(int* argc, const char** argv, const std::vector<Flag>& flag_list) {
    std::vector<bool> used(static_cast<size_t>(*argc), false);
    bool good = true;
    int next_positional = 1;
    for (const Flag& flag : flag_list) {
      if (flag.flag_type_ != Flag::kPositional) continue;
      const int at = next_positional++;
      if (at >= *argc) {
        std::cerr << "The argument " << flag.name_ << " is missing.\n";
        return false;
      }
      used[static_cast<size_t>(at)] = true;
      good = Set(flag, argv[at], at) && good;
    }
    for (const Flag& flag : flag_list) {
      if (flag.flag_type_ != Flag::kPositional) {
        good = ParseNamed(flag, next_positional, *argc, argv, &used) && good;
      }
    }
    int kept = 1;
    for (int i = 1; i < *argc; ++i) {
      if (!used[static_cast<size_t>(i)]) argv[kept++] = argv[i];
    }
    *argc = std::min(kept, *argc);
    return good && (*argc < 2 || std::string(argv[1]) != "--help");
  }

  // `cmdline` and a line for each flag.
  static std::string Usage(const std::string& cmdline, const std::vector<Flag>& flag_list) {
    std::ostringstream text;
    text << "usage: " << cmdline;
    for (const Flag& flag : flag_list) {
      if (flag.flag_type_ == Flag::kPositional) text << " <" << flag.name_ << ">";
    }
    text << " <flags>\n";
    for (const Flag& flag : flag_list) {
      const bool named = flag.flag_type_ != Flag::kPositional;
      text << "\t" << (named ? "--" + flag.name_ + "=" + flag.default_text_ : flag.name_) << "\t"
           << flag.type_name_ << "\t"
           << (flag.flag_type_ == Flag::kOptional ? "optional" : "required") << "\t"
           << flag.usage_text_ << "\n";
    }
    return text.str();
  }

  // All arguments but the program's name, with spaces between them.
  static std::string ArgsToString(int argc, const char** argv) {
    std::string text;
    for (int i = 1; i < argc; ++i) text += (i > 1 ? " " : "") + std::string(argv[i]);
    return text;
  }

 private:
  static bool Set(const Flag& flag, const std::string& value, int position) {
    if (flag.set_(value, position)) return true;
    std::cerr << "The value of " << flag.name_ << " is no " << flag.type_name_ << ": " << value
              << "\n";
    return false;
  }

  static bool ParseNamed(const Flag& flag, int first, int argc, const char** argv,
                         std::vector<bool>* used) {
    bool found = false, good = true;
    for (int i = first; i < argc; ++i) {
      std::string value;
      if (!flag.Matches(argv[i], &value)) continue;
      if (!found) good = Set(flag, value, i);
      found = true;
      (*used)[static_cast<size_t>(i)] = true;
    }
    if (found || flag.flag_type_ != Flag::kRequired) return good;
    std::cerr << "The flag --" << flag.name_ << " is missing.\n";
    return false;
  }
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_TOOLS_COMMAND_LINE_FLAGS_H_
