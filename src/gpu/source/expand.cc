// SPDX-License-Identifier: Apache-2.0
// Lines are sorted into directives and text first and blocks matched; then the blocks are walked.
#include "gpu/source/expand.h"

#include "base/status.h"
#include "gpu/desc/words.h"
#include "gpu/source/expression.h"

namespace tern::gpu {
namespace {

constexpr int kMaxRounds = 4096;
constexpr size_t kMaxText = size_t{4} << 20;
constexpr size_t kMaxNesting = 32;
constexpr size_t kMaxLine = 2048;

enum class DirectiveKind { kText, kRepeat, kIf, kElse, kEnd };

struct Line {
  int number = 0;  // from 1, for errors
  DirectiveKind kind = DirectiveKind::kText;
  std::string_view text;  // the line, or what follows the directive's word
  size_t middle = 0;      // of an @if: index of its @else or @end
  size_t end = 0;         // of a block's first line: index of its @end
};

class Expander {
 public:
  Expander(std::string_view kernel, const std::vector<Define>& defines) : kernel_(kernel) {
    for (const Define& define : defines) names_[define.name] = define.value;
  }

  absl::StatusOr<std::string> Run(std::string_view text) {
    TERN_RETURN_IF_ERROR(Split(text));
    TERN_RETURN_IF_ERROR(Match());
    TERN_RETURN_IF_ERROR(Walk(0, lines_.size()));
    return std::move(out_);
  }

 private:
  absl::Status Error(const Line& line, std::string_view what) const {
    return Invalid(kernel_, ".kernel:", line.number, ": ", what);
  }

  absl::Status Split(std::string_view text) {
    for (int number = 1; !text.empty(); ++number) {
      const size_t stop = text.find('\n');
      std::string_view line = text.substr(0, stop);
      text = stop == std::string_view::npos ? std::string_view() : text.substr(stop + 1);
      line = line.substr(0, line.find("//"));
      const std::string_view trimmed = Trim(line);
      if (trimmed.empty()) continue;
      Line made{.number = number, .text = line.substr(0, line.find_last_not_of(" \t\r") + 1)};
      if (trimmed.size() > kMaxLine) return Error(made, "the line is too long");
      if (trimmed.substr(0, 8) == "@rounds ") continue;  // source/loop_iterations.h
      if (trimmed[0] == '@') TERN_RETURN_IF_ERROR(Directive(trimmed, made));
      lines_.push_back(made);
    }
    return absl::OkStatus();
  }

  absl::Status Directive(std::string_view trimmed, Line& line) const {
    const size_t space = trimmed.find_first_of(" \t");
    const std::string_view word = trimmed.substr(0, space);
    line.text = space == std::string_view::npos ? std::string_view() : Trim(trimmed.substr(space));
    if (word == "@repeat") {
      line.kind = DirectiveKind::kRepeat;
    } else if (word == "@if") {
      line.kind = DirectiveKind::kIf;
    } else if (word == "@else") {
      line.kind = DirectiveKind::kElse;
    } else if (word == "@end") {
      line.kind = DirectiveKind::kEnd;
    } else {
      return Error(line, StrCat("unknown directive '", word, "'"));
    }
    const bool takes_text = line.kind == DirectiveKind::kRepeat || line.kind == DirectiveKind::kIf;
    if (takes_text == line.text.empty())
      return Error(line, StrCat(word, takes_text ? " needs an expression" : " stands alone"));
    return absl::OkStatus();
  }

  absl::Status Match() {
    std::vector<size_t> open;
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.kind == DirectiveKind::kRepeat || line.kind == DirectiveKind::kIf) {
        if (open.size() == kMaxNesting) return Error(line, "blocks are nested too deeply");
        open.push_back(i);
      } else if (line.kind == DirectiveKind::kElse) {
        if (open.empty() || lines_[open.back()].kind != DirectiveKind::kIf ||
            lines_[open.back()].middle != 0)
          return Error(line, "@else without @if");
        lines_[open.back()].middle = i;
      } else if (line.kind == DirectiveKind::kEnd) {
        if (open.empty()) return Error(line, "@end without @repeat or @if");
        Line& first = lines_[open.back()];
        first.end = i;
        if (first.middle == 0) first.middle = i;
        open.pop_back();
      }
    }
    return open.empty() ? absl::OkStatus() : Error(lines_[open.back()], "@end is missing");
  }

