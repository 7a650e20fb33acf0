// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.tensorflow.lite.Models.assertFails;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.Delegate;
import org.tensorflow.lite.Interpreter;
import org.tensorflow.lite.Models;
import org.tensorflow.lite.RuntimeFlavor;
import org.tensorflow.lite.gpu.GpuDelegateFactory.Options.GpuBackend;

@SuppressWarnings("deprecation") // GpuDelegate.Options
class GpuDelegateTest {
  private static GpuDelegateFactory.Options exact() {
    return new GpuDelegateFactory.Options().setPrecisionLossAllowed(false);
  }

  private static ByteBuffer outputWith(Interpreter.Options options) {
    ByteBuffer output = Models.landscapeOutput();
    try (Interpreter interpreter = new Interpreter(Models.LANDSCAPE, options)) {
      interpreter.run(Models.landscapeInput(), output);
    }
    return output;
  }

  @Test
  void defaultsOfTheOptions() {
    for (GpuDelegateFactory.Options options :
        List.of(new GpuDelegateFactory.Options(), new GpuDelegate.Options())) {
      assertTrue(options.isPrecisionLossAllowed());
      assertTrue(options.areQuantizedModelsAllowed());
      assertEquals(0, options.getInferencePreference());
      assertNull(options.getSerializationDir());
      assertNull(options.getModelToken());
      assertEquals(GpuBackend.UNSET, options.getForceBackend());
    }
    assertEquals(0, GpuDelegateFactory.Options.INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER);
    assertEquals(1, GpuDelegateFactory.Options.INFERENCE_PREFERENCE_SUSTAINED_SPEED);
    assertEquals(0, GpuBackend.UNSET.value());
    assertEquals(1, GpuBackend.OPENCL.value());
    assertEquals(2, GpuBackend.OPENGL.value());
  }

  @Test
  void settersGiveTheSameOptions() {
    GpuDelegate.Options options = new GpuDelegate.Options();
    GpuDelegateFactory.Options same =
        options
            .setPrecisionLossAllowed(false)
            .setQuantizedModelsAllowed(false)
            .setInferencePreference(GpuDelegateFactory.Options.INFERENCE_PREFERENCE_SUSTAINED_SPEED)
            .setSerializationParams("dir", "token")
            .setForceBackend(GpuBackend.OPENGL);
    assertSame(options, same);
    assertFalse(options.isPrecisionLossAllowed());
    assertFalse(options.areQuantizedModelsAllowed());
    assertEquals(1, options.getInferencePreference());
    assertEquals("dir", options.getSerializationDir());
    assertEquals("token", options.getModelToken());
    assertEquals(GpuBackend.OPENGL, options.getForceBackend());
  }

  @Test
  void closing() {
    GpuDelegate delegate = new GpuDelegate();
    assertNotEquals(0, delegate.getNativeHandle());
    delegate.close();
    assertEquals(0, delegate.getNativeHandle());
    delegate.close(); // does nothing
    Interpreter.Options options = new Interpreter.Options().addDelegate(delegate);
    assertFails(
        IllegalArgumentException.class,
        () -> new Interpreter(Models.made("copy_float32"), options),
        "Internal error: Found invalid handle: 0, of a org.tensorflow.lite.gpu.GpuDelegate");
  }

  @Test
  void wrongOptions() {
    assertFails(NullPointerException.class, () -> new GpuDelegate(null), "options of a GpuDelegate are null");
    GpuDelegate odd = new GpuDelegate(exact().setForceBackend(null));
    odd.close();
  }

  @Test
  void factories() {
    Delegate delegate = new GpuDelegateFactory().create(RuntimeFlavor.APPLICATION);
    assertInstanceOf(GpuDelegate.class, delegate);
    delegate.close();
    new GpuDelegateFactory(exact()).create(RuntimeFlavor.APPLICATION).close();
    assertFails(
        IllegalStateException.class,
        () -> new GpuDelegateFactory().create(RuntimeFlavor.SYSTEM),
        "Error creating GPU delegate",
        "com.google.android.gms.tflite.gpu.GpuDelegate");
  }

