// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.nio.ByteBuffer;

/**
 * The native half of an interpreter. A session is an address that {@link #delete} ends; a runner belongs to a session, 0
 * stands for the graph itself. Calls on one session must not run at the same time, except {@link #setCancelled}. Methods that
 * give a text give null for success, else what the runtime reported.
 */
final class InterpreterNative {
  private InterpreterNative() {}

  static native long loadFile(String path);

  /** The buffer is direct, and must live as long as the session. */
  static native long loadBuffer(ByteBuffer model);

  static native void build(long session, int numThreads, boolean useNnapi, boolean cancellable);

  static native void apply(long session, long delegate);

  static native void delete(long session);

  static native void allowBufferHandleOutput(long session, boolean allow);

  static native String allocate(long session, long runner);

  static native String resize(long session, long runner, int position, int[] dims);

  static native String invoke(long session, long runner);

  /** On any thread. Runs fail as long as it is set, the one that is going on included. */
  static native void setCancelled(long session, boolean cancelled);

  static native String resetVariables(long session);

  static native int tensorCount(long session, long runner, boolean isOutput);

  static native String[] signatureKeys(long session);

  static native long runner(long session, String key);

  static native String[] signatureTensors(long runner, boolean isOutput);

  static native int graphPosition(long session, long runner, boolean isOutput, int position);
}
