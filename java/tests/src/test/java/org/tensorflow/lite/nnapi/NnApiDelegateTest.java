// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.nnapi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.Interpreter;
import org.tensorflow.lite.Models;

class NnApiDelegateTest {
  @Test
  void optionsAreKept() {
    NnApiDelegate.Options options = new NnApiDelegate.Options();
    assertEquals(NnApiDelegate.Options.EXECUTION_PREFERENCE_UNDEFINED, options.getExecutionPreference());
    assertEquals(-1, options.getMaxNumberOfDelegatedPartitions());
    assertNull(options.getAcceleratorName());
    assertNull(options.getUseNnapiCpu());
    assertSame(
        options,
        options
            .setExecutionPreference(NnApiDelegate.Options.EXECUTION_PREFERENCE_SUSTAINED_SPEED)
            .setAcceleratorName("npu")
            .setCacheDir("/cache")
            .setModelToken("model")
            .setMaxNumberOfDelegatedPartitions(3)
            .setUseNnapiCpu(false)
            .setAllowFp16(true)
            .setNnApiSupportLibraryHandle(7));
    assertEquals(2, options.getExecutionPreference());
    assertEquals("npu", options.getAcceleratorName());
    assertEquals("/cache", options.getCacheDir());
    assertEquals("model", options.getModelToken());
    assertEquals(3, options.getMaxNumberOfDelegatedPartitions());
    assertFalse(options.getUseNnapiCpu());
    assertTrue(options.getAllowFp16());
    assertEquals(7, options.getNnApiSupportLibraryHandle());
    assertThrows(NullPointerException.class, () -> new NnApiDelegate(null));
  }

  @Test
  void theLogSaysThatThereIsNoNnapi() {
    List<String> messages = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            messages.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(NnApiDelegate.class.getName());
    logger.addHandler(handler);
    try (NnApiDelegate delegate = new NnApiDelegate()) {
      assertEquals(0, delegate.getNativeHandle());
    } finally {
      logger.removeHandler(handler);
    }
    assertEquals(1, messages.size());
    assertTrue(messages.get(0).startsWith("There is no NNAPI"), messages.get(0));
  }

  @Test
  void modelsRunOnTheCpu() {
    try (NnApiDelegate delegate = new NnApiDelegate();
        Interpreter interpreter =
            new Interpreter(Models.made("copy_float32"), new Interpreter.Options().addDelegate(delegate))) {
      float[][][] in = {{{1, 2, 3}, {4, 5, 6}}};
      float[][][] out = new float[1][2][3];
      interpreter.run(in, out);
      assertArrayEquals(in, out);
      assertFalse(delegate.hasErrors());
    }
  }
}
