// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.gpu;

import java.io.Closeable;

/**
 * Tells whether the GPU delegate can be trusted with the drivers of this device. There is no list of devices behind it:
 * OpenCL, or else OpenGL ES 3.1 or newer, must open and give the right numbers for four small kernels. Each question
 * opens a context of its own and closes it; the kernels run once in a process for each version of a driver. Any thread
 * may ask.
 */
public class CompatibilityList implements Closeable {
  private boolean closed;

  /** @throws UnsatisfiedLinkError if the native library cannot be loaded */
  public CompatibilityList() {
    GpuDelegateNative.init();
  }

  /**
   * Whether the GPU delegate works here. A driver that is missing or fails means no, and never an exception.
   *
   * @throws IllegalStateException after {@link #close}
   */
  public synchronized boolean isDelegateSupportedOnThisDevice() {
    if (closed) throw new IllegalStateException("Trying to query a closed compatibilityList.");
    return nativeIsDelegateSupportedOnThisDevice();
  }

  /** Options for this device: the defaults, as every choice that depends on the device is made by the delegate. */
  @SuppressWarnings("deprecation") // programs name this type
  public GpuDelegate.Options getBestOptionsForThisDevice() {
    return new GpuDelegate.Options();
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private static native boolean nativeIsDelegateSupportedOnThisDevice();
}
