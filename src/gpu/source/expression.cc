// SPDX-License-Identifier: Apache-2.0
// Precedence climbing over 64-bit values; every intermediate value must fit 32 bits.
#include "gpu/source/expression.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/status.h"
#include "gpu/desc/words.h"

namespace tern::gpu {
namespace {

constexpr int kMaxDepth = 64;

bool IsInName(char c) { return IsLetter(c) || c == '_'; }

struct Operator {
  std::string_view text;
  int precedence;
};

// Longer spellings first.
constexpr Operator kOperators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4},
                                   {">=", 4}, {"<", 4},  {">", 4},  {"+", 5},  {"-", 5},
                                   {"*", 6},  {"/", 6},  {"%", 6}};

class Parser {
 public:
  Parser(std::string_view text, const Names& names) : text_(text), names_(names) {}

  absl::StatusOr<int> Run() {
    TERN_ASSIGN_OR_RETURN(const int64_t value, Binary(1, 0));
    SkipSpace();
    if (at_ < text_.size())
      return Invalid("unexpected '", text_.substr(at_, 1), "' in '", text_, "'");
    return static_cast<int>(value);
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  const Operator* NextOperator() {
    SkipSpace();
    for (const Operator& op : kOperators) {
      if (text_.substr(at_, op.text.size()) == op.text) return &op;
    }
    return nullptr;
  }

  absl::StatusOr<int64_t> Binary(int min, int depth) {
    TERN_ASSIGN_OR_RETURN(int64_t left, Unary(depth));
    while (const Operator* op = NextOperator()) {
      if (op->precedence < min) break;
      at_ += op->text.size();
      TERN_ASSIGN_OR_RETURN(const int64_t right, Binary(op->precedence + 1, depth + 1));
      TERN_ASSIGN_OR_RETURN(left, Apply(op->text, left, right));
    }
    return left;
  }

  absl::StatusOr<int64_t> Unary(int depth) {
    if (depth > kMaxDepth) return Invalid("expression is nested too deeply");
    SkipSpace();
    if (at_ >= text_.size()) return Invalid("expression ends early: '", text_, "'");
    const char c = text_[at_];
    if (c == '-' || c == '!' || c == '+') {
      ++at_;
      TERN_ASSIGN_OR_RETURN(const int64_t value, Unary(depth + 1));
      return c == '!' ? int64_t{value == 0} : Checked(c == '-' ? -value : value);
    }
    if (c == '(') {
      ++at_;
      TERN_ASSIGN_OR_RETURN(const int64_t value, Binary(1, depth + 1));
      TERN_RETURN_IF_ERROR(Take(')'));
      return value;
    }
    if (IsDigit(c)) return Literal();
    if (IsInName(c)) return Name(depth);
    return Invalid("unexpected '", text_.substr(at_, 1), "' in '", text_, "'");
  }

  absl::StatusOr<int64_t> Literal() {
    int64_t value = 0;
    while (at_ < text_.size() && IsDigit(text_[at_])) {
      value = value * 10 + (text_[at_++] - '0');
      if (value > std::numeric_limits<int>::max()) return Checked(value);
    }
    if (at_ < text_.size() && (IsInName(text_[at_]) || text_[at_] == '.'))
      return Invalid("not an integer in '", text_, "'");
    return value;
  }

  absl::StatusOr<int64_t> Name(int depth) {
    const size_t start = at_;
    while (at_ < text_.size() && (IsInName(text_[at_]) || IsDigit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (name == "imin" || name == "imax") return TwoOperands(name == "imin", depth);
    const auto it = names_.find(name);
    if (it == names_.end()) return Invalid("unknown name '", name, "'");
    return it->second;
  }

  // "(a, b)"
  absl::StatusOr<int64_t> TwoOperands(bool min, int depth) {
    TERN_RETURN_IF_ERROR(Take('('));
    TERN_ASSIGN_OR_RETURN(const int64_t a, Binary(1, depth + 1));
    TERN_RETURN_IF_ERROR(Take(','));
    TERN_ASSIGN_OR_RETURN(const int64_t b, Binary(1, depth + 1));
    TERN_RETURN_IF_ERROR(Take(')'));
    return min ? std::min(a, b) : std::max(a, b);
  }

  absl::Status Take(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c)
      return Invalid("missing ", std::string(1, c), " in '", text_, "'");
    ++at_;
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> Checked(int64_t value) {
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
      return Invalid("value beyond 32 bits in '", text_, "'");
    return value;
  }

  absl::StatusOr<int64_t> Apply(std::string_view op, int64_t a, int64_t b) {
    if (op == "||") return int64_t{a != 0 || b != 0};
    if (op == "&&") return int64_t{a != 0 && b != 0};
    if (op == "==") return int64_t{a == b};
    if (op == "!=") return int64_t{a != b};
    if (op == "<=") return int64_t{a <= b};
    if (op == ">=") return int64_t{a >= b};
    if (op == "<") return int64_t{a < b};
    if (op == ">") return int64_t{a > b};
    if (op == "+") return Checked(a + b);
    if (op == "-") return Checked(a - b);
    if (op == "*") return Checked(a * b);
    if (b == 0) return Invalid("division by zero in '", text_, "'");
    return op == "/" ? Checked(a / b) : Checked(a % b);
  }

  std::string_view text_;
  const Names& names_;
  size_t at_ = 0;
};

}  // namespace

absl::StatusOr<int> Evaluate(std::string_view expression, const Names& names) {
  return Parser(expression, names).Run();
}

}  // namespace tern::gpu
