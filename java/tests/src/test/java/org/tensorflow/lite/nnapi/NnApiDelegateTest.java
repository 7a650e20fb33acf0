// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.nnapi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