  @Test
  void aBackendThatIsMissingIsNamed() {
    for (GpuBackend backend : List.of(GpuBackend.OPENCL, GpuBackend.OPENGL)) {
      try (GpuDelegate delegate = new GpuDelegate(exact().setForceBackend(backend))) {
        Interpreter.Options options = new Interpreter.Options().addDelegate(delegate);
        try {
          new Interpreter(Models.LANDSCAPE, options).close();
        } catch (IllegalArgumentException error) {
          assertTrue(error.getMessage().startsWith("Internal error: "), error.getMessage());
        }
      }
    }
  }

  @Nested
  class CompatibilityListTest {
    @Test
    void itsOptionsAreTheDefaults() {
      try (CompatibilityList list = new CompatibilityList()) {
        GpuDelegate.Options options = list.getBestOptionsForThisDevice();
        assertTrue(options.isPrecisionLossAllowed());
        assertNull(options.getSerializationDir());
      }
    }

    @Test
    void itFailsOnceClosed() {
      CompatibilityList list = new CompatibilityList();
      list.close();
      list.close();
      assertFails(
          IllegalStateException.class,
          list::isDelegateSupportedOnThisDevice,
          "Trying to query a closed compatibilityList.");
    }

    @Test
    void everyThreadGetsTheSameAnswer() throws InterruptedException {
      AtomicInteger yes = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; ++i) {
        Thread thread =
            new Thread(
                () -> {
                  try (CompatibilityList list = new CompatibilityList()) {
                    if (list.isDelegateSupportedOnThisDevice()) yes.incrementAndGet();
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) thread.join();
      assertTrue(yes.get() == 0 || yes.get() == 4, yes::toString);
    }

    /** The list is right: a model runs and gives the CPU's numbers, or the interpreter fails. */
    @Test
    void itsAnswerHolds() {
      boolean supported = new CompatibilityList().isDelegateSupportedOnThisDevice();
      try (GpuDelegate delegate = new GpuDelegate(exact())) {
        Interpreter.Options options = new Interpreter.Options().addDelegate(delegate);
        if (supported) {
          assertTrue(Models.worst(outputWith(options), outputWith(null)) < 2e-3f);
        } else {
          assertFails(
              IllegalArgumentException.class, () -> new Interpreter(Models.LANDSCAPE, options), "Internal error: ");
        }
      }
    }
  }

  @Nested
  class OnADevice {
    @BeforeEach
    void needsOne() {
      try (CompatibilityList list = new CompatibilityList()) {
        assumeTrue(list.isDelegateSupportedOnThisDevice(), "no GPU device here");
      }
    }

    @Test
    void aFactoryMakesTheInterpretersDelegate() {
      Interpreter.Options options = new Interpreter.Options().addDelegateFactory(new GpuDelegateFactory(exact()));
      assertTrue(Models.worst(outputWith(options), outputWith(null)) < 2e-3f);
    }

    @Test
    void halfPrecisionIsTheDefault() {
      try (GpuDelegate half = new GpuDelegate(); GpuDelegate exact = new GpuDelegate(exact())) {
        ByteBuffer want = outputWith(null);
        float halfError = Models.worst(outputWith(new Interpreter.Options().addDelegate(half)), want);
        float exactError = Models.worst(outputWith(new Interpreter.Options().addDelegate(exact)), want);
        assertTrue(exactError < halfError && halfError < 0.05f, () -> exactError + ", " + halfError);
      }
    }

    @Test
    void twoInterpretersWithOneDelegate() {
      try (GpuDelegate delegate = new GpuDelegate(exact())) {
        Interpreter.Options options = new Interpreter.Options().addDelegate(delegate);
        try (Interpreter first = new Interpreter(Models.LANDSCAPE, options);
            Interpreter second = new Interpreter(Models.LANDSCAPE, options)) {
          ByteBuffer one = Models.landscapeOutput();
          ByteBuffer two = Models.landscapeOutput();
          first.run(Models.landscapeInput(), one);
          second.run(Models.landscapeInput(), two);
          assertEquals(0f, Models.worst(one, two));
        }
      }
    }

    @Test
    void aDelegateMayBeClosedBeforeItsInterpreter() {
      GpuDelegate delegate = new GpuDelegate(exact());
      Interpreter interpreter = new Interpreter(Models.LANDSCAPE, new Interpreter.Options().addDelegate(delegate));
      ByteBuffer before = Models.landscapeOutput();
      interpreter.run(Models.landscapeInput(), before);
      delegate.close();
      ByteBuffer after = Models.landscapeOutput();
      interpreter.run(Models.landscapeInput(), after);
      assertEquals(0f, Models.worst(before, after));
      interpreter.close();
    }

    @Test
    void aDelegateMayStayOpen() {
      GpuDelegate delegate = new GpuDelegate(exact());
      new Interpreter(Models.LANDSCAPE, new Interpreter.Options().addDelegate(delegate)).close();
      assertNotEquals(0, delegate.getNativeHandle());
      delegate.close();
    }

    @Test
    void inputsOfAnotherShapeResize() {
      try (GpuDelegate delegate = new GpuDelegate(exact());
          Interpreter interpreter =
              new Interpreter(Models.made("two_graphs"), new Interpreter.Options().addDelegate(delegate))) {
        float[][] out = new float[3][2];
        interpreter.run(new float[][] {{1, 2}, {3, 4}, {5, 6}}, out);
        assertArrayEquals(new float[][] {{2, 4}, {6, 8}, {10, 12}}, out);
      }
    }

    @Test
    void anInterpreterMayMoveToAnotherThread() throws InterruptedException {
      try (GpuDelegate delegate = new GpuDelegate(exact());
          Interpreter interpreter =
              new Interpreter(Models.LANDSCAPE, new Interpreter.Options().addDelegate(delegate))) {
        ByteBuffer here = Models.landscapeOutput();
        interpreter.run(Models.landscapeInput(), here);
        ByteBuffer there = Models.landscapeOutput();
        Thread thread = new Thread(() -> interpreter.run(Models.landscapeInput(), there));
        thread.start();
        thread.join();
        assertEquals(0f, Models.worst(here, there));
      }
    }

    private int lengthOf(String text) {
      return text.length();
    }

    /** Returns the line of HotSpot about the handler of a signal. */
    private String handlerOf(String signal) throws JMException {
      ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
      String info =
          (String) ManagementFactory.getPlatformMBeanServer().invoke(commands, "vmInfo", new Object[0], new String[0]);
      for (String line : info.split("\n")) {
        if (line.trim().startsWith(signal + ":")) return line;
      }
      return "no line about " + signal;
    }

    /** Compiled code checks for null and divides by zero by signals, whose handlers drivers replace. */
    @Test
    void theJvmKeepsItsSignals() throws JMException {
      try (GpuDelegate delegate = new GpuDelegate(exact())) {
        outputWith(new Interpreter.Options().addDelegate(delegate));
      }
      for (String signal : List.of("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGUSR2")) {
        assertTrue(handlerOf(signal).contains("libjvm.so"), handlerOf(signal));
      }
      int caught = 0;
      for (int i = 0; i < 200_000; ++i) {
        try {
          caught += lengthOf(i < 100_000 ? "" : null) + 1 / (i % 2 + (i < 100_000 ? 1 : 0));
        } catch (NullPointerException | ArithmeticException error) {
          ++caught;
        }
      }
      assertTrue(caught >= 100_000);
    }

    @Test
    void realModelsAsOnTheCpu() {
      for (String name : List.of("mobilenet_v1_0.25_128", "face_detection_front")) {
        java.io.File model = Models.shared("models/" + name + ".tflite");
        try (GpuDelegate delegate = new GpuDelegate(exact());
            Interpreter gpu = new Interpreter(model, new Interpreter.Options().addDelegate(delegate));
            Interpreter cpu = new Interpreter(model)) {
          ByteBuffer input = ByteBuffer.allocateDirect(cpu.getInputTensor(0).numBytes());
          input.order(java.nio.ByteOrder.nativeOrder());
          for (int i = 0; i < input.capacity(); i += 4) input.putFloat(i, i % 509 / 254.5f - 1);
          gpu.run(input, null);
          cpu.run(input, null);
          float worst =
              Models.worst(gpu.getOutputTensor(0).asReadOnlyBuffer(), cpu.getOutputTensor(0).asReadOnlyBuffer());
          assertTrue(worst < 1e-2f, () -> name + ": " + worst);
        }
      }
    }
  }
}
