// SPDX-License-Identifier: Apache-2.0
// A stand-in for Apple's Objective-C runtime, for tests: objects with counted references, classes
// with methods, pools, and objc_msgSend by the C ABI of this processor. It is as strict as the
// validation layer of Metal: whoever breaks a rule ends the process with one line about it.
#ifndef TERN_TESTS_METAL_STANDIN_RUNTIME_H_
#define TERN_TESTS_METAL_STANDIN_RUNTIME_H_

#include <atomic>
#include <string>

#include "gpu/backends/metal/metal_messages.h"

namespace tern::metal_standin {

using gpu::Id;
using gpu::Integer;
using gpu::MetalSize;
using gpu::Sel;
using gpu::UInteger;

[[noreturn]] void Fail(const std::string& rule);

struct Class;

// The header of every object. Its memory stays readable for a while after its last reference went,
// so that a message to it is found.
struct Object {
  explicit Object(const char* class_name);
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  // Gives back all that the object holds; its last reference is gone.
  virtual void End() {}

  const Class* const isa;
  std::atomic<long> references{1};
};

inline Id IdOf(const Object* object) { return reinterpret_cast<Id>(const_cast<Object*>(object)); }
// The object behind a pointer that a caller has; ends the process where it is none, or gone.
Object* Alive(Id id);
template <class T>
T* As(Id id) {
  T* const object = dynamic_cast<T*>(Alive(id));
  if (object == nullptr) Fail("an object of another class was expected");
  return object;
}

Id Retain(Id id);
void Release(Id id);
// Gives a reference to the innermost pool of the thread; ends the process where there is none.
Id Autorelease(Object* object);

// Adds a method to a class, or to the class object itself. The function gets the receiver and the
// selector first.
void AddMethod(const char* class_name, const char* selector, const std::string& encoding,
               void (*function)(), bool of_class);
template <class Self, class Result, class... Arguments>
void Method(const char* class_name, const char* selector,
            Result (*function)(Self, Sel, Arguments...)) {
  AddMethod(class_name, selector, gpu::ObjcMessage<Result(Arguments...)>::Encoding(),
            reinterpret_cast<void (*)()>(function), false);
}
template <class Result, class... Arguments>
void ClassMethod(const char* class_name, const char* selector,
                 Result (*function)(Id, Sel, Arguments...)) {
  AddMethod(class_name, selector, gpu::ObjcMessage<Result(Arguments...)>::Encoding(),
            reinterpret_cast<void (*)()>(function), true);
}

// The types of a method, empty where the class has none such.
std::string EncodingOf(const std::string& class_name, const std::string& selector);
bool HasMethod(const Class* isa, Sel selector);
const char* NameOf(Sel selector);

// Objects that are alive, those of Foundation included.
long LiveObjects();

// The table that a Metal device is opened with; create_device is left open.
gpu::ObjcFunctions RuntimeFunctions();

}  // namespace tern::metal_standin

#endif  // TERN_TESTS_METAL_STANDIN_RUNTIME_H_
