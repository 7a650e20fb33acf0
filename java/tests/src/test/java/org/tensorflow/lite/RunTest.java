// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tensorflow.lite.Models.assertFails;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Inputs and outputs of every kind, and what does not fit. */
class RunTest {
  private static Object copied(String model, Object input, Object output) {
    try (Interpreter interpreter = Models.open(model)) {
      interpreter.run(input, output);
    }
    return output;
  }

  private static Map<Integer, Object> outputs(Object first) {
    Map<Integer, Object> outputs = new HashMap<>();
    outputs.put(0, first);
    return outputs;
  }

  @Test
  void arraysOfEveryType() {
    float[][][] floats = {{{1, -2, 3.5f}, {4, 5, Float.MIN_VALUE}}};
    assertArrayEquals(floats, (float[][][]) copied("copy_float32", floats, new float[1][2][3]));
    int[][][] ints = {{{1, -2, Integer.MAX_VALUE}, {Integer.MIN_VALUE, 5, 6}}};
    assertArrayEquals(ints, (int[][][]) copied("copy_int32", ints, new int[1][2][3]));
    long[][][] longs = {{{1, -2, Long.MAX_VALUE}, {Long.MIN_VALUE, 5, 6}}};
    assertArrayEquals(longs, (long[][][]) copied("copy_int64", longs, new long[1][2][3]));
    short[][][] shorts = {{{1, -2, Short.MAX_VALUE}, {Short.MIN_VALUE, 5, 6}}};
    assertArrayEquals(shorts, (short[][][]) copied("copy_int16", shorts, new short[1][2][3]));
    byte[][][] bytes = {{{1, -2, 127}, {-128, 5, 6}}};
    assertArrayEquals(bytes, (byte[][][]) copied("copy_int8", bytes, new byte[1][2][3]));
    assertArrayEquals(bytes, (byte[][][]) copied("copy_uint8", bytes, new byte[1][2][3]));
    boolean[][][] booleans = {{{true, false, true}, {false, false, true}}};
    assertArrayEquals(booleans, (boolean[][][]) copied("copy_bool", booleans, new boolean[1][2][3]));
    String[][][] strings = {{{"a", "", "\u00e4\u20ac"}, {"\ud83d\ude00", "two words", "\0"}}};
    assertArrayEquals(strings, (String[][][]) copied("copy_string", strings, new String[1][2][3]));
  }

  @Test
  void bytesAreStrings() {
    byte[][][][] in = {{{{1, 2}, {3}, {4, 5, 6}}, {{7}, {8, 9}, {10}}}};
    assertArrayEquals(in, (byte[][][][]) copied("copy_string", in, new byte[1][2][3][0]));
    assertArrayEquals(
        new String[][][] {{{"\u0001\u0002", "\u0003", "\u0004\u0005\u0006"}, {"\u0007", "\b\t", "\n"}}},
        (String[][][]) copied("copy_string", in, new String[1][2][3]));
  }

  @Test
  void anyRank() {
    float[][][][][] floats = {{{{{1, 2, 3}, {4, 5, 6}}}, {{{7, 8, 9}, {10, 11, 12}}}}};
    assertArrayEquals(floats, (float[][][][][]) copied("copy_rank5", floats, new float[1][2][1][2][3]));
  }

  @Test
  void scalars() {
    FloatBuffer out = FloatBuffer.allocate(1);
    copied("scalar", 2.5f, out);
    assertEquals(-2.5f, out.get(0));
    assertFails(
        IllegalArgumentException.class,
        () -> copied("scalar", 2.5f, 0.0f),
        "with shape [] to a Java object with shape []. A scalar is read into a Buffer: a java.lang.Float cannot");
  }

