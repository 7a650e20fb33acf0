// SPDX-License-Identifier: Apache-2.0
// Drivers that compile in this process (LLVM in PoCL and Mesa) put handlers of their own in the
// place of the JVM's, which then dies of the null checks that it makes by SIGSEGV.
#ifndef TERN_JAVA_JNI_SIGNAL_KEEPER_H_
#define TERN_JAVA_JNI_SIGNAL_KEEPER_H_

// One state for both libraries of the Java API, in tensorflowlite_jni: a thread that enters while
// another is inside must not take a driver's handlers for the JVM's.
extern "C" void TfLiteJavaEnterDriver(void);
extern "C" void TfLiteJavaLeaveDriver(void);

namespace tern::java {

// At its end the signals have the handlers that they had when the first thread entered.
class SignalKeeper {
 public:
  SignalKeeper() { TfLiteJavaEnterDriver(); }
  ~SignalKeeper() { TfLiteJavaLeaveDriver(); }
  SignalKeeper(const SignalKeeper&) = delete;
  SignalKeeper& operator=(const SignalKeeper&) = delete;
};

}  // namespace tern::java

#endif  // TERN_JAVA_JNI_SIGNAL_KEEPER_H_
