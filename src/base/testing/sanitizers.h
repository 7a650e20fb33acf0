// SPDX-License-Identifier: Apache-2.0
// Which sanitizers a test is built with. GCC defines a name, clang answers a question.
#ifndef TERN_BASE_TESTING_SANITIZERS_H_
#define TERN_BASE_TESTING_SANITIZERS_H_

#if !defined(__has_feature)
#define __has_feature(feature) 0
#endif

namespace tern::testing {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace tern::testing

#endif  // TERN_BASE_TESTING_SANITIZERS_H_
