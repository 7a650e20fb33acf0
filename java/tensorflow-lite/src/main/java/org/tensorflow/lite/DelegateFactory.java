// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

/** Makes delegates for the runtime that an interpreter runs on, which owns and closes them. */
public interface DelegateFactory {
  /** A new delegate for this runtime. */
  Delegate create(RuntimeFlavor runtimeFlavor);
}
