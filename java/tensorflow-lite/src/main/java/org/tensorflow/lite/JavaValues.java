// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** Arrays, scalars and buffers as the elements of a tensor. */
final class JavaValues {
  private JavaValues() {}

  /**
   * The type that an object has as a tensor. Bytes are UINT8, or whole strings where strings are expected.
   *
   * @throws IllegalArgumentException for other classes
   */
  static DataType typeOf(Object object, DataType expected) {
    Class<?> type = object.getClass();
    boolean isArray = type.isArray();
    while (type.isArray()) type = type.getComponentType();
    if (isElement(type, isArray, float.class, Float.class) || object instanceof FloatBuffer) return DataType.FLOAT32;
    if (isElement(type, isArray, int.class, Integer.class) || object instanceof IntBuffer) return DataType.INT32;
    if (isElement(type, isArray, byte.class, Byte.class)) {
      return expected == DataType.STRING && isArray ? DataType.STRING : DataType.UINT8;
    }
    if (isElement(type, isArray, long.class, Long.class) || object instanceof LongBuffer) return DataType.INT64;
    if (isElement(type, isArray, short.class, Short.class) || object instanceof ShortBuffer) return DataType.INT16;
    if (isElement(type, isArray, boolean.class, Boolean.class)) return DataType.BOOL;
    if (type == String.class) return DataType.STRING;
    throw new IllegalArgumentException(
        "DataType error: cannot resolve DataType of " + object.getClass().getName());
  }

  /** Arrays are of primitives, scalars are boxed. */
  private static boolean isElement(Class<?> type, boolean isArray, Class<?> primitive, Class<?> boxed) {
    return type == (isArray ? primitive : boxed);
  }

  /** Fails where an object cannot stand for a tensor of this type. Bytes of a {@link ByteBuffer} can for all numbers. */
  static void checkType(Object object, DataType type) {
    if (object instanceof ByteBuffer && type != DataType.STRING) return;
    DataType given = typeOf(object, type);
    if (given.javaName().equals(type.javaName())) return;
    throw new IllegalArgumentException(
        String.format(
            "Cannot convert between a TensorFlowLite tensor with type %s and a Java object of type %s (which is"
                + " compatible with the TensorFlowLite type %s).",
            type, object.getClass().getName(), given));
  }

  /**
   * The dimensions of an array, none for a scalar. Of bytes that are strings the last dimension is not counted.
   *
   * @throws IllegalArgumentException for arrays that are empty, ragged or hold null
   */
  static int[] shapeOf(Object object, DataType type) {
    int rank = rankOf(object);
    if (type == DataType.STRING && isBytes(object)) --rank;
    int[] shape = new int[rank];
    fillShape(object, 0, shape);
    return shape;
  }

  private static boolean isBytes(Object object) {
    Class<?> type = object.getClass();
    while (type.isArray()) type = type.getComponentType();
    return type == byte.class;
  }

  private static int rankOf(Object object) {
    int rank = 0;
    for (Class<?> type = object.getClass(); type.isArray(); type = type.getComponentType()) ++rank;
    return rank;
  }

  private static void fillShape(Object object, int dimension, int[] shape) {
    if (dimension == shape.length) return;
    if (object == null) {
      throw new IllegalArgumentException("Arrays cannot hold null (found in dimension " + dimension + ").");
    }
    int length = Array.getLength(object);
    if (length == 0) throw new IllegalArgumentException("Array lengths cannot be 0.");
    if (shape[dimension] == 0) {
      shape[dimension] = length;
    } else if (shape[dimension] != length) {
      throw new IllegalArgumentException(
          String.format("Mismatched lengths (%d and %d) in dimension %d", shape[dimension], length, dimension));
    }
    if (!(object instanceof Object[])) return;
    for (Object part : (Object[]) object) fillShape(part, dimension + 1, shape);
  }

  /** Writes an array or a scalar, whose shape fits, to the start of a tensor's memory. */
  static void write(Object from, ByteBuffer data, DataType type) {
    writeParts(from, elements(data, type));
  }

  private static void writeParts(Object from, Buffer to) {
    if (from instanceof float[]) {
      ((FloatBuffer) to).put((float[]) from);
    } else if (from instanceof int[]) {
      ((IntBuffer) to).put((int[]) from);
    } else if (from instanceof byte[]) {
      ((ByteBuffer) to).put((byte[]) from);
    } else if (from instanceof long[]) {
      ((LongBuffer) to).put((long[]) from);
    } else if (from instanceof short[]) {
      ((ShortBuffer) to).put((short[]) from);
    } else if (from instanceof boolean[]) {
      for (boolean value : (boolean[]) from) ((ByteBuffer) to).put((byte) (value ? 1 : 0));
    } else if (from instanceof Object[]) {
      for (Object part : (Object[]) from) writeParts(part, to);
    } else {
      writeScalar(from, to);
    }
  }

