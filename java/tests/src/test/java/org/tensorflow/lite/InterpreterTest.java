// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tensorflow.lite.Models.assertFails;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.lite.InterpreterApi.Options.TfLiteRuntime;

/** Making interpreters, what they tell, and what they refuse. */
class InterpreterTest {
  private static final String CLOSED = "Internal error: The Interpreter has already been closed.";

  private static Interpreter with(int numThreads) {
    return new Interpreter(Models.made("copy_float32"), new Interpreter.Options().setNumThreads(numThreads));
  }

  @Test
  void tensorsCanBeReadAtOnce() {
    try (Interpreter interpreter = Models.open("copy_quantized")) {
      assertEquals(1, interpreter.getInputTensorCount());
      assertEquals(1, interpreter.getOutputTensorCount());
      Tensor input = interpreter.getInputTensor(0);
      assertEquals(DataType.INT8, input.dataType());
      assertEquals(1, input.numDimensions());
      assertEquals(4, input.numBytes());
      assertEquals(4, input.numElements());
      assertArrayEquals(new int[] {4}, input.shape());
      assertArrayEquals(new int[] {-1}, input.shapeSignature());
      assertEquals(0, input.index());
      assertEquals("x", input.name());
      assertEquals(0.5f, input.quantizationParams().getScale());
      assertEquals(3, input.quantizationParams().getZeroPoint());
      assertEquals(4, input.asReadOnlyBuffer().capacity());
      Tensor output = interpreter.getOutputTensor(0);
      assertEquals(3, output.index());
      assertEquals("y", output.name());
    }
  }

  @Test
  void tensorsWithoutQuantizationHaveZeros() {
    try (Interpreter interpreter = Models.open("copy_float32")) {
      assertEquals(0f, interpreter.getInputTensor(0).quantizationParams().getScale());
      assertEquals(0, interpreter.getInputTensor(0).quantizationParams().getZeroPoint());
    }
  }

  @Test
  void aViewShowsTheMemory() {
    try (Interpreter interpreter = Models.open("copy_float32")) {
      ByteBuffer view = interpreter.getOutputTensor(0).asReadOnlyBuffer();
      assertTrue(view.isReadOnly() && view.isDirect());
      assertEquals(ByteOrder.nativeOrder(), view.order());
      interpreter.run(new float[][][] {{{1, 2, 3}, {4, 5, 6}}}, null);
      assertEquals(6f, view.getFloat(20));
    }
  }

  @Test
  void modelsComeFromFilesAndBuffers(@TempDir Path folder) throws IOException {
    File file = Models.made("copy_float32");
    byte[] bytes = Models.bytes(file);
    Path odd = folder.resolve("m\u00f6del \u20ac.tflite");
    try {
      Files.copy(file.toPath(), odd);
    } catch (java.nio.file.InvalidPathException error) {
      odd = file.toPath(); // the system's encoding has no such names
    }
    List<InterpreterApi> all = new ArrayList<>();
    all.add(new Interpreter(file));
    all.add(new Interpreter(odd.toFile(), null));
    all.add(new Interpreter(Models.direct(bytes)));
    all.add(new Interpreter(Models.mapped(file.toPath()), new Interpreter.Options()));
    all.add(InterpreterApi.create(file, null));
    all.add(InterpreterApi.create(Models.direct(bytes), new InterpreterApi.Options()));
    all.add(new InterpreterFactory().create(file, null));
    all.add(new InterpreterFactory().create(Models.direct(bytes), new Interpreter.Options()));
    for (InterpreterApi interpreter : all) {
      float[][][] out = new float[1][2][3];
      interpreter.run(new float[][][] {{{1, 2, 3}, {4, 5, 6}}}, out);
      assertEquals(6, out[0][1][2]);
      interpreter.close();
      interpreter.close(); // does nothing
    }
  }

