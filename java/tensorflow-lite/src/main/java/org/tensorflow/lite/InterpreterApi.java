// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.tensorflow.lite.acceleration.ValidatedAccelerationConfig;

/**
 * Runs a model. Tensors are allocated when it is made, so that shapes and types can be asked for at once.
 *
 * <p>Inputs and outputs are arrays of any rank, boxed scalars (inputs alone), or buffers:
 *
 * <table>
 *   <caption>Java objects by type of tensor</caption>
 *   <tr><td>FLOAT32</td><td>{@code float...[]}, {@code Float}, {@code FloatBuffer}, {@code ByteBuffer}</td></tr>
 *   <tr><td>INT32</td><td>{@code int...[]}, {@code Integer}, {@code IntBuffer}, {@code ByteBuffer}</td></tr>
 *   <tr><td>INT64</td><td>{@code long...[]}, {@code Long}, {@code LongBuffer}, {@code ByteBuffer}</td></tr>
 *   <tr><td>INT16</td><td>{@code short...[]}, {@code Short}, {@code ShortBuffer}, {@code ByteBuffer}</td></tr>
 *   <tr><td>UINT8, INT8</td><td>{@code byte...[]}, {@code Byte}, {@code ByteBuffer}</td></tr>
 *   <tr><td>BOOL</td><td>{@code boolean...[]}, {@code Boolean}, {@code ByteBuffer}</td></tr>
 *   <tr><td>STRING</td><td>{@code String...[]}, {@code String}; {@code byte...[]}, whose last dimension is one string</td></tr>
 * </table>
 *
 * <p>An input that is an array or a scalar of another shape resizes its tensor; a buffer never does. Direct buffers in
 * native order are copied once, from their start; an output buffer is filled from its position on.
 *
 * <p>An interpreter is meant for one thread at a time; calls from several wait for each other. All methods throw
 * {@link IllegalStateException} after {@link #close}.
 */
public interface InterpreterApi extends AutoCloseable {
  /** How an interpreter is made. */
  class Options {
    /** Which runtime an interpreter is made by. */
    public enum TfLiteRuntime {
      /** The one that the application brings, which is this library. */
      FROM_APPLICATION_ONLY,
      /** The one of the system. */
      FROM_SYSTEM_ONLY,
      /** The one of the system, or the application's where the system has none. */
      PREFER_SYSTEM_OVER_APPLICATION
    }

    private TfLiteRuntime runtime = TfLiteRuntime.FROM_APPLICATION_ONLY;
    private int numThreads = -1;
    private boolean useNnapi;
    private boolean cancellable;
    private boolean useXnnpack = true;
    private ValidatedAccelerationConfig accelerationConfig;
    private final List<Delegate> delegates;
    private final List<DelegateFactory> delegateFactories;

    public Options() {
      delegates = new ArrayList<>();
      delegateFactories = new ArrayList<>();
    }

    public Options(Options other) {
      runtime = other.runtime;
      numThreads = other.numThreads;
      useNnapi = other.useNnapi;
      cancellable = other.cancellable;
      useXnnpack = other.useXnnpack;
      accelerationConfig = other.accelerationConfig;
      delegates = new ArrayList<>(other.delegates);
      delegateFactories = new ArrayList<>(other.delegateFactories);
    }

    /** Threads of one run on the CPU, the calling one included; -1: the runtime's choice, 0: as 1. At most 64 are used. */
    public Options setNumThreads(int numThreads) {
      this.numThreads = numThreads;
      return this;
    }

    public int getNumThreads() {
      return numThreads;
    }

    /** Asks for Android's NNAPI. This runtime has none: a warning is logged. */
    public Options setUseNNAPI(boolean useNNAPI) {
      useNnapi = useNNAPI;
      return this;
    }

    public boolean getUseNNAPI() {
      return useNnapi;
    }

    /** Whether {@link Interpreter#setCancelled} may be called. */
    public Options setCancellable(boolean allow) {
      cancellable = allow;
      return this;
    }

    public boolean isCancellable() {
      return cancellable;
    }

    /** Adds a delegate, which the caller closes after the interpreter. Delegates are applied in this order. */
    public Options addDelegate(Delegate delegate) {
      delegates.add(delegate);
      return this;
    }

    public List<Delegate> getDelegates() {
      return Collections.unmodifiableList(delegates);
    }

    /** Adds a maker of a delegate, which the interpreter owns. */
    public Options addDelegateFactory(DelegateFactory factory) {
      delegateFactories.add(factory);
      return this;
    }

    public List<DelegateFactory> getDelegateFactories() {
      return Collections.unmodifiableList(delegateFactories);
    }

    /** Which runtime {@link InterpreterApi#create} takes. */
    public Options setRuntime(TfLiteRuntime runtime) {
      this.runtime = runtime;
      return this;
    }

    public TfLiteRuntime getRuntime() {
      return runtime;
    }

