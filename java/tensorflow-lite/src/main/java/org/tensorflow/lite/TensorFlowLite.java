// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite;

import java.lang.reflect.Constructor;
import org.tensorflow.lite.InterpreterApi.Options.TfLiteRuntime;

/** Versions, and loading of the native library. */
public final class TensorFlowLite {
  private static final String SYSTEM_FACTORY = "com.google.android.gms.tflite.InterpreterFactoryImpl";

  private static boolean loaded;

  private TensorFlowLite() {}

  /** The number of the model format that the runtime reads. */
  @Deprecated
  public static String version() {
    return schemaVersion();
  }

  /** The version of the application's runtime. */
  public static String runtimeVersion() {
    return runtimeVersion(null);
  }

  /**
   * The version of a runtime; null means that of the application.
   *
   * @throws IllegalStateException if that runtime is not there
   */
  public static String runtimeVersion(TfLiteRuntime runtime) {
    return factory(runtime).runtimeVersion();
  }

  /** The number of the model format that the application's runtime reads. */
  public static String schemaVersion() {
    return schemaVersion(null);
  }

  /**
   * The number of the model format that a runtime reads; null means that of the application.
   *
   * @throws IllegalStateException if that runtime is not there
   */
  public static String schemaVersion(TfLiteRuntime runtime) {
    return factory(runtime).schemaVersion();
  }

  /**
   * Loads the native library, unless it is loaded. The other classes call it by themselves.
   *
   * @throws UnsatisfiedLinkError if it cannot be loaded
   */
  public static synchronized void init() {
    if (loaded) return;
    LibraryLoader.load(
        TensorFlowLite.class,
        "org/tensorflow/lite/native",
        "Failed to load native TensorFlow Lite methods.",
        "tensorflowlite_jni",
        "tensorflowlite_jni_stable",
        "tensorflowlite_jni_gms_client");
    nativeDoNothing();
    loaded = true;
  }

  /** The factory of the runtime that is asked for. */
  static InterpreterFactoryApi factory(TfLiteRuntime runtime) {
    TfLiteRuntime wanted = runtime == null ? TfLiteRuntime.FROM_APPLICATION_ONLY : runtime;
    if (wanted == TfLiteRuntime.FROM_APPLICATION_ONLY) return new InterpreterFactoryImpl();
    try {
      Constructor<?> make = Class.forName(SYSTEM_FACTORY).getDeclaredConstructor();
      make.setAccessible(true);
      return (InterpreterFactoryApi) make.newInstance();
    } catch (ReflectiveOperationException | ClassCastException error) {
      if (wanted == TfLiteRuntime.PREFER_SYSTEM_OVER_APPLICATION) return new InterpreterFactoryImpl();
      throw new IllegalStateException(
          "Couldn't find the TensorFlow Lite runtime's InterpreterFactoryImpl class for "
              + wanted
              + ": this system has no runtime of its own (class "
              + SYSTEM_FACTORY
              + ").",
          error);
    }
  }

  static String runtimeVersionHere() {
    init();
    return nativeRuntimeVersion();
  }

  static String schemaVersionHere() {
    init();
    return Integer.toString(nativeSchemaVersion());
  }

  private static native void nativeDoNothing();

  private static native String nativeRuntimeVersion();

  private static native int nativeSchemaVersion();
}
