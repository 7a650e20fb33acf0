// SPDX-License-Identifier: Apache-2.0
// The functions that Abseil's time zones ask of Core Foundation, for a check where no SDK of Apple
// is: declarations as in Apple's documentation. The program that is linked with them is not run.
#ifndef TERN_TESTS_APPLE_HEADERS_COREFOUNDATION_CFTIMEZONE_H_
#define TERN_TESTS_APPLE_HEADERS_COREFOUNDATION_CFTIMEZONE_H_

#ifdef __cplusplus
extern "C" {
#endif
typedef const void* CFTypeRef;
typedef const struct __CFString* CFStringRef;
typedef const struct __CFTimeZone* CFTimeZoneRef;
typedef long CFIndex;
typedef unsigned int CFStringEncoding;
typedef unsigned char Boolean;
enum { kCFStringEncodingUTF8 = 0x08000100 };
CFTimeZoneRef CFTimeZoneCopyDefault(void);
CFStringRef CFTimeZoneGetName(CFTimeZoneRef zone);
CFIndex CFStringGetLength(CFStringRef string);
CFIndex CFStringGetMaximumSizeForEncoding(CFIndex length, CFStringEncoding encoding);
Boolean CFStringGetCString(CFStringRef string, char* buffer, CFIndex size,
                           CFStringEncoding encoding);
void CFRelease(CFTypeRef object);
#ifdef __cplusplus
}
#endif

#endif  // TERN_TESTS_APPLE_HEADERS_COREFOUNDATION_CFTIMEZONE_H_
