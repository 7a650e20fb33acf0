// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The effects of the collector, other threads and many interpreters on native memory. */
class LifetimeTest {
  private static final float[][][] IN = {{{1, 2, 3}, {4, 5, 6}}};

  private static void collect() {
    for (int i = 0; i < 3; ++i) {
      System.gc();
      System.runFinalization();
    }
  }

  /** Bytes of native memory that hold something, without what is only mapped. */
  private static long residentBytes() throws IOException {
    String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
    return Long.parseLong(pages[1]) * 4096;
  }

  /**
   * The heap after a collection: all bytes, and the number of our objects. The JVM's own figure of used memory
   * counts whole regions, of megabytes each.
   */
  private record Live(long bytes, long objects) {
    static Live now() throws Exception {
      Live last = once();
      while (true) { // finalizers run on a thread of their own
        Live next = once();
        if (next.objects >= last.objects) return next;
        last = next;
      }
    }

    private static Live once() throws Exception {
      collect();
      String histogram =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
      long bytes = 0;
      long objects = 0;
      for (String line : histogram.split("\n")) { // number, instances, bytes, class; at last "Total", instances, bytes
        String[] words = line.trim().split("\\s+");
        if (words[0].equals("Total")) bytes = Long.parseLong(words[2]);
        if (words.length > 3 && words[3].startsWith("org.tensorflow.lite.")) objects += Long.parseLong(words[1]);
      }
      assertTrue(bytes > 0 && objects > 0, histogram);
      return new Live(bytes, objects);
    }
  }

  private static void cycle(ByteBuffer model) {
    try (Interpreter interpreter = new Interpreter(model)) {
      float[][][] out = new float[1][2][3];
      interpreter.run(IN, out);
      assertEquals(6, out[0][1][2]);
    }
  }

  @Test
  void tenThousandInterpretersLeaveNothing() throws Exception {
    ByteBuffer model = Models.direct(Models.bytes(Models.made("copy_float32")));
    for (int i = 0; i < 3000; ++i) cycle(model); // the JVM compiles, pools fill
    long bytes = Long.MAX_VALUE;
    long objects = Long.MAX_VALUE;
    long resident = Long.MAX_VALUE;
    for (int round = 0; round < 3; ++round) { // what leaks, leaks each time; what the JVM makes for itself, once
      Live before = Live.now();
      long residentBefore = residentBytes();
      for (int i = 0; i < 10000; ++i) cycle(model);
      Live after = Live.now();
      bytes = Math.min(bytes, after.bytes() - before.bytes());
      objects = Math.min(objects, after.objects() - before.objects());
      resident = Math.min(resident, residentBytes() - residentBefore);
    }
    String growth = bytes + " bytes of heap, " + objects + " objects of ours, " + resident + " resident bytes";
    System.out.println("10000 cycles leave " + growth);
    assertTrue(objects < 100 && bytes < 1_000_000 && resident < 1_000_000, growth);
  }

  @Test
  void interpretersThatNobodyClosesAreCollected() throws IOException {
    ByteBuffer model = Models.direct(Models.bytes(Models.made("copy_float32")));
    ByteBuffer megabyte = Models.direct(new byte[1_000_000]);
    long resident = residentBytes();
    for (int i = 0; i < 500; ++i) {
      Interpreter interpreter = new Interpreter(model);
      interpreter.resizeInput(0, new int[] {1, 1000, 250});
      interpreter.run(megabyte, null); // writes its input and its output
      if (i % 50 == 49) collect();
    }
    collect();
    long growth = residentBytes() - resident;
    System.out.println("500 interpreters that nobody closed leave " + growth + " resident bytes");
    // If they all stayed, it would be 1000 megabytes; between two collections it is 100.
    assertTrue(growth < 300_000_000, () -> growth + " bytes of memory");
  }

  @Test
  void theModelBufferIsKept() {
    Interpreter interpreter = new Interpreter(Models.direct(Models.bytes(Models.made("copy_float32"))));
    List<ByteBuffer> others = new ArrayList<>();
    for (int i = 0; i < 200; ++i) {
      collectSometimes(i);
      byte[] ones = new byte[600];
      java.util.Arrays.fill(ones, (byte) -1);
      others.add(Models.direct(ones)); // would take the place of the model's bytes
    }
    float[][][] out = new float[2][2][3];
    interpreter.run(new float[2][2][3], out);
    interpreter.close();
    assertEquals(200, others.size());
  }

  private static void collectSometimes(int i) {
    if (i % 50 == 0) collect();
  }

  @Test
  void viewsOutliveTheInterpreter() {
    List<ByteBuffer> views = new ArrayList<>();
    for (int i = 0; i < 50; ++i) {
      Interpreter interpreter = Models.open("copy_float32");
      interpreter.run(IN, null);
      ByteBuffer view = interpreter.getOutputTensor(0).asReadOnlyBuffer();
      if (i % 2 == 0) interpreter.close(); // the others are collected
      views.add(view.slice().order(view.order()));
    }
    collect();
    for (int i = 0; i < 50; ++i) Models.open("copy_float32").close();
    for (ByteBuffer view : views) assertEquals(6f, view.getFloat(20));
  }

  @Test
  void threadsWaitForEachOther() throws InterruptedException {
    Interpreter interpreter = Models.open("copy_float32");
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; ++t) {
      int size = t + 1;
      Thread thread =
          new Thread(
              () -> {
                float[][][] out = new float[size][2][3];
                float[][][] in = new float[size][2][3];
                in[size - 1][1][2] = size;
                for (int i = 0; i < 500; ++i) {
                  try {
                    interpreter.run(in, out);
                    if (out[size - 1][1][2] != size) wrong.incrementAndGet();
                    interpreter.getOutputTensor(0).shape();
                  } catch (IllegalStateException error) {
                    refused.incrementAndGet(); // it is closed
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    Thread.sleep(20);
    interpreter.close();
    for (Thread thread : threads) thread.join();
    assertEquals(0, wrong.get());
    System.out.println("runs after the close: " + refused);
  }

  @Test
  void aRunMayBeCancelledWhileItIsClosed() throws InterruptedException {
    Interpreter.Options options = new Interpreter.Options().setCancellable(true);
    File model = Models.made("endless");
    for (int i = 0; i < 20; ++i) {
      Interpreter interpreter = new Interpreter(model, options);
      Thread runner = new Thread(() -> ignoringErrors(() -> interpreter.run(new int[] {0}, null)));
      Thread canceller = new Thread(() -> ignoringErrors(() -> interpreter.setCancelled(true)));
      runner.start();
      canceller.start();
      canceller.join();
      interpreter.close();
      ignoringErrors(() -> interpreter.setCancelled(true));
      runner.join();
    }
  }

  private static void ignoringErrors(Runnable call) {
    try {
      call.run();
    } catch (IllegalArgumentException | IllegalStateException error) {
      // It is cancelled, or closed.
    }
  }
}
