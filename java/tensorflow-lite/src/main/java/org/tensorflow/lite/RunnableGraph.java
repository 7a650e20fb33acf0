// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.util.Arrays;
import java.util.Map;

/**
 * A graph that can be allocated and run on its own: the model's, or that of a signature. Used within the lock of
 * its interpreter.
 */
final class RunnableGraph {
  private final NativeInterpreter owner;
  private final String key; // of the signature; null for the model's graph
  private final long runner; // 0 for the model's graph
  private final TensorImpl[] inputs;
  private final TensorImpl[] outputs;
  private boolean allocated;

  RunnableGraph(NativeInterpreter owner, String key, long runner) {
    this.owner = owner;
    this.key = key;
    this.runner = runner;
    inputs = tensors(false);
    outputs = tensors(true);
  }

  private TensorImpl[] tensors(boolean isOutput) {
    TensorImpl[] tensors = new TensorImpl[InterpreterNative.tensorCount(owner.session(), runner, isOutput)];
    for (int i = 0; i < tensors.length; ++i) {
      // A model may leave out an input or output.
      if (TensorNative.exists(owner.session(), runner, isOutput, i)) {
        tensors[i] = new TensorImpl(owner, runner, isOutput, i);
      }
    }
    return tensors;
  }

  int count(boolean isOutput) {
    return (isOutput ? outputs : inputs).length;
  }

  /** Null where the model leaves this one out. */
  TensorImpl tensor(int position, boolean isOutput) {
    TensorImpl[] tensors = isOutput ? outputs : inputs;
    if (position >= 0 && position < tensors.length) return tensors[position];
    throw new IllegalArgumentException(
        String.format(
            "Invalid %s Tensor index: %d%s",
            isOutput ? "output" : "input", position, " (there are " + tensors.length + ")"));
  }

  void allocate() {
    if (allocated) return;
    String problem = InterpreterNative.allocate(owner.session(), runner);
    if (problem != null) {
      throw new IllegalStateException(
          "Internal error: Unexpected failure when preparing tensor allocations: " + problem);
    }
    allocated = true;
  }

  void resize(int position, int[] dims, boolean strict) {
    if (position < 0 || position >= inputs.length || inputs[position] == null) {
      throw new IllegalArgumentException(
          String.format(
              "Input error: Can not resize %d-th input for a model having %d inputs.", position, inputs.length));
    }
    if (dims == null) {
      throw new IllegalArgumentException("Input error: the shape for the " + position + "-th input is null.");
    }
    String problem = strict ? strictProblem(inputs[position], dims) : null;
    if (problem == null) {
      if (Arrays.equals(inputs[position].shape(), dims)) return;
      problem = InterpreterNative.resize(owner.session(), runner, position, dims);
      allocated = false;
    }
    if (problem != null) throw new IllegalArgumentException(resizeFailure(position, dims, problem));
  }

  private static String strictProblem(TensorImpl input, int[] dims) {
    int[] open = input.shapeSignature();
    boolean fits = open.length == dims.length;
    for (int i = 0; fits && i < dims.length; ++i) fits = open[i] == -1 || open[i] == dims[i];
    if (fits) return null;
    return String.format(
        "the model leaves %s open where it says -1, and the shape asked for is %s",
        Arrays.toString(open), Arrays.toString(dims));
  }

  private String resizeFailure(int position, int[] dims, String problem) {
    if (key == null) return String.format("Internal error: Failed to resize %d-th input: %s", position, problem);
    return String.format(
        "Tensor passed for input '%s' of signature '%s' has different shape than expected: %s (%s)",
        InterpreterNative.signatureTensors(runner, false)[position], key, Arrays.toString(dims), problem);
  }

  /**
   * Resizes and fills inputs, runs, and reads outputs, by position.
   *
   * @return nanoseconds of the run itself
   */
  long run(Map<Integer, Object> given, Map<Integer, Object> wanted) {
    for (Map.Entry<Integer, Object> input : given.entrySet()) {
      int[] shape = existing(input.getKey(), false).shapeToResizeTo(input.getValue());
      if (shape != null) resize(input.getKey(), shape, false);
    }
    allocate();
    for (Map.Entry<Integer, Object> input : given.entrySet()) {
      existing(input.getKey(), false).set(input.getValue());
    }
    long nanoseconds = owner.invoke(runner);
    for (Map.Entry<Integer, Object> output : wanted.entrySet()) {
      if (output.getValue() != null) existing(output.getKey(), true).copyTo(output.getValue());
    }
    return nanoseconds;
  }

  private TensorImpl existing(Integer position, boolean isOutput) {
    String kind = isOutput ? "output" : "input";
    if (position == null) throw new IllegalArgumentException("Invalid " + kind + " Tensor index: null");
    TensorImpl tensor = tensor(position, isOutput);
    if (tensor != null) return tensor;
    throw new IllegalArgumentException("Invalid " + kind + " Tensor index: " + position + " (the model leaves it out)");
  }
}
