// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.Closeable;

/** Runs parts of a model on other hardware. Close it after the interpreters that use it. */
public interface Delegate extends Closeable {
  /** Address of the native {@code TfLiteDelegate}; it stays valid until {@link #close}. */
  long getNativeHandle();

  /** Frees what the delegate holds. Calling it again does nothing. */
  @Override
  default void close() {}
}
