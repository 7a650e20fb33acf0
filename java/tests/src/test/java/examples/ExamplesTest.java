// SPDX-License-Identifier: Apache-2.0
package examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.Models;

/** The examples that a person runs, in both languages. */
class ExamplesTest {
  private interface Main {
    void run(String[] args) throws Exception;
  }

  private static String[] linesOf(Main main, String... args) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    System.setOut(new PrintStream(text));
    try {
      main.run(args);
    } finally {
      System.setOut(before);
    }
    return text.toString().split("\\R");
  }

  private static void assertSame(String first, String... args) throws Exception {
    for (Main main : new Main[] {Classify::main, ClassifyKt::main}) {
      String[] lines = linesOf(main, args);
      assertEquals(3, lines.length);
      assertEquals(first, lines[0].substring(0, lines[0].lastIndexOf(':')));
      double score = Double.parseDouble(lines[0].substring(lines[0].lastIndexOf(' ') + 1));
      assertTrue(score > 0 && score <= 1, lines[0]);
    }
  }

  @Test
  void theDemosPictureShowsSky() throws Exception {
    assertSame("sky", "demo/landscape.tflite", "demo/labels.txt", "demo/landscape.png");
  }

  @Test
  void aClassWithoutALabelIsANumber() throws Exception {
    Path labels = Files.createTempFile("labels", ".txt");
    Files.write(labels, "other\n".getBytes());
    assertSame("class 1", "demo/landscape.tflite", labels.toString(), "demo/landscape.png");
    Files.delete(labels);
  }

  @Test
  void aPhoto() throws Exception {
    assertSame(
        "military uniform",
        Models.shared("models/derived_mobilenet_v1_1.0_224_float.tflite").getPath(),
        Models.shared("labels/labels_mobilenet_quant_v1_224.txt").getPath(),
        Models.shared("media/mattn_grace_hopper.png").getPath());
  }

  @Test
  void aPhotoForAQuantizedModel() throws Exception {
    assertSame(
        "military uniform",
        Models.shared("models/mobilenet_v1_1.0_224_quant.tflite").getPath(),
        Models.shared("labels/labels_mobilenet_quant_v1_224.txt").getPath(),
        Models.shared("media/mattn_grace_hopper.png").getPath());
  }

  @Test
  void withoutArgumentsTheyTellTheirUsage() throws Exception {
    for (Main main : new Main[] {Classify::main, ClassifyKt::main}) {
      PrintStream before = System.err;
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      System.setErr(new PrintStream(text, true));
      try {
        main.run(new String[0]);
      } finally {
        System.setErr(before);
      }
      assertTrue(text.toString().endsWith("MODEL LABELS PHOTO" + System.lineSeparator()), text.toString());
    }
  }
}
