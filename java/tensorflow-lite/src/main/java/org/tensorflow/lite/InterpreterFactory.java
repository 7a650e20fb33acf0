// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.File;
import java.nio.ByteBuffer;

/** {@link InterpreterApi#create} as an object, for programs that pass it around. */
public class InterpreterFactory {
  public InterpreterFactory() {}

  /** An interpreter of the model in a file; see {@link InterpreterApi#create(File, InterpreterApi.Options)}. */
  public InterpreterApi create(File modelFile, InterpreterApi.Options options) {
    return InterpreterApi.create(modelFile, options);
  }

  /** An interpreter of the model in a buffer; see {@link InterpreterApi#create(ByteBuffer, InterpreterApi.Options)}. */
  public InterpreterApi create(ByteBuffer byteBuffer, InterpreterApi.Options options) {
    return InterpreterApi.create(byteBuffer, options);
  }
}
