// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The public methods over a {@link NativeInterpreter}. */
class InterpreterImpl implements InterpreterApi {
  static class Options extends InterpreterApi.Options {
    boolean allowBufferHandleOutput;
    boolean compressQuantizationZeroPoints;

    Options() {}

    Options(InterpreterApi.Options options) {
      super(options);
      if (options instanceof Options) {
        allowBufferHandleOutput = ((Options) options).allowBufferHandleOutput;
        compressQuantizationZeroPoints = ((Options) options).compressQuantizationZeroPoints;
      }
    }
  }

  final NativeInterpreter runtime;

  InterpreterImpl(File modelFile, InterpreterApi.Options options) {
    if (modelFile == null) throw new NullPointerException("The model file is null.");
    runtime = NativeInterpreter.ofFile(modelFile.getAbsolutePath(), copyOf(options));
  }

  InterpreterImpl(ByteBuffer byteBuffer, InterpreterApi.Options options) {
    runtime = NativeInterpreter.ofBuffer(byteBuffer, copyOf(options));
  }

  private static Options copyOf(InterpreterApi.Options options) {
    return options == null ? new Options() : new Options(options);
  }

  @Override
  public void run(Object input, Object output) {
    Map<Integer, Object> outputs = new HashMap<>();
    outputs.put(0, output);
    runForMultipleInputsOutputs(new Object[] {input}, outputs);
  }

  @Override
  public void runForMultipleInputsOutputs(Object[] inputs, Map<Integer, Object> outputs) {
    runtime.run(inputs, outputs);
  }

  @Override
  public void runSignature(Map<String, Object> inputs, Map<String, Object> outputs, String signatureKey) {
    runtime.runSignature(inputs, outputs, signatureKey);
  }

  @Override
  public void runSignature(Map<String, Object> inputs, Map<String, Object> outputs) {
    runSignature(inputs, outputs, null);
  }

  @Override
  public void allocateTensors() {
    runtime.allocateTensors();
  }

  @Override
  public void resizeInput(int idx, int[] dims) {
    resizeInput(idx, dims, false);
  }

  @Override
  public void resizeInput(int idx, int[] dims, boolean strict) {
    runtime.resizeInput(idx, dims, strict);
  }

  @Override
  public int getInputTensorCount() {
    return runtime.tensorCount(false);
  }

  @Override
  public int getInputIndex(String opName) {
    return runtime.positionOf(opName, false);
  }

  @Override
  public Tensor getInputTensor(int inputIndex) {
    return runtime.tensor(inputIndex, false);
  }

  @Override
  public int getOutputTensorCount() {
    return runtime.tensorCount(true);
  }

  @Override
  public int getOutputIndex(String opName) {
    return runtime.positionOf(opName, true);
  }

  @Override
  public Tensor getOutputTensor(int outputIndex) {
    return runtime.tensor(outputIndex, true);
  }

  @Override
  public Tensor getInputTensorFromSignature(String inputName, String signatureKey) {
    return runtime.signatureTensor(inputName, signatureKey, false);
  }

  @Override
  public Tensor getOutputTensorFromSignature(String outputName, String signatureKey) {
    return runtime.signatureTensor(outputName, signatureKey, true);
  }

  @Override
  public String[] getSignatureKeys() {
    return runtime.signatureKeys();
  }

  @Override
  public String[] getSignatureInputs(String signatureKey) {
    return runtime.signatureNames(signatureKey, false);
  }

  @Override
  public String[] getSignatureOutputs(String signatureKey) {
    return runtime.signatureNames(signatureKey, true);
  }

  @Override
  public Long getLastNativeInferenceDurationNanoseconds() {
    return runtime.lastInferenceNanoseconds();
  }

  @Override
  public void close() {
    runtime.close();
  }

  @Override
  protected void finalize() throws Throwable {
    try {
      // Null when the constructor failed.
      if (runtime != null) runtime.close();
    } finally {
      super.finalize();
    }
  }
}
