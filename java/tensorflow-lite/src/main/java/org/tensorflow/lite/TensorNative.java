// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.nio.ByteBuffer;

/**
 * The native half of a tensor, which is named by a session, a runner (0: the graph itself), a side and a position. All
 * but {@link #exists} are for tensors that exist.
 */
final class TensorNative {
  private TensorNative() {}

  static native boolean exists(long session, long runner, boolean isOutput, int position);

  static native int index(long session, long runner, boolean isOutput, int position);

  static native int type(long session, long runner, boolean isOutput, int position);

  static native int[] shape(long session, long runner, boolean isOutput, int position);

  static native int[] shapeSignature(long session, long runner, boolean isOutput, int position);

  static native long byteSize(long session, long runner, boolean isOutput, int position);

  static native String name(long session, long runner, boolean isOutput, int position);

  static native float scale(long session, long runner, boolean isOutput, int position);

  static native int zeroPoint(long session, long runner, boolean isOutput, int position);

  static native boolean hasBufferHandle(long session, long runner, boolean isOutput, int position);

  /** The tensor's memory, for as long as tensors are not allocated again; null where it has none. */
  static native ByteBuffer data(long session, long runner, boolean isOutput, int position);

  static native boolean setStrings(long session, long runner, int position, byte[] bytes);
}
