// SPDX-License-Identifier: Apache-2.0
#include "metal/standin_runtime.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace tern::metal_standin {

struct Class : Object {
  explicit Class(std::string text) : Object(nullptr), name(std::move(text)) {}
  struct Row {
    void (*function)() = nullptr;
    std::string encoding;
  };
  const std::string name;
  std::map<Sel, Row> methods, class_methods;
};

namespace {

constexpr size_t kRemembered = 4096;  // objects that are gone

struct Runtime {
  std::recursive_mutex mutex;
  std::map<std::string, std::unique_ptr<std::string>> selectors;
  std::map<std::string, Class*> classes;
  std::set<const Object*> alive, gone;
  std::deque<Object*> oldest_gone;
};

// Never destroyed: threads may still run when the process ends.
Runtime& The() {
  static auto* const runtime = new Runtime;
  return *runtime;
}

Sel Register(const char* name) {
  Runtime& r = The();
  const std::lock_guard lock(r.mutex);
  std::unique_ptr<std::string>& known = r.selectors[name];
  if (known == nullptr) known = std::make_unique<std::string>(name);
  return reinterpret_cast<Sel>(known.get());
}

Class* ClassNamed(const std::string& name) {
  Runtime& r = The();
  const std::lock_guard lock(r.mutex);
  Class*& known = r.classes[name];
  if (known == nullptr) known = new Class(name);
  return known;
}

Id GetClass(const char* name) {
  Runtime& r = The();
  const std::lock_guard lock(r.mutex);
  const auto found = r.classes.find(name);
  return found == r.classes.end() ? nullptr : IdOf(found->second);
}

using Pool = std::vector<Object*>;
thread_local std::vector<std::unique_ptr<Pool>> pools;

void* PushPool() {
  pools.push_back(std::make_unique<Pool>());
  return pools.back().get();
}

void PopPool(void* pool) {
  if (pools.empty() || pools.back().get() != pool) Fail("pools end in another order than begun");
  const std::unique_ptr<Pool> last = std::move(pools.back());
  pools.pop_back();
  for (Object* object : *last) Release(IdOf(object));
}

// Retain and release of one object may happen on several threads.
void LetGo(Object* object) {
  object->End();
  Runtime& r = The();
  const std::lock_guard lock(r.mutex);
  r.alive.erase(object);
  r.gone.insert(object);
  r.oldest_gone.push_back(object);
  if (r.oldest_gone.size() <= kRemembered) return;
  r.gone.erase(r.oldest_gone.front());
  delete r.oldest_gone.front();
  r.oldest_gone.pop_front();
}

}  // namespace

void Fail(const std::string& rule) {
  std::fprintf(stderr, "Metal stand-in: %s\n", rule.c_str());
  std::fflush(stderr);
  std::abort();
}

Object::Object(const char* class_name)
    : isa(class_name == nullptr ? nullptr : ClassNamed(class_name)) {
  Runtime& r = The();
  const std::lock_guard lock(r.mutex);
  r.gone.erase(this);
  if (class_name != nullptr) r.alive.insert(this);
}

Object* Alive(Id id) {
  auto* const object = reinterpret_cast<Object*>(id);
  if (object == nullptr) Fail("nil, where an object is needed");
  Runtime& r = The();
  const std::lock_guard lock(r.mutex);
  if (r.alive.count(object) != 0) return object;
  if (r.gone.count(object) != 0) Fail("use of a " + object->isa->name + " after its release");
  for (const auto& [name, one] : r.classes) {
    if (one == object) return object;
  }
  Fail("a pointer to something that is no object");
}

Id Retain(Id id) {
  ++Alive(id)->references;
  return id;
}

void Release(Id id) {
  Object* const object = Alive(id);
  if (--object->references == 0) LetGo(object);
}

Id Autorelease(Object* object) {
  if (pools.empty()) Fail("an object for the innermost pool, and there is no pool");
  pools.back()->push_back(object);
  return IdOf(object);
}

void AddMethod(const char* class_name, const char* selector, const std::string& encoding,
               void (*function)(), bool of_class) {
  Class* const isa = ClassNamed(class_name);
  (of_class ? isa->class_methods : isa->methods)[Register(selector)] = {function, encoding};
}

