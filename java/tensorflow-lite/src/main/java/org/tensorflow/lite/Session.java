// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Owns a native session and the buffer of its model. Buffers over its memory that an application holds keep it: they may
 * outlive the interpreter.
 */
final class Session {
  /** A buffer over native memory. Buffers that were derived from it hold it, so it is gone after them. */
  private static final class View extends WeakReference<ByteBuffer> {
    final Session session;

    View(ByteBuffer memory, Session session) {
      super(memory, GONE);
      this.session = session;
    }
  }

  private static final ReferenceQueue<ByteBuffer> GONE = new ReferenceQueue<>();
  private static final Set<View> VIEWS = new HashSet<>(); // guarded by itself

  private final long handle;
  private final ByteBuffer model; // the runtime reads from it; null for a file
  private int views; // guarded by VIEWS
  private boolean ended; // likewise

  private Session(long handle, ByteBuffer model) {
    this.handle = handle;
    this.model = model;
  }

  static Session ofFile(String path) {
    return new Session(InterpreterNative.loadFile(path), null);
  }

  static Session ofBuffer(ByteBuffer model) {
    return new Session(InterpreterNative.loadBuffer(model), model);
  }

  /** The native address. */
  long handle() {
    return handle;
  }

  /** A read-only buffer over memory of this session. */
  ByteBuffer view(ByteBuffer memory) {
    deleteUnused();
    synchronized (VIEWS) {
      VIEWS.add(new View(memory, this));
      ++views;
    }
    return memory.asReadOnlyBuffer().order(memory.order());
  }

  /** Called once. Deletes the native session, as soon as nobody can read its memory. */
  void end() {
    boolean unused;
    synchronized (VIEWS) {
      ended = true;
      unused = views == 0;
    }
    if (unused) InterpreterNative.delete(handle);
    deleteUnused();
  }

  private static void deleteUnused() {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      Session session = ((View) gone).session;
      boolean unused;
      synchronized (VIEWS) {
        VIEWS.remove(gone);
        --session.views;
        unused = session.ended && session.views == 0;
      }
      if (unused) InterpreterNative.delete(session.handle);
    }
  }
}
