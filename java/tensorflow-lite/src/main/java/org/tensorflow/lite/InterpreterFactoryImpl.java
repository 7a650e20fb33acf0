// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.File;
import java.nio.ByteBuffer;

/** The runtime of this library. */
final class InterpreterFactoryImpl implements InterpreterFactoryApi {
  @Override
  public InterpreterApi create(File modelFile, InterpreterApi.Options options) {
    return new InterpreterImpl(modelFile, options);
  }

  @Override
  public InterpreterApi create(ByteBuffer byteBuffer, InterpreterApi.Options options) {
    return new InterpreterImpl(byteBuffer, options);
  }

  @Override
  public String runtimeVersion() {
    return TensorFlowLite.runtimeVersionHere();
  }

  @Override
  public String schemaVersion() {
    return TensorFlowLite.schemaVersionHere();
  }
}
