// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.InterpreterApi.Options.TfLiteRuntime;
import org.tensorflow.lite.acceleration.ValidatedAccelerationConfig;

class OptionsTest {
  private static final Delegate DELEGATE = () -> 0L;
  private static final DelegateFactory FACTORY = flavor -> DELEGATE;

  private static void assertDefaults(InterpreterApi.Options options) {
    assertEquals(-1, options.getNumThreads());
    assertFalse(options.getUseNNAPI());
    assertFalse(options.isCancellable());
    assertTrue(options.getDelegates().isEmpty());
    assertTrue(options.getDelegateFactories().isEmpty());
    assertEquals(TfLiteRuntime.FROM_APPLICATION_ONLY, options.getRuntime());
    assertNull(options.getAccelerationConfig());
    assertTrue(options.getUseXNNPACK());
  }

  @Test
  void defaults() {
    assertDefaults(new InterpreterApi.Options());
    assertDefaults(new Interpreter.Options());
    assertDefaults(new Interpreter.Options(new InterpreterApi.Options()));
    assertFalse(new Interpreter.Options().getCompressQuantizationZeroPoints());
  }

  @Test
  void settersGiveTheSameOptions() {
    Interpreter.Options options = new Interpreter.Options();
    Interpreter.Options same =
        options
            .setNumThreads(3)
            .setUseNNAPI(true)
            .setCancellable(true)
            .addDelegate(DELEGATE)
            .addDelegateFactory(FACTORY)
            .setRuntime(TfLiteRuntime.PREFER_SYSTEM_OVER_APPLICATION)
            .setUseXNNPACK(false)
            .setAllowBufferHandleOutput(true)
            .setCompressQuantizationZeroPoints(true);
    assertSame(options, same);
    assertEquals(3, options.getNumThreads());
    assertTrue(options.getUseNNAPI());
    assertTrue(options.isCancellable());
    assertEquals(List.of(DELEGATE), options.getDelegates());
    assertEquals(List.of(FACTORY), options.getDelegateFactories());
    assertEquals(TfLiteRuntime.PREFER_SYSTEM_OVER_APPLICATION, options.getRuntime());
    assertFalse(options.getUseXNNPACK());
    assertTrue(options.getCompressQuantizationZeroPoints());
  }

  @Test
  void aCopyIsIndependent() {
    Interpreter.Options options = new Interpreter.Options().setNumThreads(2).addDelegate(DELEGATE);
    options.setCompressQuantizationZeroPoints(true);
    Interpreter.Options copy = new Interpreter.Options(options);
    options.setNumThreads(5).addDelegate(DELEGATE);
    assertEquals(2, copy.getNumThreads());
    assertEquals(1, copy.getDelegates().size());
    assertTrue(copy.getCompressQuantizationZeroPoints());
  }

  @Test
  void listsCannotBeChanged() {
    Interpreter.Options options = new Interpreter.Options();
    assertThrows(UnsupportedOperationException.class, () -> options.getDelegates().add(DELEGATE));
    assertThrows(UnsupportedOperationException.class, () -> options.getDelegateFactories().add(FACTORY));
  }

  @Test
  void anAccelerationConfigChangesTheOptionsOfOneInterpreter() {
    Interpreter.Options options = new Interpreter.Options();
    options.setAccelerationConfig(
        new ValidatedAccelerationConfig() {
          @Override
          public void apply(InterpreterApi.Options interpreterOptions) {
            interpreterOptions.setCancellable(true);
          }

          @Override
          public byte[] serialize() {
            return new byte[0];
          }
        });
    try (Interpreter interpreter = new Interpreter(Models.made("copy_float32"), options)) {
      interpreter.setCancelled(false); // would fail otherwise
    }
    assertFalse(options.isCancellable());
  }

  @Test
  void sizesOfTypes() {
    int[] sizes = {4, 4, 1, 8, -1, -1, 2, 1};
    DataType[] types = DataType.values();
    for (int i = 0; i < types.length; ++i) assertEquals(sizes[i], types[i].byteSize(), types[i].name());
  }
}
