// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.File;
import java.nio.ByteBuffer;

/** The factory that a runtime offers to {@link InterpreterApi#create}; applications call that. */
public interface InterpreterFactoryApi {
  InterpreterApi create(File modelFile, InterpreterApi.Options options);

  InterpreterApi create(ByteBuffer byteBuffer, InterpreterApi.Options options);

  String runtimeVersion();

  String schemaVersion();
}