    /** Settings that change these options when an interpreter is made; null: none. */
    public Options setAccelerationConfig(ValidatedAccelerationConfig config) {
      accelerationConfig = config;
      return this;
    }

    public ValidatedAccelerationConfig getAccelerationConfig() {
      return accelerationConfig;
    }

    /** Kept for programs that set it. This runtime has one set of kernels for the CPU, with the same results either way. */
    public Options setUseXNNPACK(boolean useXNNPACK) {
      useXnnpack = useXNNPACK;
      return this;
    }

    public boolean getUseXNNPACK() {
      return useXnnpack;
    }
  }

  /**
   * An interpreter of the model in a file.
   *
   * @param options null means the defaults
   * @throws IllegalArgumentException if the file holds no model, or the model or a delegate does not fit
   * @throws IllegalStateException if the runtime that is asked for is missing, or tensors cannot be allocated
   */
  static InterpreterApi create(File modelFile, Options options) {
    return TensorFlowLite.factory(options == null ? null : options.getRuntime()).create(modelFile, options);
  }

  /**
   * An interpreter of the model in a buffer, which must not change as long as the interpreter is open.
   *
   * @param byteBuffer a {@link java.nio.MappedByteBuffer} of the file, or a direct buffer in native order
   * @param options null means the defaults
   * @throws IllegalArgumentException if the buffer holds no model, or the model or a delegate does not fit
   * @throws IllegalStateException if the runtime that is asked for is missing, or tensors cannot be allocated
   */
  static InterpreterApi create(ByteBuffer byteBuffer, Options options) {
    return TensorFlowLite.factory(options == null ? null : options.getRuntime()).create(byteBuffer, options);
  }

  /**
   * Runs a model that has one input, or all of whose other inputs keep what they hold.
   *
   * @param output gets the first output; null leaves it in its tensor
   * @throws IllegalArgumentException if an object does not fit its tensor, or the run fails
   */
  void run(Object input, Object output);

  /**
   * Runs the model.
   *
   * @param inputs one for each input, or for the first of them
   * @param outputs gets outputs by position; a null value leaves that output in its tensor
   * @throws IllegalArgumentException if an object does not fit its tensor, or the run fails
   */
  void runForMultipleInputsOutputs(Object[] inputs, Map<Integer, Object> outputs);

  /**
   * Runs an entry of the model that has names.
   *
   * @param signatureKey null where the model has a single signature
   * @throws IllegalArgumentException for unknown names, if an object does not fit its tensor, or the run fails
   */
  void runSignature(Map<String, Object> inputs, Map<String, Object> outputs, String signatureKey);

  /** As {@link #runSignature(Map, Map, String)} with the only signature of the model. */
  void runSignature(Map<String, Object> inputs, Map<String, Object> outputs);

  /**
   * Allocates tensors after a resize; a run does it by itself.
   *
   * @throws IllegalStateException if that fails
   */
  void allocateTensors();

  /**
   * Gives an input another shape, even where the model does not leave it open.
   *
   * @param idx position among the inputs
   * @throws IllegalArgumentException if there is no such input, or the shape is none
   */
  void resizeInput(int idx, int[] dims);

  /**
   * Gives an input another shape.
   *
   * @param idx position among the inputs
   * @param strict only dimensions may change that the model leaves open
   * @throws IllegalArgumentException if there is no such input, or the shape may not be had
   */
  void resizeInput(int idx, int[] dims, boolean strict);

  int getInputTensorCount();

  /**
   * The position of an input.
   *
   * @throws IllegalArgumentException if no input has this name
   */
  int getInputIndex(String opName);

  /**
   * The input at a position.
   *
   * @throws IllegalArgumentException if there is none
   */
  Tensor getInputTensor(int inputIndex);

  int getOutputTensorCount();

  /**
   * The position of an output.
   *
   * @throws IllegalArgumentException if no output has this name
   */
  int getOutputIndex(String opName);

  /**
   * The output at a position. Where shapes depend on the inputs' numbers, its shape is right after a run.
   *
   * @throws IllegalArgumentException if there is none
   */
  Tensor getOutputTensor(int outputIndex);

  /**
   * An input of a signature.
   *
   * @throws IllegalArgumentException for unknown names
   */
  Tensor getInputTensorFromSignature(String inputName, String signatureKey);

  /**
   * An output of a signature.
   *
   * @throws IllegalArgumentException for unknown names
   */
  Tensor getOutputTensorFromSignature(String outputName, String signatureKey);

  /** The keys of the signatures; empty where the model has none. */
  String[] getSignatureKeys();

  /** The names of a signature's inputs. */
  String[] getSignatureInputs(String signatureKey);

  /** The names of a signature's outputs. */
  String[] getSignatureOutputs(String signatureKey);

  /** How long the last run took, without copying inputs and outputs; null before the first and after one that failed. */
  Long getLastNativeInferenceDurationNanoseconds();

  /** Frees everything but the delegates that were added. Calling it again does nothing. */
  @Override
  void close();
}
