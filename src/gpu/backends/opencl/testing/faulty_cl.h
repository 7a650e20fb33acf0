// SPDX-License-Identifier: Apache-2.0
// For tests: a table of OpenCL functions that counts calls, makes one of them fail, and counts the
// objects that are alive.
#ifndef TERN_GPU_BACKENDS_OPENCL_TESTING_FAULTY_CL_H_
#define TERN_GPU_BACKENDS_OPENCL_TESTING_FAULTY_CL_H_

#include <atomic>
#include <string>
#include <type_traits>

#include "gpu/backends/opencl/cl_library.h"

namespace tern::gpu {

class FaultyCl {
 public:
  // The table calls through to `real`. Call number `fail_at` (from 0, over all functions but
  // releases) returns `code`; -1: none fails. One table at a time.
  static ClFunctions Wrap(const ClFunctions& real, int fail_at, cl_int code) {
    real_ = real;
    fail_at_ = fail_at;
    code_ = code;
    calls_ = 0;
    alive_ = 0;
    failed_.clear();
    ClFunctions table;
#define TERN_CL_WRAP(name) table.name = &Wrapped<&ClFunctions::name, decltype(table.name)>::Call;
    TERN_CL_FUNCTIONS(TERN_CL_WRAP)
#undef TERN_CL_WRAP
    return table;
  }

  static int calls() { return calls_; }
  static int alive() { return alive_; }
  static const std::string& failed() { return failed_; }

 private:
  template <auto Member, typename Function>
  struct Wrapped;

  template <auto Member, typename Result, typename... Args>
  struct Wrapped<Member, Result(CL_API_CALL*)(Args...)> {
    static Result CL_API_CALL Call(Args... args) {
      if constexpr (IsRelease(Member)) {
        --alive_;
        return (real_.*Member)(args...);
      } else {
        if (calls_++ == fail_at_) {
          failed_ = Name(Member);
          return Fail<Result>(args...);
        }
        const Result result = (real_.*Member)(args...);
        (CountEvent(args), ...);
        if constexpr (std::is_pointer_v<Result>) {
          if (result != nullptr) ++alive_;
        }
        return result;
      }
    }
  };

  // The place where a function puts an event.
  template <typename Argument>
  static void CountEvent(Argument argument) {
    if constexpr (std::is_same_v<Argument, cl_event*>) alive_ += argument != nullptr ? 1 : 0;
  }

  // Functions that make objects have the place for their code last.
  template <typename Result, typename First, typename... Rest>
  static Result Fail(First first, Rest... rest) {
    if constexpr (std::is_same_v<Result, cl_int>) {
      return code_;
    } else if constexpr (sizeof...(Rest) == 0) {
      *first = code_;
      return nullptr;
    } else {
      return Fail<Result>(rest...);
    }
  }

  template <typename Member>
  static constexpr bool IsRelease(Member member) {
    bool release = false;
    auto is = [&](auto other) {
      if constexpr (std::is_same_v<Member, decltype(other)>) release = release || member == other;
    };
    is(&ClFunctions::ReleaseContext);
    is(&ClFunctions::ReleaseEvent);
    is(&ClFunctions::ReleaseCommandQueue);
    is(&ClFunctions::ReleaseMemObject);
    is(&ClFunctions::ReleaseProgram);
    is(&ClFunctions::ReleaseKernel);
    return release;
  }

  template <typename Member>
  static std::string Name(Member member) {
    std::string name;
    auto is = [&](const char* text, auto other) {
      if constexpr (std::is_same_v<Member, decltype(other)>) {
        if (member == other) name = text;
      }
    };
#define TERN_CL_NAME(function) is("cl" #function, &ClFunctions::function);
    TERN_CL_FUNCTIONS(TERN_CL_NAME)
#undef TERN_CL_NAME
    return name;
  }

  static inline ClFunctions real_;
  static inline int fail_at_ = -1;
  static inline cl_int code_ = CL_SUCCESS;
  static inline std::atomic<int> calls_ = 0, alive_ = 0;
  static inline std::string failed_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_TESTING_FAULTY_CL_H_