  absl::Status Walk(size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      const Line& line = lines_[i];
      if (line.kind == DirectiveKind::kRepeat) {
        TERN_RETURN_IF_ERROR(Repeat(line, i));
        i = line.end;
      } else if (line.kind == DirectiveKind::kIf) {
        TERN_ASSIGN_OR_RETURN(const int value, Value(line, line.text));
        const bool has_else = line.middle != line.end;
        if (value != 0) {
          TERN_RETURN_IF_ERROR(Walk(i + 1, line.middle));
        } else if (has_else) {
          TERN_RETURN_IF_ERROR(Walk(line.middle + 1, line.end));
        }
        i = line.end;
      } else {
        TERN_ASSIGN_OR_RETURN(const std::string text, Substitute(line, line.text));
        out_ += text;
        out_ += '\n';
        if (out_.size() > kMaxText) return Error(line, "the expanded text is too long");
      }
    }
    return absl::OkStatus();
  }

  absl::Status Repeat(const Line& line, size_t at) {
    const bool well_formed = line.text.size() > 2 && IsLetter(line.text[0]) &&
                             (line.text[1] == ' ' || line.text[1] == '\t');
    if (!well_formed) return Error(line, "@repeat needs a variable of one letter and a count");
    const std::string variable(line.text.substr(0, 1));
    if (variables_.count(variable) != 0)
      return Error(line, StrCat("'", variable, "' is already repeated"));
    TERN_ASSIGN_OR_RETURN(const int count, Value(line, line.text.substr(1)));
    const auto hidden = names_.find(variable);
    const Names::node_type kept =
        hidden == names_.end() ? Names::node_type() : names_.extract(hidden);
    for (int round = 0; round < count; ++round) {
      if (++rounds_ > kMaxRounds) return Error(line, "too many rounds of @repeat");
      names_[variable] = round;
      variables_[variable] = round;
      TERN_RETURN_IF_ERROR(Walk(at + 1, line.end));
    }
    names_.erase(variable);
    variables_.erase(variable);
    if (!kept.empty()) names_[kept.key()] = kept.mapped();
    return absl::OkStatus();
  }

  // Of an expression that may also spell variables as $i.
  absl::StatusOr<int> Value(const Line& line, std::string_view expression) {
    TERN_ASSIGN_OR_RETURN(const std::string text, Substitute(line, expression));
    absl::StatusOr<int> value = Evaluate(text, names_);
    if (!value.ok()) return Error(line, Message(value.status()));
    return value;
  }

  absl::StatusOr<std::string> Substitute(const Line& line, std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '$') {
        out += text[i];
        continue;
      }
      const char next = i + 1 < text.size() ? text[i + 1] : ' ';
      if (next == '(') {
        const size_t close = Closing(text, i + 1);
        if (close == std::string_view::npos) return Error(line, "missing ) after $(");
        TERN_ASSIGN_OR_RETURN(const int value, Value(line, text.substr(i + 2, close - i - 2)));
        out += value < 0 ? StrCat("(", value, ")") : StrCat(value);
        i = close;
      } else {
        const auto variable = variables_.find(std::string_view(&next, 1));
        if (variable == variables_.end())
          return Error(line, StrCat("$", std::string_view(&next, 1), " is not repeated here"));
        out += StrCat(variable->second);
        ++i;
      }
    }
    return out;
  }

  static size_t Closing(std::string_view text, size_t open) {
    int depth = 0;
    for (size_t i = open; i < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')' && --depth == 0) return i;
    }
    return std::string_view::npos;
  }

  std::string_view kernel_;
  std::vector<Line> lines_;
  Names names_;      // what expressions see
  Names variables_;  // of the @repeat blocks around the current line
  int rounds_ = 0;
  std::string out_;
};

}  // namespace

absl::StatusOr<std::string> Expand(std::string_view kernel, std::string_view text,
                                   const std::vector<Define>& defines) {
  return Expander(kernel, defines).Run(text);
}

}  // namespace tern::gpu
