// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.File;
import java.nio.ByteBuffer;

/** The {@link InterpreterApi} of the runtime in this library, with what that runtime alone can do. */
public final class Interpreter extends InterpreterImpl implements InterpreterApi {
  /** {@link InterpreterApi.Options}, and what this runtime alone has. */
  public static class Options extends InterpreterImpl.Options {
    public Options() {}

    public Options(InterpreterApi.Options options) {
      super(options);
    }

    @Override
    public Options setUseXNNPACK(boolean useXNNPACK) {
      super.setUseXNNPACK(useXNNPACK);
      return this;
    }

    @Override
    public Options setNumThreads(int numThreads) {
      super.setNumThreads(numThreads);
      return this;
    }

    @Override
    public Options setUseNNAPI(boolean useNNAPI) {
      super.setUseNNAPI(useNNAPI);
      return this;
    }

    @Override
    public Options addDelegate(Delegate delegate) {
      super.addDelegate(delegate);
      return this;
    }

    @Override
    public Options addDelegateFactory(DelegateFactory delegateFactory) {
      super.addDelegateFactory(delegateFactory);
      return this;
    }

    @Override
    public Options setCancellable(boolean allow) {
      super.setCancellable(allow);
      return this;
    }

    @Override
    public Options setRuntime(InterpreterApi.Options.TfLiteRuntime runtime) {
      super.setRuntime(runtime);
      return this;
    }

    /** Kept for older programs. The CPU computes floats as floats; the GPU delegate has an option of its own. */
    @Deprecated
    public Options setAllowFp16PrecisionForFp32(boolean allow) {
      return this;
    }

    /** Lets outputs stay in memory of a delegate until they are read. */
    public Options setAllowBufferHandleOutput(boolean allow) {
      allowBufferHandleOutput = allow;
      return this;
    }

    /** Kept for programs that set it: this runtime stores zero points in a form that needs no compression. */
    public Options setCompressQuantizationZeroPoints(boolean compress) {
      compressQuantizationZeroPoints = compress;
      return this;
    }

    public boolean getCompressQuantizationZeroPoints() {
      return compressQuantizationZeroPoints;
    }
  }

  /** As {@link #Interpreter(File, Options)} with the defaults. */
  public Interpreter(File modelFile) {
    this(modelFile, null);
  }

  /**
   * An interpreter of the model in a file; see {@link InterpreterApi#create(File, InterpreterApi.Options)}.
   *
   * @param options null means the defaults
   */
  public Interpreter(File modelFile, Options options) {
    super(modelFile, options);
  }

  /** As {@link #Interpreter(ByteBuffer, Options)} with the defaults. */
  public Interpreter(ByteBuffer byteBuffer) {
    this(byteBuffer, null);
  }

  /**
   * An interpreter of the model in a buffer; see {@link InterpreterApi#create(ByteBuffer, InterpreterApi.Options)}.
   *
   * @param options null means the defaults
   */
  public Interpreter(ByteBuffer byteBuffer, Options options) {
    super(byteBuffer, options);
  }

  /** Sets the variables of the model to zero. */
  public void resetVariableTensors() {
    runtime.resetVariableTensors();
  }

  /**
   * Ends the run that is going on, on any thread, and lets runs fail until it is called with false.
   *
   * @throws IllegalStateException unless {@link InterpreterApi.Options#setCancellable} was set
   */
  public void setCancelled(boolean cancelled) {
    runtime.setCancelled(cancelled);
  }
}
