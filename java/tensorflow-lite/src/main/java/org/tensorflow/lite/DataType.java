// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

/** Type of the elements of a {@link Tensor}. */
public enum DataType {
  FLOAT32(1),
  INT32(2),
  /** Numbers 0 to 255. Java has no such type: a {@code byte} holds the eight bits. */
  UINT8(3),
  INT64(4),
  STRING(5),
  BOOL(6),
  INT16(7),
  INT8(9);

  private static final DataType[] VALUES = values();

  private final int code;

  DataType(int code) {
    this.code = code;
  }

  /** Bytes of one element; -1 for strings, whose size differs, and for booleans, as in TensorFlow Lite. */
  public int byteSize() {
    switch (this) {
      case FLOAT32:
      case INT32:
        return 4;
      case INT64:
        return 8;
      case INT16:
        return 2;
      case UINT8:
      case INT8:
        return 1;
      default:
        return -1;
    }
  }

  /** The number of this type in the C API. */
  int code() {
    return code;
  }

  /** The Java type that the elements have in arrays. Both types of 8 bits have the same. */
  String javaName() {
    switch (this) {
      case FLOAT32:
        return "float";
      case INT32:
        return "int";
      case INT64:
        return "long";
      case INT16:
        return "short";
      case UINT8:
      case INT8:
        return "byte";
      case BOOL:
        return "bool";
      default:
        return "string";
    }
  }

  static DataType fromCode(int code) {
    for (DataType type : VALUES) {
      if (type.code == code) return type;
    }
    throw new IllegalArgumentException(
        "DataType error: DataType " + code + " is not recognized in Java (a tensor of this type can be used"
            + " inside a model only)");
  }
}