  private static void writeScalar(Object from, Buffer to) {
    if (from instanceof Float) {
      ((FloatBuffer) to).put((Float) from);
    } else if (from instanceof Integer) {
      ((IntBuffer) to).put((Integer) from);
    } else if (from instanceof Long) {
      ((LongBuffer) to).put((Long) from);
    } else if (from instanceof Short) {
      ((ShortBuffer) to).put((Short) from);
    } else if (from instanceof Boolean) {
      ((ByteBuffer) to).put((byte) ((Boolean) from ? 1 : 0));
    } else {
      ((ByteBuffer) to).put((Byte) from);
    }
  }

  /** Reads an array, whose shape fits, from the start of a tensor's memory. */
  static void read(ByteBuffer data, DataType type, Object to) {
    readParts(elements(data, type), to);
  }

  private static void readParts(Buffer from, Object to) {
    if (to instanceof float[]) {
      ((FloatBuffer) from).get((float[]) to);
    } else if (to instanceof int[]) {
      ((IntBuffer) from).get((int[]) to);
    } else if (to instanceof byte[]) {
      ((ByteBuffer) from).get((byte[]) to);
    } else if (to instanceof long[]) {
      ((LongBuffer) from).get((long[]) to);
    } else if (to instanceof short[]) {
      ((ShortBuffer) from).get((short[]) to);
    } else if (to instanceof boolean[]) {
      boolean[] values = (boolean[]) to;
      for (int i = 0; i < values.length; ++i) values[i] = ((ByteBuffer) from).get() != 0;
    } else {
      for (Object part : (Object[]) to) readParts(from, part);
    }
  }

  /** Copies a buffer of the right type. Direct ones in native order are taken from their start, others from where they are. */
  static void writeBuffer(Buffer from, ByteBuffer data, DataType type) {
    if (from instanceof ByteBuffer) {
      ByteBuffer bytes = (ByteBuffer) from;
      data.put(isNative(bytes.isDirect(), bytes.order()) ? (ByteBuffer) bytes.duplicate().clear() : bytes);
      return;
    }
    Buffer to = elements(data, type);
    if (from instanceof FloatBuffer) {
      FloatBuffer values = (FloatBuffer) from;
      boolean whole = isNative(values.isDirect(), values.order());
      ((FloatBuffer) to).put(whole ? (FloatBuffer) values.duplicate().clear() : values);
    } else if (from instanceof IntBuffer) {
      IntBuffer values = (IntBuffer) from;
      boolean whole = isNative(values.isDirect(), values.order());
      ((IntBuffer) to).put(whole ? (IntBuffer) values.duplicate().clear() : values);
    } else if (from instanceof LongBuffer) {
      LongBuffer values = (LongBuffer) from;
      boolean whole = isNative(values.isDirect(), values.order());
      ((LongBuffer) to).put(whole ? (LongBuffer) values.duplicate().clear() : values);
    } else {
      ShortBuffer values = (ShortBuffer) from;
      boolean whole = isNative(values.isDirect(), values.order());
      ((ShortBuffer) to).put(whole ? (ShortBuffer) values.duplicate().clear() : values);
    }
  }

  /** Puts all elements into a buffer of the right type, where it is. */
  static void readBuffer(ByteBuffer data, DataType type, Buffer to) {
    if (to instanceof ByteBuffer) {
      ((ByteBuffer) to).put(data);
    } else if (to instanceof FloatBuffer) {
      ((FloatBuffer) to).put((FloatBuffer) elements(data, type));
    } else if (to instanceof IntBuffer) {
      ((IntBuffer) to).put((IntBuffer) elements(data, type));
    } else if (to instanceof LongBuffer) {
      ((LongBuffer) to).put((LongBuffer) elements(data, type));
    } else {
      ((ShortBuffer) to).put((ShortBuffer) elements(data, type));
    }
  }

  /** Size of a buffer's memory, whatever its position and limit. */
  static long capacityInBytes(Buffer buffer, DataType type) {
    return buffer instanceof ByteBuffer ? buffer.capacity() : (long) buffer.capacity() * type.byteSize();
  }

  private static boolean isNative(boolean isDirect, ByteOrder order) {
    return isDirect && order == ByteOrder.nativeOrder();
  }

  private static Buffer elements(ByteBuffer data, DataType type) {
    switch (type) {
      case FLOAT32:
        return data.asFloatBuffer();
      case INT32:
        return data.asIntBuffer();
      case INT64:
        return data.asLongBuffer();
      case INT16:
        return data.asShortBuffer();
      default:
        return data;
    }
  }
}
