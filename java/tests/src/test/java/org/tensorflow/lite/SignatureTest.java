// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.tensorflow.lite.Models.assertFails;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignatureTest {
  @Test
  void keysAndNames() {
    try (Interpreter interpreter = Models.open("two_graphs")) {
      assertArrayEquals(new String[] {"double", "negate"}, interpreter.getSignatureKeys());
      assertArrayEquals(new String[] {"value"}, interpreter.getSignatureInputs("negate"));
      assertArrayEquals(new String[] {"out"}, interpreter.getSignatureOutputs("double"));
      assertEquals("x", interpreter.getInputTensorFromSignature("in", "double").name());
      assertEquals(0, interpreter.getInputTensorFromSignature("in", "double").index());
      assertEquals("b", interpreter.getOutputTensorFromSignature("result", "negate").name());
      assertEquals(-1, interpreter.getOutputTensorFromSignature("result", "negate").index());
    }
    try (Interpreter interpreter = Models.open("copy_float32")) {
      assertEquals(0, interpreter.getSignatureKeys().length);
    }
  }

  @Test
  void signaturesOfBothGraphsRunByName() {
    try (Interpreter interpreter = Models.open("two_graphs")) {
      float[][] out = new float[1][2];
      interpreter.runSignature(Map.of("in", new float[][] {{1, 2}}), Map.of("out", out), "double");
      assertArrayEquals(new float[][] {{2, 4}}, out);
      float[][] result = new float[1][3];
      interpreter.runSignature(Map.of("value", new float[][] {{1, 2, 3}}), Map.of("result", result), "negate");
      assertArrayEquals(new float[][] {{-1, -2, -3}}, result);
      // Another shape resizes one graph, and the other keeps its own.
      float[][] larger = new float[2][3];
      interpreter.runSignature(
          Map.of("value", new float[][] {{1, 2, 3}, {4, 5, 6}}), Map.of("result", larger), "negate");
      assertArrayEquals(new float[][] {{-1, -2, -3}, {-4, -5, -6}}, larger);
      assertArrayEquals(new int[] {1, 2}, interpreter.getInputTensor(0).shape());
    }
  }

  @Test
  void namesGoToTheirPositions() {
    try (Interpreter interpreter = Models.open("two_inputs")) {
      Map<String, Object> inputs = new HashMap<>();
      inputs.put("a", new float[][] {{1, 2}, {3, 4}});
      inputs.put("b", new float[][] {{10, 20}, {30, 40}});
      float[][] total = new float[2][2];
      float[][] doubled = new float[2][2];
      interpreter.runSignature(inputs, Map.of("doubled", doubled, "total", total)); // the only signature
      assertArrayEquals(new float[][] {{11, 22}, {33, 44}}, total);
      assertArrayEquals(new float[][] {{22, 44}, {66, 88}}, doubled);
      assertArrayEquals(new String[] {"a", "b"}, interpreter.getSignatureInputs(null));
    }
  }

  @Test
  void unknownNames() {
    try (Interpreter interpreter = Models.open("two_graphs")) {
      Map<String, Object> inputs = Map.of("in", new float[1][2]);
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runSignature(inputs, Map.of(), "triple"),
          "Input error: Signature triple not found.");
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runSignature(Map.of("wrong", new float[1][2]), Map.of(), "double"),
          "Input error: input wrong not found.");
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runSignature(inputs, Map.of("wrong", new float[1][2]), "double"),
          "Input error: output wrong not found.");
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.getInputTensorFromSignature("wrong", "negate"),
          "Input error: input wrong not found.");
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.getSignatureOutputs("triple"),
          "Input error: Signature triple not found.");
    }
  }

  @Test
  void aKeyMayBeLeftOutWhereThereIsOne() {
    String rule =
        "Input error: SignatureDef signatureKey should not be null. null is only allowed if the model has a single"
            + " Signature. Available Signatures: ";
    try (Interpreter interpreter = Models.open("two_graphs")) {
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runSignature(Map.of("in", new float[1][2]), Map.of()),
          rule + "[double, negate]");
    }
    try (Interpreter interpreter = Models.open("copy_float32")) {
      assertFails(
          IllegalArgumentException.class, () -> interpreter.getInputTensorFromSignature("x", null), rule + "[]");
    }
  }

  @Test
  void nullMaps() {
    try (Interpreter interpreter = Models.open("two_graphs")) {
      String noInputs = "Input error: Inputs should not be null or empty.";
      assertFails(IllegalArgumentException.class, () -> interpreter.runSignature(null, Map.of(), "double"), noInputs);
      assertFails(IllegalArgumentException.class, () -> interpreter.runSignature(Map.of(), Map.of(), "double"), noInputs);
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runSignature(Map.of("in", new float[1][2]), null, "double"),
          "Input error: Outputs should not be null.");
    }
  }

  @Test
  void shapesThatASignatureCannotTake() {
    try (Interpreter interpreter = Models.open("two_graphs")) {
      assertFails(
          IllegalArgumentException.class,
          () -> interpreter.runSignature(Map.of("value", new float[2][5]), Map.of(), "negate"),
          "Tensor passed for input 'value' of signature 'negate' has different shape than expected",
          "[2, 5]");
    }
  }

  @Test
  void aRealModelWithTwoSignatures() {
    try (Interpreter interpreter = new Interpreter(Models.shared("models/toy_model_with_kv_cache_multi_signature.tflite"))) {
      for (String key : interpreter.getSignatureKeys()) {
        Map<String, Object> inputs = new HashMap<>();
        for (String name : interpreter.getSignatureInputs(key)) {
          Tensor tensor = interpreter.getInputTensorFromSignature(name, key);
          inputs.put(name, Models.direct(new byte[tensor.numBytes()]));
        }
        Map<String, Object> outputs = new HashMap<>();
        for (String name : interpreter.getSignatureOutputs(key)) {
          outputs.put(name, Models.direct(new byte[interpreter.getOutputTensorFromSignature(name, key).numBytes()]));
        }
        interpreter.runSignature(inputs, outputs, key);
      }
    }
  }
}
