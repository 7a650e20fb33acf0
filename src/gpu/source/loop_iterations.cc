// SPDX-License-Identifier: Apache-2.0
// The text is read once, line by line. Directives and braces are followed apart from each other: a
// brace may open in either branch of an @if.
#include "gpu/source/loop_iterations.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/desc/words.h"

namespace tern::gpu {
namespace {

constexpr int64_t kMany = int64_t{1} << 31;  // above any limit, and products of two fit
constexpr std::string_view kFor = "for (int ";

// Returns the text behind a leading `word`; nullopt if `text` does not begin with it.
std::optional<std::string_view> After(std::string_view text, std::string_view word) {
  if (text.substr(0, word.size()) != word) return std::nullopt;
  return Trim(text.substr(word.size()));
}

int64_t Min(int64_t a, int64_t b) {
  return std::min(std::min(a, kMany) * std::min(b, kMany), kMany);
}

class Reader {
 public:
  Reader(std::string_view kernel, const Names& names) : kernel_(kernel), names_(names) {}

  absl::StatusOr<int64_t> Run(std::string_view text) {
    loops_.push_back({});  // the kernel itself
    for (number_ = 1; !text.empty(); ++number_) {
      const size_t stop = text.find('\n');
      const std::string_view line = text.substr(0, stop);
      text = stop == std::string_view::npos ? std::string_view() : text.substr(stop + 1);
      TERN_RETURN_IF_ERROR(Read(Trim(line.substr(0, line.find("//")))));
    }
    return loops_.front().inside;
  }

 private:
  struct Block {  // of a directive
    bool active = true, repeats = false;
    int64_t times = 1;  // of the text inside it, by all blocks around it
    bool both = false;  // a condition that differs between iterations: both branches are read
    char variable = 0;  // of @repeat
    int last = 0;       // that it is
  };
  struct Loop {
    int64_t rounds = 1;
    int64_t inside = 0;  // iterations of the loops in it, once through
    int64_t times = 1;   // Block::times where it stands
    int depth = 0;       // braces around it
  };

  absl::Status Error(std::string_view what) const {
    return Invalid(kernel_, ".kernel:", number_, ": ", what);
  }

  bool active() const { return blocks_.empty() || blocks_.back().active; }
  int64_t times() const { return blocks_.empty() ? 1 : blocks_.back().times; }

  // Of an expression that may spell names as $(...).
  absl::StatusOr<int64_t> Value(std::string_view expression) const {
    return Value(expression, names_);
  }
  static absl::StatusOr<int64_t> Value(std::string_view expression, const Names& names) {
    std::string text(expression);
    std::erase(text, '$');
    TERN_ASSIGN_OR_RETURN(const int value, Evaluate(text, names));
    return value;
  }

  bool NamesARepeat(std::string_view condition) const {
    const Words words = Identifiers(condition);
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
      return block.repeats && words.count(std::string(1, block.variable)) != 0;
    });
  }

  Names WithVariables() const {
    Names names = names_;
    for (const Block& block : blocks_) {
      if (block.repeats) names[std::string(1, block.variable)] = block.last;
    }
    return names;
  }

  absl::Status Read(std::string_view line) {
    if (line.empty() || line[0] != '@') return active() ? ReadCode(line) : absl::OkStatus();
    if (const auto condition = After(line, "@if")) {
      const bool both = active() && NamesARepeat(*condition);
      int64_t value = 0;
      if (active() && !both) {
        TERN_ASSIGN_OR_RETURN(value, Value(*condition));
      }
      blocks_.push_back({both || (active() && value != 0), false, times(), both, 0, 0});
    } else if (const auto repeat = After(line, "@repeat")) {
      int64_t count = 0;
      if (active()) {
        // The count follows the variable. A count that depends on outer repeats is read for their
        // last iterations, as the largest one.
        TERN_ASSIGN_OR_RETURN(count, Value(repeat->substr(1), WithVariables()));
      }
      const int last = static_cast<int>(std::max<int64_t>(count, 1) - 1);
      blocks_.push_back(
          {active() && count > 0, true, Min(times(), count), false, (*repeat)[0], last});
    } else if (const auto rounds = After(line, "@rounds")) {
      if (!active()) return absl::OkStatus();
      TERN_ASSIGN_OR_RETURN(said_, Value(*rounds));
    } else if (line == "@else" && !blocks_.empty()) {
      Block& block = blocks_.back();
      const bool outside = blocks_.size() == 1 || blocks_[blocks_.size() - 2].active;
      block.active = outside && (block.both || !block.active);
    } else if (line == "@end" && !blocks_.empty()) {
      blocks_.pop_back();
    } else {
      return Error("unknown directive");
    }
    return absl::OkStatus();
  }

