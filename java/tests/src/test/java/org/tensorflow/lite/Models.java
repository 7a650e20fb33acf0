// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.function.Executable;

/** The models of the tests: those that make_models.py makes, the demo's, and those of the shared folder. */
public final class Models {
  /** 240 x 320 pixels in three colours in, seven labels for each pixel out. */
  public static final File LANDSCAPE = new File("demo/landscape.tflite");

  private Models() {}

  public static File made(String name) {
    return new File(System.getProperty("tern.models"), name + ".tflite");
  }

  /** Skips the test where the folder of shared models is missing. */
  public static File shared(String path) {
    String folder = System.getenv("TERN_SHARED");
    File file = new File(folder == null ? "../shared" : folder, path);
    assumeTrue(file.exists(), () -> "no " + file + " (set TERN_SHARED)");
    return file;
  }

  public static Interpreter open(String name) {
    return new Interpreter(made(name));
  }

  /** A direct buffer in native order with these bytes. */
  public static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.nativeOrder()).put(bytes).rewind();
  }

  public static byte[] bytes(File file) {
    try {
      return Files.readAllBytes(file.toPath());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  public static ByteBuffer mapped(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    }
  }

  /** Numbers between -1 and 1 for the demo's picture. */
  public static ByteBuffer landscapeInput() {
    ByteBuffer input = ByteBuffer.allocateDirect(4 * 240 * 320 * 3).order(ByteOrder.nativeOrder());
    for (int i = 0; i < 240 * 320 * 3; ++i) input.putFloat(4 * i, i % 511 / 255.0f - 1);
    return input;
  }

  public static ByteBuffer landscapeOutput() {
    return ByteBuffer.allocateDirect(4 * 240 * 320 * 7).order(ByteOrder.nativeOrder());
  }

  /** The largest difference between floats of two buffers. */
  public static float worst(ByteBuffer a, ByteBuffer b) {
    assertTrue(a.capacity() == b.capacity() && a.capacity() > 0);
    float worst = 0;
    for (int i = 0; i < a.capacity(); i += 4) worst = Math.max(worst, Math.abs(a.getFloat(i) - b.getFloat(i)));
    return worst;
  }

  /** Expects an exception of exactly this class whose message has these parts. */
  public static void assertFails(Class<? extends Throwable> type, Executable call, String... parts) {
    Throwable error = assertThrows(Throwable.class, call);
    assertTrue(error.getClass() == type, () -> "expected " + type + ", got " + error);
    for (String part : parts) {
      assertTrue(error.getMessage().contains(part), () -> "no \"" + part + "\" in: " + error.getMessage());
    }
  }
}
