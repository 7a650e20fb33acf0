// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

/** Where a runtime comes from. */
public enum RuntimeFlavor {
  /** It is part of the application. */
  APPLICATION,
  /** It is part of the system, as Google Play services are. */
  SYSTEM
}
