// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.lite.InterpreterApi.Options.TfLiteRuntime;
import org.tensorflow.lite.nnapi.NnApiDelegate;

/**
 * A native session with its delegates, graph and signatures. Its lock is held by every call, native ones included; only
 * {@link #setCancelled} does without, and keeps the session alive by a lock of its own.
 */
final class NativeInterpreter implements AutoCloseable {
  private final Object cancelLock = new Object(); // taken after the lock of this
  private boolean cancellable; // set once
  private final List<Delegate> owned = new ArrayList<>();
  private final List<Delegate> used = new ArrayList<>(); // the session points to what they hold
  private final Map<String, RunnableGraph> signatures = new HashMap<>();
  private Session session; // null: closed. Changed with both locks held.
  private RunnableGraph graph;
  private Long lastNanoseconds;

  private NativeInterpreter(Session session, InterpreterImpl.Options options) {
    this.session = session;
    boolean made = false;
    try {
      make(options);
      made = true;
    } finally {
      if (!made) close();
    }
  }

  static NativeInterpreter ofFile(String path, InterpreterImpl.Options options) {
    TensorFlowLite.init();
    return new NativeInterpreter(Session.ofFile(path), options);
  }

  static NativeInterpreter ofBuffer(ByteBuffer model, InterpreterImpl.Options options) {
    boolean isNative = model != null && model.isDirect() && model.order() == ByteOrder.nativeOrder();
    if (!isNative && !(model instanceof MappedByteBuffer && model.isDirect())) {
      throw new IllegalArgumentException(
          "Model ByteBuffer should be either a MappedByteBuffer of the model file, or a direct ByteBuffer using"
              + " ByteOrder.nativeOrder() which contains bytes of model content.");
    }
    TensorFlowLite.init();
    return new NativeInterpreter(Session.ofBuffer(model), options);
  }

  private void make(InterpreterImpl.Options options) {
    if (options.getAccelerationConfig() != null) options.getAccelerationConfig().apply(options);
    cancellable = options.isCancellable();
    checkNumThreads(options.getNumThreads());
    InterpreterNative.build(
        session.handle(), options.getNumThreads(), options.getUseNNAPI(), cancellable);
    for (Delegate delegate : delegates(options)) apply(delegate);
    if (options.allowBufferHandleOutput) InterpreterNative.allowBufferHandleOutput(session.handle(), true);
    graph = new RunnableGraph(this, null, 0);
    graph.allocate();
  }

  private static void checkNumThreads(int numThreads) {
    if (numThreads >= -1) return;
    throw new IllegalArgumentException(
        "Internal error: Cannot create interpreter: numThreads is "
            + numThreads
            + "; it must be 0 or more, or -1 for the runtime's choice.");
  }

  private List<Delegate> delegates(InterpreterImpl.Options options) {
    List<Delegate> delegates = new ArrayList<>(options.getDelegates());
    if (options.getRuntime() != TfLiteRuntime.FROM_APPLICATION_ONLY) {
      for (Delegate delegate : delegates) {
        if (delegate instanceof NnApiDelegate) continue;
        throw new IllegalArgumentException(
            "Delegates that exist already are not allowed with the runtime "
                + options.getRuntime()
                + ": give a DelegateFactory to addDelegateFactory() in place of the "
                + delegate.getClass().getName()
                + ".");
      }
    }
    for (DelegateFactory factory : options.getDelegateFactories()) {
      Delegate delegate = factory.create(RuntimeFlavor.APPLICATION);
      owned.add(delegate);
      delegates.add(delegate);
    }
    return delegates;
  }

  private void apply(Delegate delegate) {
    if (delegate == null) throw new IllegalArgumentException("Internal error: Found invalid handle: a delegate is null");
    if (delegate instanceof NnApiDelegate) return; // which has said that nothing stands behind it
    long handle = delegate.getNativeHandle();
    if (handle == 0) {
      throw new IllegalArgumentException(
          "Internal error: Found invalid handle: 0, of a " + delegate.getClass().getName() + " that is closed");
    }
    used.add(delegate);
    InterpreterNative.apply(session.handle(), handle);
  }

  /** The native session, for use within the lock. */
  long session() {
    if (session == null) {
      throw new IllegalStateException("Internal error: The Interpreter has already been closed.");
    }
    return session.handle();
  }

  /** A buffer over memory of the session. */
  ByteBuffer view(ByteBuffer memory) {
    return session.view(memory);
  }

  synchronized void run(Object[] inputs, Map<Integer, Object> outputs) {
    session();
    lastNanoseconds = null;
    if (inputs == null || inputs.length == 0) {
      throw new IllegalArgumentException("Input error: Inputs should not be null or empty.");
    }
    if (outputs == null) throw new IllegalArgumentException("Input error: Outputs should not be null.");
    Map<Integer, Object> given = new LinkedHashMap<>();
    for (int i = 0; i < inputs.length; ++i) given.put(i, inputs[i]);
    lastNanoseconds = graph.run(given, outputs);
  }

  synchronized void runSignature(Map<String, Object> inputs, Map<String, Object> outputs, String signatureKey) {
    session();
    lastNanoseconds = null;
    if (inputs == null || inputs.isEmpty()) {
      throw new IllegalArgumentException("Input error: Inputs should not be null or empty.");
    }
    if (outputs == null) throw new IllegalArgumentException("Input error: Outputs should not be null.");
    String key = keyOrOnly(signatureKey);
    Map<Integer, Object> given = byPosition(inputs, key, false);
    Map<Integer, Object> wanted = byPosition(outputs, key, true);
    lastNanoseconds = graphOf(key).run(given, wanted);
  }

