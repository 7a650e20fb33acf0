// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A tensor by its place, which stays right when tensors are allocated again. */
final class TensorImpl implements Tensor {
  private final NativeInterpreter owner; // its lock is held around native calls
  private final long runner; // 0: the graph itself
  private final boolean isOutput;
  private final int position;

  TensorImpl(NativeInterpreter owner, long runner, boolean isOutput, int position) {
    this.owner = owner;
    this.runner = runner;
    this.isOutput = isOutput;
    this.position = position;
  }

  @Override
  public DataType dataType() {
    synchronized (owner) {
      return DataType.fromCode(TensorNative.type(owner.session(), runner, isOutput, position));
    }
  }

  @Override
  public int numDimensions() {
    return shape().length;
  }

  @Override
  public int numBytes() {
    synchronized (owner) {
      return (int) TensorNative.byteSize(owner.session(), runner, isOutput, position);
    }
  }

  @Override
  public int numElements() {
    int count = 1;
    for (int dimension : shape()) count *= dimension;
    return count;
  }

  @Override
  public int[] shape() {
    synchronized (owner) {
      return TensorNative.shape(owner.session(), runner, isOutput, position);
    }
  }

  @Override
  public int[] shapeSignature() {
    synchronized (owner) {
      return TensorNative.shapeSignature(owner.session(), runner, isOutput, position);
    }
  }

  @Override
  public int index() {
    synchronized (owner) {
      return TensorNative.index(owner.session(), runner, isOutput, position);
    }
  }

  @Override
  public String name() {
    synchronized (owner) {
      return TensorNative.name(owner.session(), runner, isOutput, position);
    }
  }

  @Override
  public QuantizationParams quantizationParams() {
    synchronized (owner) {
      long session = owner.session();
      return new QuantizationParams(
          TensorNative.scale(session, runner, isOutput, position),
          TensorNative.zeroPoint(session, runner, isOutput, position));
    }
  }

  @Override
  public ByteBuffer asReadOnlyBuffer() {
    synchronized (owner) {
      return owner.view(data());
    }
  }

  /** The shape that an input must be resized to for this object; null where it fits, or is a buffer. */
  int[] shapeToResizeTo(Object input) {
    if (input == null || input instanceof Buffer) return null;
    DataType type = dataType();
    JavaValues.checkType(input, type);
    int[] shape = JavaValues.shapeOf(input, type);
    return Arrays.equals(shape, shape()) ? null : shape;
  }

  /** Copies an input of the application. */
  void set(Object from) {
    if (isLeftToDelegate(from)) return;
    DataType type = dataType();
    JavaValues.checkType(from, type);
    if (from instanceof Buffer) {
      long size = JavaValues.capacityInBytes((Buffer) from, type);
      if (size != numBytes()) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot copy to a TensorFlowLite tensor (%s) with %d bytes from a Java Buffer with %d bytes.",
                name(), numBytes(), size));
      }
      JavaValues.writeBuffer((Buffer) from, data(), type);
      return;
    }
    int[] shape = JavaValues.shapeOf(from, type);
    if (!Arrays.equals(shape, shape())) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot copy to a TensorFlowLite tensor (%s) with shape %s from a Java object with shape %s.",
              name(), Arrays.toString(shape()), Arrays.toString(shape)));
    }
    if (type == DataType.STRING) {
      setStrings(StringTensors.pack(from));
    } else {
      JavaValues.write(from, data(), type);
    }
  }

  private void setStrings(byte[] bytes) {
    if (!TensorNative.setStrings(owner.session(), runner, position, bytes)) {
      throw new IllegalArgumentException(
          "Internal error: There is no memory for the " + bytes.length + " bytes of strings of " + name() + ".");
    }
  }

  /** Copies an output to an array or buffer of the application. */
  void copyTo(Object to) {
    if (isLeftToDelegate(to)) return;
    DataType type = dataType();
    JavaValues.checkType(to, type);
    if (to instanceof Buffer) {
      long size = JavaValues.capacityInBytes((Buffer) to, type);
      if (size < numBytes()) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot copy from a TensorFlowLite tensor (%s) with %d bytes to a Java Buffer with %d bytes.",
                name(), numBytes(), size));
      }
      JavaValues.readBuffer(data(), type, (Buffer) to);
      return;
    }
    int[] shape = JavaValues.shapeOf(to, type);
    boolean fits = Arrays.equals(shape, shape());
    if (!fits || shape.length == 0) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot copy from a TensorFlowLite tensor (%s) with shape %s to a Java object with shape %s.%s",
              name(),
              Arrays.toString(shape()),
              Arrays.toString(shape),
              fits ? " A scalar is read into a Buffer: a " + to.getClass().getName() + " cannot change." : ""));
    }
    if (type == DataType.STRING) {
      StringTensors.unpack(data(), (Object[]) to);
    } else {
      JavaValues.read(data(), type, to);
    }
  }

  private boolean isLeftToDelegate(Object object) {
    if (object != null) return false;
    if (TensorNative.hasBufferHandle(owner.session(), runner, isOutput, position)) return true;
    throw new IllegalArgumentException(
        "Null " + (isOutput ? "outputs" : "inputs") + " are allowed only if the Tensor is bound to a buffer handle.");
  }

  /** The memory as it is now, for use within the owner's lock. */
  private ByteBuffer data() {
    long session = owner.session();
    if (TensorNative.byteSize(session, runner, isOutput, position) == 0) return ByteBuffer.allocateDirect(0);
    ByteBuffer data = TensorNative.data(session, runner, isOutput, position);
    if (data == null) {
      throw new IllegalArgumentException("Internal error: Tensor " + name() + " hasn't been allocated.");
    }
    return data.order(ByteOrder.nativeOrder());
  }
}
