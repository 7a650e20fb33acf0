// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.gpu;

import org.tensorflow.lite.Delegate;

/**
 * Runs models on the GPU. One delegate serves any number of interpreters, which may be on several threads; where there is
 * no GPU, an interpreter with it cannot be made.
 *
 * <p>Close it after the interpreters that use it. Those that are open when it is closed go on; a resize ends them on the
 * CPU.
 */
public class GpuDelegate implements Delegate {
  /** The options by their older name. */
  @Deprecated
  public static class Options extends GpuDelegateFactory.Options {}

  private long handle;

  /** A delegate with the defaults. */
  public GpuDelegate() {
    this(new GpuDelegateFactory.Options());
  }

  /**
   * A delegate with options, which are copied.
   *
   * @throws IllegalArgumentException for a value that no option has
   * @throws UnsatisfiedLinkError if the native library cannot be loaded
   */
  public GpuDelegate(GpuDelegateFactory.Options options) {
    if (options == null) throw new NullPointerException("The options of a GpuDelegate are null.");
    GpuDelegateNative.init();
    GpuDelegateFactory.Options.GpuBackend backend = options.getForceBackend();
    handle =
        createDelegate(
            options.isPrecisionLossAllowed(),
            options.areQuantizedModelsAllowed(),
            options.getInferencePreference(),
            options.getSerializationDir(),
            options.getModelToken(),
            backend == null ? GpuDelegateFactory.Options.GpuBackend.UNSET.value() : backend.value());
    if (handle == 0) {
      throw new IllegalArgumentException(
          "No GPU delegate has the options given: inference preference " + options.getInferencePreference() + ".");
    }
  }

  @Override
  public synchronized long getNativeHandle() {
    return handle;
  }

  @Override
  public synchronized void close() {
    if (handle == 0) return;
    deleteDelegate(handle);
    handle = 0;
  }

  private static native long createDelegate(
      boolean precisionLossAllowed,
      boolean quantizedModelsAllowed,
      int preference,
      String serializationDir,
      String modelToken,
      int forceBackend);

  private static native void deleteDelegate(long handle);
}