  @Test
  void buffersOfEveryType() {
    Buffer[][] pairs = {
      {FloatBuffer.wrap(new float[] {1, 2, 3, 4, 5, 6}), FloatBuffer.allocate(6)},
      {IntBuffer.wrap(new int[] {1, 2, 3, 4, 5, 6}), IntBuffer.allocate(6)},
      {LongBuffer.wrap(new long[] {1, 2, 3, 4, 5, 6}), LongBuffer.allocate(6)},
      {ShortBuffer.wrap(new short[] {1, 2, 3, 4, 5, 6}), ShortBuffer.allocate(6)},
      {ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6}), ByteBuffer.allocate(6)},
      {ByteBuffer.wrap(new byte[] {1, 0, 1, 1, 0, 1}), ByteBuffer.allocate(6)},
    };
    String[] models = {"copy_float32", "copy_int32", "copy_int64", "copy_int16", "copy_int8", "copy_bool"};
    for (int i = 0; i < pairs.length; ++i) {
      copied(models[i], pairs[i][0], pairs[i][1]);
      assertEquals(6, pairs[i][1].position(), models[i]);
      assertEquals(pairs[i][0].rewind(), pairs[i][1].rewind(), models[i]);
    }
  }

  @Test
  void directBuffersAreTakenFromTheirStart() {
    ByteBuffer in = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
    for (int i = 0; i < 6; ++i) in.putFloat(i + 0.5f);
    ByteBuffer out = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
    copied("copy_float32", in, out); // its position is the end
    assertEquals(24, in.position());
    assertEquals(24, out.position());
    assertEquals(5.5f, out.getFloat(20));
    FloatBuffer floats = in.rewind().asFloatBuffer();
    floats.position(2).limit(3);
    float[][][] array = new float[1][2][3];
    copied("copy_float32", floats, array);
    assertArrayEquals(new float[][][] {{{0.5f, 1.5f, 2.5f}, {3.5f, 4.5f, 5.5f}}}, array);
    assertEquals(2, floats.position());
  }

  @Test
  void outputBuffersAreFilledFromTheirPosition() {
    FloatBuffer out = FloatBuffer.allocate(8);
    out.position(2);
    copied("copy_float32", new float[][][] {{{1, 2, 3}, {4, 5, 6}}}, out);
    assertArrayEquals(new float[] {0, 0, 1, 2, 3, 4, 5, 6}, out.array());
  }

  @Test
  void buffersMustHaveTheSize() {
    float[][][] fitting = new float[1][2][3];
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_float32", FloatBuffer.allocate(5), fitting),
        "Cannot copy to a TensorFlowLite tensor (x) with 24 bytes from a Java Buffer with 20 bytes.");
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_float32", ByteBuffer.allocate(28), fitting),
        "with 24 bytes from a Java Buffer with 28 bytes.");
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_float32", fitting, FloatBuffer.allocate(5)),
        "Cannot copy from a TensorFlowLite tensor (y) with 24 bytes to a Java Buffer with 20 bytes.");
    copied("copy_float32", fitting, FloatBuffer.allocate(9)); // larger outputs are fine
  }

  @Test
  void outputArraysMustHaveTheShape() {
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_float32", new float[1][2][3], new float[1][3][2]),
        "Cannot copy from a TensorFlowLite tensor (y) with shape [1, 2, 3] to a Java object with shape [1, 3, 2].");
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_float32", new float[1][2][3], new float[6]),
        "with shape [1, 2, 3] to a Java object with shape [6].");
  }

  @Test
  void typesMustFit() {
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_float32", new int[1][2][3], new float[1][2][3]),
        "Cannot convert between a TensorFlowLite tensor with type FLOAT32 and a Java object of type [[[I (which is"
            + " compatible with the TensorFlowLite type INT32).");
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_float32", new float[1][2][3], new byte[1][2][3]),
        "with type FLOAT32 and a Java object of type [[[B (which is compatible with the TensorFlowLite type UINT8)");
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_int32", LongBuffer.allocate(6), new int[1][2][3]),
        "with type INT32 and a Java object of type java.nio.HeapLongBuffer");
    Object[] unknown = {new double[1][2][3], 1.0, new Object[1], new Float[] {1f}, new char[3], "x".chars(), java.nio.DoubleBuffer.allocate(6)};
    for (Object object : unknown) {
      assertFails(
          IllegalArgumentException.class,
          () -> copied("copy_float32", object, new float[1][2][3]),
          "DataType error: cannot resolve DataType of " + object.getClass().getName());
    }
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_string", ByteBuffer.allocate(8), new String[1][2][3]),
        "DataType error: cannot resolve DataType of java.nio.HeapByteBuffer");
  }

  @Test
  void arraysMustBeWhole() {
    float[][][] out = new float[1][2][3];
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_float32", new float[][][] {{{1, 2, 3}, {4, 5}}}, out),
        "Mismatched lengths (3 and 2) in dimension 2");
    assertFails(
        IllegalArgumentException.class, () -> copied("copy_float32", new float[1][0][3], out), "Array lengths cannot be 0.");
    assertFails(
        IllegalArgumentException.class, () -> copied("copy_float32", new float[1][2][], out), "Arrays cannot hold null");
    assertFails(
        IllegalArgumentException.class,
        () -> copied("copy_string", new String[1][2][3], new String[1][2][3]),
        "Arrays cannot hold null");
  }

  @Test
  void nullAndMissingObjects() {
    try (Interpreter interpreter = Models.open("two_inputs")) {
      String noInputs = "Input error: Inputs should not be null or empty.";
      assertFails(IllegalArgumentException.class, () -> interpreter.runForMultipleInputsOutputs(null, Map.of()), noInputs);
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runForMultipleInputsOutputs(new Object[0], Map.of()),
          noInputs);
      Object[] inputs = {new float[2][2], new float[2][2]};
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runForMultipleInputsOutputs(inputs, null),
          "Input error: Outputs should not be null.");
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.run(null, new float[2][2]),
          "Null inputs are allowed only if the Tensor is bound to a buffer handle.");
      interpreter.runForMultipleInputsOutputs(inputs, Map.of());
      interpreter.runForMultipleInputsOutputs(inputs, outputs(null));
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runForMultipleInputsOutputs(new Object[2], Map.of()),
          "Null inputs are allowed only");
      Object[] three = {inputs[0], inputs[1], inputs[0]};
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runForMultipleInputsOutputs(three, Map.of()),
          "Invalid input Tensor index: 2");
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runForMultipleInputsOutputs(inputs, Map.of(7, new float[2][2])),
          "Invalid output Tensor index: 7");
    }
  }

  @Test
  void severalInputsAndOutputs() {
    try (Interpreter interpreter = Models.open("two_inputs")) {
      float[][] sum = new float[2][2];
      FloatBuffer twice = FloatBuffer.allocate(4);
      Object[] inputs = {new float[][] {{1, 2}, {3, 4}}, FloatBuffer.wrap(new float[] {10, 20, 30, 40})};
      interpreter.runForMultipleInputsOutputs(inputs, Map.of(0, sum, 1, twice));
      assertArrayEquals(new float[][] {{11, 22}, {33, 44}}, sum);
      assertArrayEquals(new float[] {22, 44, 66, 88}, twice.array());
    }
  }

  @Test
  void inputsOfAnotherShapeResize() {
    try (Interpreter interpreter = Models.open("copy_float32")) {
      float[][][] in = new float[4][5][6];
      in[3][4][5] = 9;
      float[][][] out = new float[4][5][6];
      interpreter.run(in, out);
      assertArrayEquals(in, out);
      assertArrayEquals(new int[] {4, 5, 6}, interpreter.getOutputTensor(0).shape());
      assertArrayEquals(new int[] {-1, -1, -1}, interpreter.getInputTensor(0).shapeSignature());
      // Buffers never resize.
      assertFails(IllegalArgumentException.class, () -> interpreter.run(FloatBuffer.allocate(6), out), "with 480 bytes");
    }
  }

  @Test
  void outputsWhoseShapeTheRunMakes() {
    try (Interpreter interpreter = Models.open("dynamic")) {
      Object[] inputs = {new float[] {1, 2, 3, 4, 5, 6}, new int[] {4}};
      float[] four = new float[4];
      interpreter.runForMultipleInputsOutputs(inputs, outputs(four));
      assertArrayEquals(new float[] {1, 2, 3, 4}, four);
      assertArrayEquals(new int[] {4}, interpreter.getOutputTensor(0).shape());
      inputs[1] = new int[] {2};
      float[] two = new float[2];
      interpreter.runForMultipleInputsOutputs(inputs, outputs(two));
      assertArrayEquals(new float[] {1, 2}, two);
    }
  }

  @Test
  void theDurationIsThatOfTheLastGoodRun() {
    try (Interpreter interpreter = Models.open("copy_float32")) {
      assertNull(interpreter.getLastNativeInferenceDurationNanoseconds());
      interpreter.run(new float[1][2][3], new float[1][2][3]);
      assertTrue(interpreter.getLastNativeInferenceDurationNanoseconds() > 0);
      assertFails(IllegalArgumentException.class, () -> interpreter.run(null, new float[1][2][3]), "Null inputs");
      assertNull(interpreter.getLastNativeInferenceDurationNanoseconds());
    }
  }
}
