// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.nio.ByteBuffer;

/**
 * An input or output of an {@link Interpreter}. All methods throw {@link IllegalStateException} once the interpreter is
 * closed.
 */
public interface Tensor {
  /** How quantized elements stand for numbers: {@code scale * (element - zeroPoint)}. */
  class QuantizationParams {
    private final float scale;
    private final int zeroPoint;

    public QuantizationParams(float scale, int zeroPoint) {
      this.scale = scale;
      this.zeroPoint = zeroPoint;
    }

    public float getScale() {
      return scale;
    }

    public int getZeroPoint() {
      return zeroPoint;
    }
  }

  /** Type of the elements. */
  DataType dataType();

  /** Number of dimensions; 0 for a scalar. */
  int numDimensions();

  /** Size of the elements in bytes. */
  int numBytes();

  /** Number of elements: the product of the shape. */
  int numElements();

  /** The dimensions as they are now. */
  int[] shape();

  /** The dimensions as the model has them, -1 for each that it leaves open. */
  int[] shapeSignature();

  /** Index among all tensors of the model's graph; -1 for a tensor in another graph than the first. */
  int index();

  String name();

  /** Scale 0 and zero point 0 where the tensor is not quantized with one scale. */
  QuantizationParams quantizationParams();

  /**
   * The tensor's memory, without a copy, in native byte order. Each run changes what it shows. It must not be read once
   * tensors have been resized and allocated again; after the interpreter was closed it keeps the numbers it had.
   */
  ByteBuffer asReadOnlyBuffer();
}
