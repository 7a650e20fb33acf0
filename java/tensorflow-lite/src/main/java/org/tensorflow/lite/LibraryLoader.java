// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Loads native libraries: by name from {@code java.library.path}, else out of the jar. For the classes of this library;
 * applications call {@link TensorFlowLite#init}.
 */
public final class LibraryLoader {
  private static File folder;

  private LibraryLoader() {}

  /**
   * Loads the first library of these names that there is.
   *
   * @param owner a class of the jar that holds the libraries
   * @param resources the folder in it, below which there is one for each platform
   * @param failure beginning of the error's message
   * @throws UnsatisfiedLinkError if none can be loaded; the message says what was tried
   */
  public static synchronized void load(Class<?> owner, String resources, String failure, String... names) {
    StringBuilder tried = new StringBuilder();
    for (String name : names) {
      try {
        System.loadLibrary(name);
        return;
      } catch (UnsatisfiedLinkError error) {
        tried.append(tried.length() == 0 ? "" : "; ").append(error.getMessage());
      }
    }
    String path = resources + "/" + platform();
    try {
      List<File> files = unpack(owner, path);
      if (!files.isEmpty()) {
        System.load(files.get(0).getPath());
        return;
      }
      tried.append("; the jar has no ").append(path);
    } catch (IOException | UnsatisfiedLinkError error) {
      tried.append("; unpacked from ").append(path).append(": ").append(error.getMessage());
    }
    throw new UnsatisfiedLinkError(failure + " Check that the library fits the system (" + tried + ").");
  }

  /** As in the jar: "linux-x86_64", "linux-aarch64". */
  static String platform() {
    String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return system.split(" ")[0] + "-" + (arch.equals("amd64") ? "x86_64" : arch);
  }

  /** The files that files.txt lists, the library first; they find each other because they lie in one folder. */
  private static List<File> unpack(Class<?> owner, String path) throws IOException {
    List<File> files = new ArrayList<>();
    InputStream list = owner.getResourceAsStream("/" + path + "/files.txt");
    if (list == null) return files;
    if (folder == null) {
      folder = Files.createTempDirectory("tensorflowlite").toFile();
      folder.deleteOnExit();
    }
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
      for (String name = lines.readLine(); name != null; name = lines.readLine()) {
        File file = new File(folder, name);
        files.add(file);
        if (file.exists()) continue;
        try (InputStream bytes = owner.getResourceAsStream("/" + path + "/" + name)) {
          if (bytes == null) throw new IOException("the jar lacks " + name);
          Files.copy(bytes, file.toPath());
        }
        file.deleteOnExit();
      }
    }
    return files;
  }
}
