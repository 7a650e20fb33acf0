// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.gpu;

import org.tensorflow.lite.Delegate;
import org.tensorflow.lite.DelegateFactory;
import org.tensorflow.lite.RuntimeFlavor;

/** Makes {@link GpuDelegate}s for the runtime that an interpreter runs on, which owns them. */
public class GpuDelegateFactory implements DelegateFactory {
  /** The options of a GPU delegate. */
  public static class Options {
    /** Few runs: start quickly. */
    public static final int INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER = 0;

    /** Many runs: tune well. */
    public static final int INFERENCE_PREFERENCE_SUSTAINED_SPEED = 1;

    /** The API that the delegate runs on. */
    public enum GpuBackend {
      /** OpenCL, or OpenGL ES where that is missing or takes more of the model. */
      UNSET(0),
      /** OpenCL or nothing. */
      OPENCL(1),
      /** OpenGL ES or nothing. */
      OPENGL(2);

      private final int value;

      GpuBackend(int value) {
        this.value = value;
      }

      public int value() {
        return value;
      }
    }

    private boolean precisionLossAllowed = true;
    private boolean quantizedModelsAllowed = true;
    private int inferencePreference = INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER;
    private String serializationDir;
    private String modelToken;
    private GpuBackend forceBackend = GpuBackend.UNSET;

    public Options() {}

    /** Whether half precision may be used, which is faster. On unless set, other than in C and C++. */
    public Options setPrecisionLossAllowed(boolean precisionLossAllowed) {
      this.precisionLossAllowed = precisionLossAllowed;
      return this;
    }

    public boolean isPrecisionLossAllowed() {
      return precisionLossAllowed;
    }

    /** Whether models of 8 and 16 bits run on the GPU, where they are seen as floats. On unless set. */
    public Options setQuantizedModelsAllowed(boolean quantizedModelsAllowed) {
      this.quantizedModelsAllowed = quantizedModelsAllowed;
      return this;
    }

    public boolean areQuantizedModelsAllowed() {
      return quantizedModelsAllowed;
    }

    /** One of the constants of this class. */
    public Options setInferencePreference(int preference) {
      inferencePreference = preference;
      return this;
    }

    public int getInferencePreference() {
      return inferencePreference;
    }

    /**
     * Keeps prepared programs for the next start, unless one of the two is null.
     *
     * @param serializationDir a folder that the application alone may write
     * @param modelToken a name for the model that changes with it
     */
    public Options setSerializationParams(String serializationDir, String modelToken) {
      this.serializationDir = serializationDir;
      this.modelToken = modelToken;
      return this;
    }

    public String getSerializationDir() {
      return serializationDir;
    }

    public String getModelToken() {
      return modelToken;
    }

    /** Holds the delegate to one API. */
    public Options setForceBackend(GpuBackend forceBackend) {
      this.forceBackend = forceBackend;
      return this;
    }

    public GpuBackend getForceBackend() {
      return forceBackend;
    }
  }

  private final Options options;

  public GpuDelegateFactory() {
    this(new Options());
  }

  public GpuDelegateFactory(Options options) {
    this.options = options;
  }

  /** @throws IllegalStateException if this runtime has no GPU delegate here */
  @Override
  public Delegate create(RuntimeFlavor runtimeFlavor) {
    String name =
        runtimeFlavor == RuntimeFlavor.SYSTEM
            ? "com.google.android.gms.tflite.gpu.GpuDelegate"
            : "org.tensorflow.lite.gpu.GpuDelegate";
    try {
      return (Delegate) Class.forName(name).getConstructor(Options.class).newInstance(options);
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException("Error creating GPU delegate (" + runtimeFlavor + ": " + name + ")", error);
    }
  }
}