std::string EncodingOf(const std::string& class_name, const std::string& selector) {
  const Class* const isa = ClassNamed(class_name);
  const Sel name = Register(selector.c_str());
  for (const auto* methods : {&isa->methods, &isa->class_methods}) {
    const auto found = methods->find(name);
    if (found != methods->end()) return found->second.encoding;
  }
  return "";
}

bool HasMethod(const Class* isa, Sel selector) { return isa->methods.count(selector) != 0; }

const char* NameOf(Sel selector) { return reinterpret_cast<const std::string*>(selector)->c_str(); }

long LiveObjects() {
  Runtime& r = The();
  const std::lock_guard lock(r.mutex);
  return static_cast<long>(r.alive.size());
}

}  // namespace tern::metal_standin

// The method that a message calls.
extern "C" void* tern_standin_find(tern::gpu::Id receiver, tern::gpu::Sel selector) {
  using namespace tern::metal_standin;
  if (receiver == nullptr) Fail(std::string("message ") + NameOf(selector) + " to nil");
  const Object* const object = Alive(receiver);
  const auto* const as_class = dynamic_cast<const Class*>(object);
  const Class* const isa = as_class != nullptr ? as_class : object->isa;
  const auto& methods = as_class != nullptr ? isa->class_methods : isa->methods;
  const auto found = methods.find(selector);
  if (found == methods.end()) Fail(isa->name + " has no method " + NameOf(selector));
  return reinterpret_cast<void*>(found->second.function);
}

// Keeps all registers that may carry arguments, and goes on at what was found.
#if defined(__x86_64__)
asm(R"(
.text
.globl tern_standin_msg_send
.type tern_standin_msg_send, @function
tern_standin_msg_send:
  pushq %rbp
  movq %rsp, %rbp
  subq $192, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movups %xmm0, 48(%rsp)
  movups %xmm1, 64(%rsp)
  movups %xmm2, 80(%rsp)
  movups %xmm3, 96(%rsp)
  movups %xmm4, 112(%rsp)
  movups %xmm5, 128(%rsp)
  movups %xmm6, 144(%rsp)
  movups %xmm7, 160(%rsp)
  call tern_standin_find@PLT
  movq %rax, %r11
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movups 48(%rsp), %xmm0
  movups 64(%rsp), %xmm1
  movups 80(%rsp), %xmm2
  movups 96(%rsp), %xmm3
  movups 112(%rsp), %xmm4
  movups 128(%rsp), %xmm5
  movups 144(%rsp), %xmm6
  movups 160(%rsp), %xmm7
  leave
  jmp *%r11
.size tern_standin_msg_send, .-tern_standin_msg_send
.section .note.GNU-stack,"",@progbits
.text
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl tern_standin_msg_send
.type tern_standin_msg_send, %function
tern_standin_msg_send:
  stp x29, x30, [sp, #-16]!
  mov x29, sp
  sub sp, sp, #208
  stp x0, x1, [sp, #0]
  stp x2, x3, [sp, #16]
  stp x4, x5, [sp, #32]
  stp x6, x7, [sp, #48]
  str x8, [sp, #64]
  stp q0, q1, [sp, #80]
  stp q2, q3, [sp, #112]
  stp q4, q5, [sp, #144]
  stp q6, q7, [sp, #176]
  bl tern_standin_find
  mov x16, x0
  ldp x0, x1, [sp, #0]
  ldp x2, x3, [sp, #16]
  ldp x4, x5, [sp, #32]
  ldp x6, x7, [sp, #48]
  ldr x8, [sp, #64]
  ldp q0, q1, [sp, #80]
  ldp q2, q3, [sp, #112]
  ldp q4, q5, [sp, #144]
  ldp q6, q7, [sp, #176]
  mov sp, x29
  ldp x29, x30, [sp], #16
  br x16
.size tern_standin_msg_send, .-tern_standin_msg_send
.section .note.GNU-stack,"",%progbits
.text
)");
#else
#error "the stand-in sends messages on x86-64 and on arm64"
#endif
extern "C" void tern_standin_msg_send();

namespace tern::metal_standin {

gpu::ObjcFunctions RuntimeFunctions() {
  gpu::ObjcFunctions functions;
  functions.msg_send = tern_standin_msg_send;
  functions.get_class = GetClass;
  functions.register_name = Register;
  functions.retain = Retain;
  functions.release = Release;
  functions.push_pool = PushPool;
  functions.pop_pool = PopPool;
  return functions;
}

}  // namespace tern::metal_standin
