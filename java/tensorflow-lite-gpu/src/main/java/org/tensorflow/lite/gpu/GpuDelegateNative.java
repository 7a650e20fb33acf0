// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.gpu;

import org.tensorflow.lite.LibraryLoader;
import org.tensorflow.lite.TensorFlowLite;

/** Loads the native library of this package. */
final class GpuDelegateNative {
  private static boolean loaded;

  private GpuDelegateNative() {}

  /** @throws UnsatisfiedLinkError if it cannot be loaded */
  static synchronized void init() {
    if (loaded) return;
    TensorFlowLite.init(); // its library has the functions that this one calls
    LibraryLoader.load(
        GpuDelegateNative.class,
        "org/tensorflow/lite/gpu/native",
        "Failed to load native GpuDelegate methods.",
        "tensorflowlite_gpu_jni");
    nativeDoNothing();
    loaded = true;
  }

  private static native void nativeDoNothing();
}