  @Test
  void badModels(@TempDir Path folder) throws IOException {
    String valid = " does not encode a valid TensorFlow Lite model: ";
    assertFails(IllegalArgumentException.class, () -> new Interpreter(folder.toFile()), "Contents of " + folder + valid);
    File missing = folder.resolve("missing.tflite").toFile();
    assertFails(IllegalArgumentException.class, () -> new Interpreter(missing), "Contents of " + missing + valid);
    byte[] bytes = Models.bytes(Models.made("copy_float32"));
    File empty = Files.createFile(folder.resolve("empty.tflite")).toFile();
    assertFails(IllegalArgumentException.class, () -> new Interpreter(empty), "Contents of " + empty + valid);
    byte[] cut = java.util.Arrays.copyOf(bytes, 200);
    File half = Files.write(folder.resolve("half.tflite"), cut).toFile();
    assertFails(IllegalArgumentException.class, () -> new Interpreter(half), "Contents of " + half + valid);
    String pointer = "version https://git-lfs.github.com/spec/v1\nsize 9012345\n";
    String line = "Model provided has model identifier 'ion ', should be 'TFL3'. The file is a Git LFS pointer";
    File unfetched = Files.writeString(folder.resolve("pointer.tflite"), pointer).toFile();
    assertFails(IllegalArgumentException.class, () -> new Interpreter(unfetched), "Contents of " + unfetched + valid, line);
    String encodes = "ByteBuffer does not encode a valid model: ";
    assertFails(IllegalArgumentException.class, () -> new Interpreter(Models.direct(pointer.getBytes())), encodes, line);
    assertFails(IllegalArgumentException.class, () -> new Interpreter(Models.direct(cut)), encodes);
    assertFails(IllegalArgumentException.class, () -> new Interpreter(Models.direct(new byte[0])), encodes);
    assertFails(
        IllegalStateException.class,
        () -> Models.open("unknown_op"),
        "Internal error: Unexpected failure when preparing tensor allocations: ",
        "NobodyHasThis: the application must register it");
  }

  @Test
  void modelBuffersMustBeDirectAndNative() {
    byte[] bytes = Models.bytes(Models.made("copy_float32"));
    String rule =
        "Model ByteBuffer should be either a MappedByteBuffer of the model file, or a direct ByteBuffer using"
            + " ByteOrder.nativeOrder() which contains bytes of model content.";
    assertFails(IllegalArgumentException.class, () -> new Interpreter(ByteBuffer.wrap(bytes)), rule);
    assertFails(IllegalArgumentException.class, () -> new Interpreter((ByteBuffer) null), rule);
    ByteOrder foreign =
        ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer other = Models.direct(bytes).order(foreign);
    // Every direct buffer is a MappedByteBuffer in the JDK, and those may have any order.
    if (other instanceof java.nio.MappedByteBuffer) {
      new Interpreter(other).close();
    } else {
      assertFails(IllegalArgumentException.class, () -> new Interpreter(other), rule);
    }
    assertFails(NullPointerException.class, () -> new Interpreter((File) null), "The model file is null.");
  }

  @Test
  void absurdNumbersOfThreads() {
    for (int threads : new int[] {-2, -1000, Integer.MIN_VALUE}) {
      assertFails(
          IllegalArgumentException.class,
          () -> with(threads),
          "Internal error: Cannot create interpreter: numThreads is " + threads);
    }
    for (int threads : new int[] {-1, 0, 1, 1000, Integer.MAX_VALUE}) {
      try (Interpreter interpreter = with(threads)) {
        float[][][] out = new float[1][2][3];
        interpreter.run(new float[][][] {{{1, 2, 3}, {4, 5, 6}}}, out);
        assertEquals(6, out[0][1][2]);
      }
    }
  }

