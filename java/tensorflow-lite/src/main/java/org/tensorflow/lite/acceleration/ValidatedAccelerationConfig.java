// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.acceleration;

import org.tensorflow.lite.InterpreterApi;

/** Settings of delegates that an acceleration service has tried out on this device. */
public interface ValidatedAccelerationConfig {
  /** Changes the options of an interpreter that is about to be made. */
  void apply(InterpreterApi.Options interpreterOptions);

  /** The settings as bytes, in a format of the service. */
  byte[] serialize();
}
