// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.gpu.GpuDelegate;

/** Where the native libraries come from. One of the two runs of this class has them on the path. */
class LoadingTest {
  private static String loaded(String library) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/maps"));
    return lines.stream().filter(line -> line.endsWith("/" + library)).findFirst().orElse("");
  }

  @Test
  void fromThePathElseFromTheJar() throws IOException {
    new GpuDelegate().close();
    for (String library : List.of("libtensorflowlite_jni.so", "libtensorflowlite_gpu_jni.so")) {
      File onPath = new File(System.getProperty("java.library.path"), library);
      String folder = onPath.exists() ? onPath.getParentFile().getCanonicalPath() : System.getProperty("java.io.tmpdir");
      assertTrue(loaded(library).contains(" " + folder + "/"), () -> folder + ": " + loadedOrError(library));
    }
  }

  private static String loadedOrError(String library) {
    try {
      return loaded(library);
    } catch (IOException error) {
      return error.getMessage();
    }
  }

  @Test
  void platformsAreNamedAsInTheJar() {
    assertTrue(LibraryLoader.platform().matches("[a-z]+-[a-z0-9_]+"));
    if (System.getProperty("os.arch").equals("amd64")) assertEquals("linux-x86_64", LibraryLoader.platform());
  }
}
