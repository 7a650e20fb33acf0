// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of string tensors: an int32 count N, N + 1 int32 offsets from the start, the characters in UTF-8. An element
 * in Java is a {@link String} or its {@code byte[]}.
 */
final class StringTensors {
  private StringTensors() {}

  /** The bytes for an array of any rank, or one string. */
  static byte[] pack(Object from) {
    List<byte[]> strings = new ArrayList<>();
    collect(from, strings);
    ByteArrayOutputStream characters = new ByteArrayOutputStream();
    int start = 4 * (strings.size() + 2);
    ByteBuffer head = ByteBuffer.allocate(start).order(ByteOrder.nativeOrder());
    head.putInt(strings.size());
    for (byte[] string : strings) {
      head.putInt(start + characters.size());
      characters.write(string, 0, string.length);
    }
    head.putInt(start + characters.size());
    byte[] bytes = new byte[start + characters.size()];
    System.arraycopy(head.array(), 0, bytes, 0, start);
    System.arraycopy(characters.toByteArray(), 0, bytes, start, characters.size());
    return bytes;
  }

  private static void collect(Object from, List<byte[]> strings) {
    if (from instanceof byte[]) {
      strings.add((byte[]) from);
    } else if (from instanceof Object[]) {
      for (Object part : (Object[]) from) collect(part, strings);
    } else if (from == null) {
      throw new IllegalArgumentException("Arrays cannot hold null (found in place of a string).");
    } else {
      strings.add(((String) from).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Replaces the elements of an array, whose shape fits. */
  static void unpack(ByteBuffer data, Object[] to) {
    int count = data.capacity() < 8 ? 0 : data.getInt(0);
    int filled = fill(data, count, to, 0);
    if (filled != count) {
      throw new IllegalArgumentException(
          "Internal error: a string tensor holds " + count + " strings, its shape has " + filled + ".");
    }
  }

  private static int fill(ByteBuffer data, int count, Object[] to, int next) {
    Class<?> type = to.getClass().getComponentType();
    for (int i = 0; i < to.length; ++i) {
      if (type != String.class && type != byte[].class) {
        next = fill(data, count, (Object[]) to[i], next);
        continue;
      }
      byte[] string = next < count ? stringAt(data, next) : new byte[0];
      to[i] = type == String.class ? new String(string, StandardCharsets.UTF_8) : string;
      ++next;
    }
    return next;
  }

  private static byte[] stringAt(ByteBuffer data, int index) {
    int begin = data.getInt(4 * (index + 1));
    int end = data.getInt(4 * (index + 2));
    if (begin < 0 || end < begin || end > data.capacity()) {
      throw new IllegalArgumentException("Internal error: string " + index + " of a tensor lies outside its bytes.");
    }
    byte[] string = new byte[end - begin];
    ByteBuffer from = data.duplicate();
    from.position(begin);
    from.get(string);
    return string;
  }
}
