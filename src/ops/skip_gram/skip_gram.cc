// SPDX-License-Identifier: Apache-2.0
// SKIP_GRAM: a text (STRING) -> its n-grams, words in their order joined by spaces, of which each
// leaves out at most max_skip_size words after the one before it.
#include <cctype>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/strings.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Splits a text into words at white space. The first character is always part of a piece, and a
// piece that begins with white space is no word unless it ends the text: so the reference has it.
std::vector<tflite::StringRef> WordsOf(tflite::StringRef text) {
  std::vector<tflite::StringRef> words;
  size_t begin = 0;
  for (size_t i = 1; i < text.len; ++i) {
    if (!IsSpace(text.str[i])) continue;
    if (i > begin && !IsSpace(text.str[begin])) words.push_back({text.str + begin, i - begin});
    begin = i + 1;
  }
  if (begin < text.len) words.push_back({text.str + begin, text.len - begin});
  return words;
}

// Few words make very many n-grams where many may be skipped.
constexpr size_t kMaxCharacters = size_t{1} << 28;

struct Rule {
  int64_t longest;  // words of an n-gram
  int64_t reach;    // the farthest place of a word after the one before it
  bool shorter;     // n-grams of fewer words, too
};

// Adds the n-grams that begin with words[first]: each after those that go on from it.
Status AddGrams(const std::vector<tflite::StringRef>& words, size_t first, const Rule& rule,
                tflite::DynamicBuffer& grams) {
  struct Choice {
    size_t word, next;  // a word of the n-gram, and the one to try after it
  };
  std::vector<Choice> chosen = {{first, first + 1}};
  std::string text;
  while (!chosen.empty()) {
    Choice& last = chosen.back();
    const bool full = static_cast<int64_t>(chosen.size()) == rule.longest;
    if (!full && last.next < words.size() &&
        static_cast<int64_t>(last.next - last.word) <= rule.reach) {
      const size_t word = last.next++;
      chosen.push_back({word, word + 1});
      continue;
    }
    if (full || rule.shorter) {
      text.clear();
      for (const Choice& choice : chosen) {
        if (!text.empty()) text += ' ';
        text.append(words[choice.word].str, words[choice.word].len);
      }
      if (grams.AddString(text.data(), text.size()) != kTfLiteOk) {
        return TooLarge("the n-grams are too long together (limit ", kMaxCharacters,
                        " characters)");
      }
    }
    chosen.pop_back();
  }
  return OkStatus();
}

class SkipGram : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SKIP_GRAM"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteString, "text"));
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteString, "output"));
    MakeDynamic(call.output(0));
    return OkStatus();
  }

  Status Eval(const OpCall& call) override {
    const auto& params = call.params<TfLiteSkipGramParams>();
    TERN_RETURN_IF_ERROR(CheckStrings(call.input(0), "text"));
    if (Elements(call.input(0)) < 1) return Invalid("there is no text (0 strings)");
    const std::vector<tflite::StringRef> words = WordsOf(tflite::GetString(call.input(0), 0));
    const Rule rule = {params.ngram_size, int64_t{params.max_skip_size} + 1,
                       params.include_all_ngrams};
    tflite::DynamicBuffer grams(kMaxCharacters);
    if (rule.longest > 0 && static_cast<int64_t>(words.size()) >= rule.longest) {
      for (size_t first = 0; first < words.size(); ++first) {
        TERN_RETURN_IF_ERROR(AddGrams(words, first, rule, grams));
      }
    }
    grams.WriteToTensorAsVector(call.output(0));
    if (call.output(0)->data.raw == nullptr) return TooLarge("the n-grams do not fit memory");
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration SkipGramRegistration(OpForm form) { return MakeRegistration<SkipGram>(form); }

}  // namespace tern
