// SPDX-License-Identifier: Apache-2.0
// UTF-8 and Java's UTF-16.
#include "jni_text.h"

#include <cstdint>
#include <vector>

namespace tern::java {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

// Takes one character off the front.
uint32_t TakeCharacter(std::string_view* text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>((*text)[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
  const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t character = length == 1 ? first : first & (0x7F >> length);
  bool good = first < 0x80 || (first >= 0xC2 && first < 0xF5 && text->size() >= length);
  for (size_t i = 1; good && i < length; ++i) {
    good = byte(i) >> 6 == 2;
    character = character << 6 | (byte(i) & 0x3F);
  }
  good = good && character >= least[length] && character < 0x110000 && character >> 11 != 0x1B;
  text->remove_prefix(good ? length : 1);
  return good ? character : kReplacement;
}

void AppendUtf8(uint32_t c, std::string* out) {
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
  } else if (c < 0x10000) {
    *out += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
             static_cast<char>(0x80 | (c & 0x3F))};
  } else {
    *out += {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3F)),
             static_cast<char>(0x80 | (c >> 6 & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
  }
}

}  // namespace

jstring ToJava(JNIEnv* env, std::string_view text) {
  std::vector<jchar> units;
  units.reserve(text.size());
  while (!text.empty()) {
    const uint32_t character = TakeCharacter(&text);
    if (character < 0x10000) {
      units.push_back(static_cast<jchar>(character));
    } else {
      units.push_back(static_cast<jchar>(0xD7C0 + (character >> 10)));
      units.push_back(static_cast<jchar>(0xDC00 | (character & 0x3FF)));
    }
  }
  return env->NewString(units.data(), static_cast<jsize>(units.size()));
}

std::string FromJava(JNIEnv* env, jstring text) {
  std::vector<jchar> units(env->GetStringLength(text));
  env->GetStringRegion(text, 0, static_cast<jsize>(units.size()), units.data());
  std::string out;
  for (size_t i = 0; i < units.size(); ++i) {
    uint32_t character = units[i];
    const bool high = character >> 10 == 0x36;
    if (high && i + 1 < units.size() && units[i + 1] >> 10 == 0x37) {
      character = 0x10000 + ((character & 0x3FF) << 10) + (units[++i] & 0x3FF);
    } else if (character >> 11 == 0x1B) {
      character = kReplacement;
    }
    AppendUtf8(character, &out);
  }
  return out;
}

void Throw(JNIEnv* env, const char* exception, std::string_view text) {
  if (env->ExceptionCheck() != JNI_FALSE) return;
  const jclass type = env->FindClass(exception);
  if (type == nullptr) return;
  const jmethodID make = env->GetMethodID(type, "<init>", "(Ljava/lang/String;)V");
  const jstring message = make == nullptr ? nullptr : ToJava(env, text);
  if (message == nullptr) return;
  const auto thrown = static_cast<jthrowable>(env->NewObject(type, make, message));
  if (thrown != nullptr) env->Throw(thrown);
}

}  // namespace tern::java