  /** Runs a graph, and gives the time that it took. */
  long invoke(long runner) {
    long begin = System.nanoTime();
    String problem = InterpreterNative.invoke(session(), runner);
    long nanoseconds = System.nanoTime() - begin;
    if (problem == null) return nanoseconds;
    throw new IllegalArgumentException("Internal error: Failed to run on the given Interpreter: " + problem);
  }

  synchronized void allocateTensors() {
    session();
    graph.allocate();
  }

  synchronized void resizeInput(int position, int[] dims, boolean strict) {
    session();
    graph.resize(position, dims, strict);
  }

  synchronized void resetVariableTensors() {
    String problem = InterpreterNative.resetVariables(session());
    if (problem != null) {
      throw new IllegalArgumentException("Internal error: Failed to reset variable tensors: " + problem);
    }
  }

  void setCancelled(boolean cancelled) {
    synchronized (cancelLock) {
      long handle = session();
      if (!cancellable) {
        throw new IllegalStateException(
            "Cannot cancel the inference. Have you called InterpreterApi.Options.setCancellable?");
      }
      InterpreterNative.setCancelled(handle, cancelled);
    }
  }

  synchronized int tensorCount(boolean isOutput) {
    session();
    return graph.count(isOutput);
  }

  synchronized TensorImpl tensor(int position, boolean isOutput) {
    session();
    return graph.tensor(position, isOutput);
  }

  synchronized int positionOf(String name, boolean isOutput) {
    session();
    Map<String, Integer> positions = new LinkedHashMap<>();
    for (int i = 0; i < graph.count(isOutput); ++i) {
      if (graph.tensor(i, isOutput) != null) positions.put(graph.tensor(i, isOutput).name(), i);
    }
    Integer position = positions.get(name);
    if (position != null) return position;
    String kind = isOutput ? "output" : "input";
    throw new IllegalArgumentException(
        String.format(
            "Input error: '%s' is not a valid name for any %s. Names of %ss and their indexes are %s",
            name, kind, kind, positions));
  }

  synchronized Long lastInferenceNanoseconds() {
    session();
    return lastNanoseconds;
  }

  // ---- Signatures.

  synchronized String[] signatureKeys() {
    return InterpreterNative.signatureKeys(session());
  }

  synchronized String[] signatureNames(String signatureKey, boolean isOutput) {
    return InterpreterNative.signatureTensors(runnerOf(keyOrOnly(signatureKey)), isOutput);
  }

  synchronized Tensor signatureTensor(String name, String signatureKey, boolean isOutput) {
    String key = keyOrOnly(signatureKey);
    return graphOf(key).tensor(positionInGraph(name, key, isOutput), isOutput);
  }

  private String keyOrOnly(String key) {
    if (key != null) return key;
    String[] keys = signatureKeys();
    if (keys.length == 1) return keys[0];
    throw new IllegalArgumentException(
        "Input error: SignatureDef signatureKey should not be null. null is only allowed if the model has a single"
            + " Signature. Available Signatures: "
            + Arrays.toString(keys));
  }

  private long runnerOf(String key) {
    long runner = InterpreterNative.runner(session(), key);
    if (runner == 0) throw new IllegalArgumentException("Input error: Signature " + key + " not found.");
    return runner;
  }

  private Map<Integer, Object> byPosition(Map<String, Object> byName, String key, boolean isOutput) {
    Map<Integer, Object> objects = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : byName.entrySet()) {
      objects.put(positionInGraph(entry.getKey(), key, isOutput), entry.getValue());
    }
    return objects;
  }

  /** Among the tensors of the graph that {@link #graphOf} gives. */
  private int positionInGraph(String name, String key, boolean isOutput) {
    long runner = runnerOf(key);
    int position = Arrays.asList(InterpreterNative.signatureTensors(runner, isOutput)).indexOf(name);
    if (position < 0) {
      throw new IllegalArgumentException("Input error: " + (isOutput ? "output " : "input ") + name + " not found.");
    }
    int inGraph = InterpreterNative.graphPosition(session(), runner, isOutput, position);
    return graphOf(key) == graph ? inGraph : position;
  }

  /** The model's own graph for signatures of it; others are run by themselves. */
  private RunnableGraph graphOf(String key) {
    RunnableGraph known = signatures.get(key);
    if (known != null) return known;
    long runner = runnerOf(key);
    RunnableGraph found = isOfGraph(runner) ? graph : new RunnableGraph(this, key, runner);
    signatures.put(key, found);
    return found;
  }

  private boolean isOfGraph(long runner) {
    for (int side = 0; side < 2; ++side) {
      boolean isOutput = side == 1;
      for (int i = 0; i < InterpreterNative.tensorCount(session(), runner, isOutput); ++i) {
        if (InterpreterNative.graphPosition(session(), runner, isOutput, i) < 0) return false;
      }
    }
    return true;
  }

  @Override
  public synchronized void close() {
    Session ending;
    synchronized (cancelLock) {
      ending = session;
      session = null;
    }
    if (ending == null) return;
    for (Delegate delegate : owned) delegate.close();
    ending.end();
    used.clear();
  }
}