  @Test
  void namesOfInputsAndOutputs() {
    try (Interpreter interpreter = Models.open("two_inputs")) {
      assertEquals(1, interpreter.getInputIndex("second"));
      assertEquals(1, interpreter.getOutputIndex("twice"));
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.getInputIndex("third"),
          "Input error: 'third' is not a valid name for any input. Names of inputs and their indexes are"
              + " {first=0, second=1}");
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.getOutputIndex(null),
          "'null' is not a valid name for any output. Names of outputs and their indexes are {sum=0, twice=1}");
      for (int index : new int[] {-1, 2, Integer.MAX_VALUE}) {
        assertFails(
            IllegalArgumentException.class,
            () -> interpreter.getInputTensor(index),
            "Invalid input Tensor index: " + index);
        assertFails(
            IllegalArgumentException.class,
            () -> interpreter.getOutputTensor(index),
            "Invalid output Tensor index: " + index);
      }
    }
  }

  @Test
  void resizing() {
    try (Interpreter interpreter = Models.open("two_inputs")) {
      interpreter.resizeInput(0, new int[] {5, 2}, true);
      interpreter.resizeInput(1, new int[] {5, 2});
      interpreter.allocateTensors();
      interpreter.allocateTensors();
      assertArrayEquals(new int[] {5, 2}, interpreter.getOutputTensor(0).shape());
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.resizeInput(0, new int[] {5, 3}, true),
          "Internal error: Failed to resize 0-th input: ",
          "[-1, 2]",
          "[5, 3]");
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.resizeInput(0, new int[] {5, -3}),
          "Internal error: Failed to resize 0-th input: ");
      assertFails(IllegalArgumentException.class, () -> interpreter.resizeInput(1, null), "shape for the 1-th input is null");
      for (int index : new int[] {-1, 2}) {
        assertFails(
            IllegalArgumentException.class,
            () -> interpreter.resizeInput(index, new int[] {1}),
            "Input error: Can not resize " + index + "-th input for a model having 2 inputs.");
      }
      // The refused calls changed nothing.
      float[][] sum = new float[5][2];
      interpreter.runForMultipleInputsOutputs(new Object[] {new float[5][2], new float[5][2]}, Map.of(0, sum));
    }
  }

  @Test
  void shapesThatTheModelCannotTake() {
    try (Interpreter interpreter = Models.open("two_inputs")) {
      interpreter.resizeInput(0, new int[] {3, 5});
      interpreter.resizeInput(1, new int[] {4, 7});
      String failed = "Internal error: Unexpected failure when preparing tensor allocations: ";
      assertFails(IllegalStateException.class, interpreter::allocateTensors, failed);
      assertFails(
          IllegalStateException.class,
          () -> interpreter.runForMultipleInputsOutputs(new Object[] {new float[3][5], new float[4][7]}, Map.of()),
          failed);
      interpreter.runForMultipleInputsOutputs(new Object[] {new float[2][2], new float[2][2]}, Map.of());
    }
  }

  @Test
  void everythingFailsAfterClose() {
    Interpreter interpreter =
        new Interpreter(Models.made("two_graphs"), new Interpreter.Options().setCancellable(true));
    Tensor tensor = interpreter.getInputTensor(0);
    interpreter.run(new float[][] {{3, 4}}, null);
    ByteBuffer view = tensor.asReadOnlyBuffer();
    interpreter.close();
    Map<String, Object> named = Map.of("in", new float[1][2]);
    List<org.junit.jupiter.api.function.Executable> calls =
        List.of(
            () -> interpreter.run(new float[1][2], new float[1][2]),
            () -> interpreter.run(null, null),
            () -> interpreter.runForMultipleInputsOutputs(null, null),
            () -> interpreter.runSignature(named, Map.of(), "double"),
            interpreter::allocateTensors,
            () -> interpreter.resizeInput(0, new int[] {1, 2}),
            interpreter::getInputTensorCount,
            () -> interpreter.getInputIndex("x"),
            () -> interpreter.getInputTensor(0),
            interpreter::getOutputTensorCount,
            () -> interpreter.getOutputIndex("y"),
            () -> interpreter.getOutputTensor(9),
            () -> interpreter.getInputTensorFromSignature("in", "double"),
            () -> interpreter.getOutputTensorFromSignature("out", "double"),
            interpreter::getSignatureKeys,
            () -> interpreter.getSignatureInputs("double"),
            () -> interpreter.getSignatureOutputs("double"),
            interpreter::getLastNativeInferenceDurationNanoseconds,
            interpreter::resetVariableTensors,
            () -> interpreter.setCancelled(true),
            tensor::dataType,
            tensor::numDimensions,
            tensor::numBytes,
            tensor::numElements,
            tensor::shape,
            tensor::shapeSignature,
            tensor::index,
            tensor::name,
            tensor::quantizationParams,
            tensor::asReadOnlyBuffer);
    for (var call : calls) assertFails(IllegalStateException.class, call, CLOSED);
    assertEquals(3f, view.getFloat(0)); // it keeps the memory
  }

  @Test
  void cancelling() throws InterruptedException {
    try (Interpreter plain = Models.open("copy_float32")) {
      assertFails(
          IllegalStateException.class,
          () -> plain.setCancelled(true),
          "Cannot cancel the inference. Have you called InterpreterApi.Options.setCancellable?");
    }
    Interpreter.Options options = new Interpreter.Options().setCancellable(true);
    try (Interpreter interpreter = new Interpreter(Models.made("endless"), options)) {
      Throwable[] thrown = new Throwable[1];
      Thread runner =
          new Thread(() -> thrown[0] = assertThrows(Throwable.class, () -> interpreter.run(new int[] {0}, null)));
      runner.start();
      while (runner.getState() == Thread.State.NEW) Thread.onSpinWait();
      interpreter.setCancelled(true); // before the run or within
      runner.join();
      String failed = "Internal error: Failed to run on the given Interpreter: Client requested cancel";
      assertTrue(thrown[0].getMessage().startsWith(failed), thrown[0].toString());
      assertFails(IllegalArgumentException.class, () -> interpreter.run(new int[] {0}, null), failed);
      interpreter.setCancelled(false);
      int[] out = new int[1];
      interpreter.run(new int[] {Integer.MAX_VALUE - 5}, out);
      assertEquals(Integer.MAX_VALUE, out[0]);
    }
  }

  @Test
  void runtimesOfTheSystem() {
    InterpreterApi.Options options = new InterpreterApi.Options().setRuntime(TfLiteRuntime.FROM_SYSTEM_ONLY);
    assertFails(
        IllegalStateException.class,
        () -> InterpreterApi.create(Models.made("copy_float32"), options),
        "Couldn't find the TensorFlow Lite runtime's InterpreterFactoryImpl class",
        "FROM_SYSTEM_ONLY");
    options.setRuntime(TfLiteRuntime.PREFER_SYSTEM_OVER_APPLICATION);
    InterpreterApi.create(Models.made("copy_float32"), options).close();
    options.addDelegate(() -> 1L);
    assertFails(
        IllegalArgumentException.class,
        () -> InterpreterApi.create(Models.made("copy_float32"), options),
        "PREFER_SYSTEM_OVER_APPLICATION",
        "addDelegateFactory()");
  }

  @Test
  void invalidDelegates() {
    for (Delegate delegate : new Delegate[] {() -> 0L, null}) {
      Interpreter.Options options = new Interpreter.Options().addDelegate(delegate);
      assertFails(
          IllegalArgumentException.class,
          () -> new Interpreter(Models.made("copy_float32"), options),
          "Internal error: Found invalid handle");
    }
  }

  @Test
  void delegatesOfFactoriesAreClosed() {
    int[] closed = new int[1];
    Delegate broken =
        new Delegate() {
          @Override
          public long getNativeHandle() {
            return 0;
          }

          @Override
          public void close() {
            ++closed[0];
          }
        };
    Interpreter.Options options =
        new Interpreter.Options()
            .addDelegateFactory(
                flavor -> {
                  assertEquals(RuntimeFlavor.APPLICATION, flavor);
                  return broken;
                });
    assertFails(
        IllegalArgumentException.class,
        () -> new Interpreter(Models.made("copy_float32"), options),
        "Internal error: Found invalid handle");
    assertEquals(1, closed[0]);
  }

  @Test
  @SuppressWarnings("deprecation")
  void versions() {
    assertTrue(TensorFlowLite.runtimeVersion().matches("\\d+\\.\\d+\\.\\d+.*"));
    assertEquals("3", TensorFlowLite.schemaVersion());
    assertEquals("3", TensorFlowLite.version());
    assertEquals("3", TensorFlowLite.schemaVersion(TfLiteRuntime.PREFER_SYSTEM_OVER_APPLICATION));
    assertThrows(IllegalStateException.class, () -> TensorFlowLite.runtimeVersion(TfLiteRuntime.FROM_SYSTEM_ONLY));
    TensorFlowLite.init();
  }

  @Test
  void missingLibrariesAreNamed() {
    assertFails(
        UnsatisfiedLinkError.class,
        () -> LibraryLoader.load(InterpreterTest.class, "no/such/folder", "Failed to load it.", "no_such_library"),
        "Failed to load it.",
        "no_such_library",
        "no/such/folder/" + LibraryLoader.platform());
  }
}
