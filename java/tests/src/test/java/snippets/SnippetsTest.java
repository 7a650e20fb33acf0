// SPDX-License-Identifier: Apache-2.0
package snippets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.Models;
import org.tensorflow.lite.gpu.CompatibilityList;

/** The Java and Kotlin blocks of the product documents, as make_snippets.py lays them out for the compilers. */
class SnippetsTest {
  private static boolean hasGpu() {
    try (CompatibilityList list = new CompatibilityList()) {
      return list.isDelegateSupportedOnThisDevice();
    }
  }

  private static void run(SnippetContext snippet, int runs) {
    snippet.run();
    assertEquals(runs, snippet.runs);
  }

  // These two ask for a GPU and take the CPU where there is none; a second run of this class has none.

  @Test
  void basic() {
    run(new BasicSnippet(), 1);
  }

  @Test
  void basicInKotlin() {
    run(new BasicKotlinSnippet(), 1);
  }

  @Test
  void withoutADeviceTheListSaysSo() {
    assumeTrue(System.getProperty("tern.without.gpu") != null, "for the run without a GPU");
    assertEquals(false, hasGpu());
  }

  @Test
  void thoseInOurDocuments() {
    List<SnippetContext> snippets = new ArrayList<>(List.of(new Java0Snippet(), new Readme0KotlinSnippet()));
    if (hasGpu()) snippets.add(new Readme0Snippet());
    for (SnippetContext snippet : snippets) {
      snippet.run();
      snippet.readFromOutput(snippet.output);
    }
  }

  @Test
  void theActivityForAndroid() throws InterruptedException {
    String text = new com.example.app.MainActivity().show(Models.LANDSCAPE).toString();
    String expected = (hasGpu() ? "GPU" : "CPU") + ": output [0-9]+ is the largest, [0-9.]+";
    assertTrue(text.matches(expected), text);
  }

  @Test
  void onARealModel() {
    File model = Models.shared("models/derived_mobilenet_v1_1.0_224_float.tflite");
    List<SnippetContext> snippets = new ArrayList<>(List.of(new BasicSnippet(), new BasicKotlinSnippet()));
    if (hasGpu()) {
      snippets.addAll(List.of(new QuantizationOffSnippet(), new QuantizationOnSnippet(), new SerializationSnippet()));
    }
    for (SnippetContext snippet : snippets) {
      snippet.use(model);
      run(snippet, 1);
    }
  }

  @Test
  void announcement() {
    assumeTrue(hasGpu(), "no GPU device here");
    run(new AnnouncementSnippet(), 3);
  }

  @Test
  void quantizationOff() {
    assumeTrue(hasGpu(), "no GPU device here");
    run(new QuantizationOffSnippet(), 1);
  }

  @Test
  void quantizationOn() {
    assumeTrue(hasGpu(), "no GPU device here");
    run(new QuantizationOnSnippet(), 1);
  }

  @Test
  void serialization() {
    assumeTrue(hasGpu(), "no GPU device here");
    run(new SerializationSnippet(), 1);
    run(new SerializationOneLineSnippet(), 1);
  }
}
