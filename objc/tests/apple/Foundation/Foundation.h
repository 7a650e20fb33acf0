// SPDX-License-Identifier: Apache-2.0
// Just enough of Foundation's names, as Apple declares them, for a compiler without Apple's headers
// to check ours.
#ifndef TERN_OBJC_TESTS_APPLE_FOUNDATION_H_
#define TERN_OBJC_TESTS_APPLE_FOUNDATION_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define FOUNDATION_EXPORT extern "C"
#else
#define FOUNDATION_EXPORT extern
#endif
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_ENUM(type, name)                                        \
  enum __attribute__((enum_extensibility(open))) name : type name; \
  enum name : type
#define NS_UNAVAILABLE __attribute__((unavailable))
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#define NS_FORMAT_FUNCTION(text, first) __attribute__((format(__NSString__, text, first)))
#define YES __objc_yes
#define NO __objc_no
#define nil NULL

typedef bool BOOL;
typedef signed long NSInteger;
typedef unsigned long NSUInteger;

// As Apple's, these two say nothing of nil.
@protocol NSObject
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)isEqual:(id)object;
- (Class)class;
#if !__has_feature(objc_arc)
- (instancetype)retain;
- (instancetype)autorelease;
- (oneway void)release;
#endif
@end

__attribute__((objc_root_class))
@interface NSObject<NSObject> {
  Class isa;
}
+ (instancetype)alloc;
+ (instancetype)new;
+ (Class)class;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (id)copy;
- (void)dealloc;
@end

NS_ASSUME_NONNULL_BEGIN

@class NSString;
typedef NSString *NSErrorDomain;
typedef struct _NSZone NSZone;
typedef struct {
  unsigned long state;
  id __unsafe_unretained _Nullable *_Nullable itemsPtr;
  unsigned long *_Nullable mutationsPtr;
  unsigned long extra[5];
} NSFastEnumerationState;

@protocol NSCopying
@end
@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)count;
@end

@interface NSCharacterSet : NSObject
@property(class, readonly, copy) NSCharacterSet *whitespaceAndNewlineCharacterSet;
@end

typedef NSUInteger NSStringEncoding;
enum : NSStringEncoding { NSUTF8StringEncoding = 4, NSISOLatin1StringEncoding = 5 };

@interface NSString : NSObject <NSCopying>
@property(readonly) NSUInteger length;
@property(nullable, readonly) const char *UTF8String;
+ (nullable instancetype)stringWithUTF8String:(const char *)text;
+ (nullable instancetype)stringWithCString:(const char *)text encoding:(NSStringEncoding)encoding;
+ (instancetype)stringWithFormat:(NSString *)format, ... NS_FORMAT_FUNCTION(1, 2);
- (instancetype)initWithFormat:(NSString *)format arguments:(va_list)arguments;
- (NSUInteger)lengthOfBytesUsingEncoding:(NSStringEncoding)encoding;
- (NSString *)stringByAppendingString:(NSString *)text;
- (NSString *)stringByTrimmingCharactersInSet:(NSCharacterSet *)set;
@end

@interface NSMutableString : NSString
- (void)appendString:(NSString *)text;
- (void)setString:(NSString *)text;
@end

@interface NSValue : NSObject <NSCopying>
+ (NSValue *)valueWithPointer:(nullable const void *)pointer;
@end

@interface NSNumber : NSValue
@property(readonly) double doubleValue;
@property(readonly) long long longLongValue;
+ (NSNumber *)numberWithInt:(int)value;
@end

@interface NSData : NSObject
@property(readonly) NSUInteger length;
@property(readonly) const void *bytes;
+ (instancetype)data;
+ (instancetype)dataWithBytesNoCopy:(void *)bytes length:(NSUInteger)length freeWhenDone:(BOOL)free;
@end

@interface NSArray<__covariant ObjectType> : NSObject <NSCopying, NSFastEnumeration>
@property(readonly) NSUInteger count;
- (ObjectType)objectAtIndex:(NSUInteger)index;
- (BOOL)containsObject:(ObjectType)object;
- (NSString *)componentsJoinedByString:(NSString *)separator;
@end

@interface NSArray <ObjectType>(Literals)
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                           count:(NSUInteger)count;
@end

@interface NSMutableArray<ObjectType> : NSArray <ObjectType>
+ (instancetype)arrayWithCapacity:(NSUInteger)count;
+ (instancetype)arrayWithObject:(ObjectType)object;
- (void)addObject:(ObjectType)object;
@end

@interface NSSet<__covariant ObjectType> : NSObject <NSFastEnumeration>
- (BOOL)intersectsSet:(NSSet<ObjectType> *)other;
@end

@interface NSMutableSet<ObjectType> : NSSet <ObjectType>
+ (instancetype)set;
- (void)addObject:(ObjectType)object;
@end

@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)dictionaryWithObject:(ObjectType)object forKey:(KeyType)key;
- (nullable ObjectType)objectForKey:(KeyType)key;
@end

@interface NSMutableDictionary<KeyType, ObjectType> : NSDictionary <KeyType, ObjectType>
+ (instancetype)dictionary;
- (void)setObject:(ObjectType)object forKey:(KeyType)key;
@end

FOUNDATION_EXPORT NSString *const NSLocalizedDescriptionKey;

@interface NSError : NSObject
@property(readonly, copy) NSErrorDomain domain;
@property(readonly) NSInteger code;
@property(readonly, copy) NSString *localizedDescription;
+ (instancetype)errorWithDomain:(NSErrorDomain)domain
                           code:(NSInteger)code
                       userInfo:(nullable NSDictionary<NSString *, id> *)info;
@end

FOUNDATION_EXPORT NSString *NSStringFromClass(Class aClass);
FOUNDATION_EXPORT void NSLog(NSString *format, ...) NS_FORMAT_FUNCTION(1, 2);

NS_ASSUME_NONNULL_END

#endif  // TERN_OBJC_TESTS_APPLE_FOUNDATION_H_
