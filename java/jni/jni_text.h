// SPDX-License-Identifier: Apache-2.0
// Texts and exceptions on their way to Java.
#ifndef TERN_JAVA_JNI_JNI_TEXT_H_
#define TERN_JAVA_JNI_JNI_TEXT_H_

#include <jni.h>

#include <string>
#include <string_view>

namespace tern::java {

inline constexpr char kIllegalArgument[] = "java/lang/IllegalArgumentException";
inline constexpr char kIllegalState[] = "java/lang/IllegalStateException";

// Any bytes: what is no UTF-8 becomes U+FFFD. Null, with an exception pending, without memory.
jstring ToJava(JNIEnv* env, std::string_view text);

// UTF-8 of a Java string that is not null.
std::string FromJava(JNIEnv* env, jstring text);

// Makes the exception pending. The caller returns to Java at once.
void Throw(JNIEnv* env, const char* exception, std::string_view text);

}  // namespace tern::java

#endif  // TERN_JAVA_JNI_JNI_TEXT_H_