  absl::Status ReadCode(std::string_view line) {
    for (size_t i = 0; i < line.size(); ++i) {
      if (line.substr(i, kFor.size()) == kFor) {
        const size_t close = Closing(line, i + kFor.size());
        TERN_ASSIGN_OR_RETURN(const int64_t rounds,
                              Rounds(line.substr(i + kFor.size(), close - i - kFor.size())));
        if (line.substr(close, 3) != ") {") return Error("a loop without braces");
        loops_.push_back({rounds, 0, times(), depth_});
        i = close;
      } else if (line[i] == '{') {
        ++depth_;
      } else if (line[i] == '}') {
        --depth_;
        if (loops_.size() > 1 && loops_.back().depth == depth_) Close();
      }
    }
    return absl::OkStatus();
  }

  // Where the parenthesis of a loop's head closes; the line's end for none.
  static size_t Closing(std::string_view line, size_t from) {
    int open = 1;
    for (size_t i = from; i < line.size(); ++i) {
      if (line[i] == '(') ++open;
      if (line[i] == ')' && --open == 0) return i;
    }
    return line.size();
  }

  void Close() {
    const Loop loop = loops_.back();
    loops_.pop_back();
    Loop& around = loops_.back();
    const int64_t all = Min(loop.rounds, loop.inside + 1) + 1;
    around.inside = std::min(around.inside + Min(all, loop.times / around.times), kMany);
  }

  // Of "i = START; i < END; i = i + STEP", "i <= END" or "i > 0; i = i / 2". A start that is not
  // known is taken for 0: none is below.
  absl::StatusOr<int64_t> Rounds(std::string_view head) {
    if (said_) return Bounded(std::exchange(said_, std::nullopt).value());
    const size_t first = head.find(';');
    const size_t second = head.find(';', first + 1);
    const size_t is = head.find('=');
    if (second == std::string_view::npos || is > first) return Error("not the head of a loop");
    const std::string name(Trim(head.substr(0, is)));
    const absl::StatusOr<int64_t> from = Value(Trim(head.substr(is + 1, first - is - 1)));
    const std::string_view condition = Trim(head.substr(first + 1, second - first - 1));
    const std::string_view next = Trim(head.substr(second + 1));
    if (condition == name + " > 0" && next == name + " = " + name + " / 2" && from.ok()) {
      int64_t rounds = 0;
      for (int64_t v = *from; v > 0; v /= 2) ++rounds;
      return rounds;
    }
    const auto inclusive = After(condition, name + " <= ");
    const auto limit = inclusive ? inclusive : After(condition, name + " < ");
    const auto by = After(next, name + " = " + name + " + ");
    if (!limit || !by) return Error("not the head of a loop that can be counted");
    const absl::StatusOr<int64_t> end = Value(*limit), step = Value(*by);
    if (!end.ok() || !step.ok() || *step <= 0)
      return Error("the rounds of this loop are not known: say @rounds");
    const int64_t way = *end + (inclusive ? 1 : 0) - (from.ok() ? *from : 0);
    return Bounded((way + *step - 1) / *step);
  }

  static int64_t Bounded(int64_t rounds) { return std::clamp<int64_t>(rounds, 0, kMany); }

  std::string_view kernel_;
  const Names& names_;
  int number_ = 0, depth_ = 0;
  std::vector<Block> blocks_;
  std::vector<Loop> loops_;
  std::optional<int64_t> said_;  // by @rounds, of the next loop
};

}  // namespace

absl::StatusOr<int64_t> LoopIterations(std::string_view kernel, std::string_view text,
                                       const Names& names) {
  return Reader(kernel, names).Run(text);
}

absl::StatusOr<int64_t> LoopIterations(const std::vector<PlanTensor>& tensors,
                                       const Dispatch& dispatch, int slice_width) {
  const std::string_view text = KernelText(dispatch.kernel);
  if (text.find(kFor) == std::string_view::npos) return 0;
  Names names = {{"W", slice_width}};
  for (const Define& define : dispatch.defines) names[define.name] = define.value;
  for (const Uniform& uniform : dispatch.uniforms) {
    if (!uniform.is_float) names[uniform.name] = uniform.i;
  }
  for (const Binding& b : dispatch.bindings) {
    if (tensors[b.tensor].desc.layout == Layout::kVector) continue;
    names[b.name + "_width"] = b.box.w;
    names[b.name + "_height"] = b.box.h;
    names[b.name + "_batch"] = b.box.b;
    names[b.name + "_channels"] = b.box.c;
    names[b.name + "_slices"] = b.box.slices(slice_width);
  }
  return LoopIterations(KernelName(dispatch.kernel), text, names);
}

}  // namespace tern::gpu
