// SPDX-License-Identifier: Apache-2.0
// For tests: a table of Vulkan functions that counts calls and makes one of them fail.
#ifndef TERN_GPU_BACKENDS_VULKAN_TESTING_FAULTY_VK_H_
#define TERN_GPU_BACKENDS_VULKAN_TESTING_FAULTY_VK_H_

#include <atomic>
#include <string>
#include <type_traits>

#include "gpu/backends/vulkan/vk_library.h"

namespace tern::gpu {

class FaultyVk {
 public:
  // The table calls through to `real`. Call number `fail_at` (from 0, over all functions with a
  // result) is not made and returns `code`; -1: none fails. One table at a time.
  static VulkanFunctions Wrap(const VulkanFunctions& real, int fail_at, VkResult code) {
    real_ = real;
    fail_at_ = fail_at;
    code_ = code;
    calls_ = 0;
    submissions_ = 0;
    failed_.clear();
    VulkanFunctions table;
#define TERN_VK_WRAP(name) \
  table.name = &Wrapped<&VulkanFunctions::name, decltype(table.name)>::Call;
    TERN_VK_FUNCTIONS(TERN_VK_WRAP)
#undef TERN_VK_WRAP
    return table;
  }

  static int calls() { return calls_; }
  static int submissions() { return submissions_; }
  static const std::string& failed() { return failed_; }

 private:
  template <auto kMember, typename Function>
  struct Wrapped;

  template <auto kMember, typename Result, typename... Args>
  struct Wrapped<kMember, Result(VKAPI_PTR*)(Args...)> {
    static VKAPI_ATTR Result VKAPI_CALL Call(Args... args) {
      if constexpr (std::is_same_v<Result, VkResult>) {
        if (calls_++ == fail_at_) {
          failed_ = Name(kMember);
          // The work ends all the same: what it uses may go then.
          if constexpr (std::is_same_v<decltype(kMember),
                                       decltype(&VulkanFunctions::WaitForFences)>) {
            (void)(real_.*kMember)(args...);
          }
          return code_;
        }
        if constexpr (std::is_same_v<decltype(kMember), decltype(&VulkanFunctions::QueueSubmit)>) {
          if (kMember == &VulkanFunctions::QueueSubmit) ++submissions_;
        }
      }
      return (real_.*kMember)(args...);
    }
  };

  template <typename Member>
  static std::string Name(Member member) {
    std::string name;
    auto is = [&](const char* text, auto other) {
      if constexpr (std::is_same_v<Member, decltype(other)>) {
        if (member == other) name = text;
      }
    };
#define TERN_VK_NAME(function) is("vk" #function, &VulkanFunctions::function);
    TERN_VK_FUNCTIONS(TERN_VK_NAME)
#undef TERN_VK_NAME
    return name;
  }

  static inline VulkanFunctions real_;
  static inline int fail_at_ = -1;
  static inline VkResult code_ = VK_SUCCESS;
  static inline std::atomic<int> calls_ = 0, submissions_ = 0;
  static inline std::string failed_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_TESTING_FAULTY_VK_H_
