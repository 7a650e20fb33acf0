// SPDX-License-Identifier: Apache-2.0
package org.tensorflow.lite.nnapi;

import java.util.logging.Logger;
import org.tensorflow.lite.Delegate;
import org.tensorflow.lite.InterpreterFactoryApi;

/**
 * Android's NNAPI, by the name that applications import. This runtime has none: a warning is logged, and an interpreter with
 * this delegate runs its model on the CPU.
 */
public class NnApiDelegate implements Delegate, AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger(NnApiDelegate.class.getName());

  /** Requests to an NNAPI. All of them are kept and read back, and change nothing. */
  public static final class Options {
    public static final int EXECUTION_PREFERENCE_UNDEFINED = -1;
    public static final int EXECUTION_PREFERENCE_LOW_POWER = 0;
    public static final int EXECUTION_PREFERENCE_FAST_SINGLE_ANSWER = 1;
    public static final int EXECUTION_PREFERENCE_SUSTAINED_SPEED = 2;

    private int executionPreference = EXECUTION_PREFERENCE_UNDEFINED;
    private String acceleratorName;
    private String cacheDir;
    private String modelToken;
    private int maxNumberOfDelegatedPartitions = -1;
    private Boolean useNnapiCpu;
    private boolean allowFp16;
    private long supportLibraryHandle;

    public Options setExecutionPreference(int preference) {
      executionPreference = preference;
      return this;
    }

    public int getExecutionPreference() {
      return executionPreference;
    }

    public Options setAcceleratorName(String name) {
      acceleratorName = name;
      return this;
    }

    /** Null unless it was set. */
    public String getAcceleratorName() {
      return acceleratorName;
    }

    public Options setCacheDir(String dir) {
      cacheDir = dir;
      return this;
    }

    /** Null unless it was set. */
    public String getCacheDir() {
      return cacheDir;
    }

    public Options setModelToken(String token) {
      modelToken = token;
      return this;
    }

    /** Null unless it was set. */
    public String getModelToken() {
      return modelToken;
    }

    public Options setMaxNumberOfDelegatedPartitions(int limit) {
      maxNumberOfDelegatedPartitions = limit;
      return this;
    }

    /** -1 unless it was set. */
    public int getMaxNumberOfDelegatedPartitions() {
      return maxNumberOfDelegatedPartitions;
    }

    public Options setUseNnapiCpu(boolean enable) {
      useNnapiCpu = enable;
      return this;
    }

    /** Null unless it was set. */
    public Boolean getUseNnapiCpu() {
      return useNnapiCpu;
    }

    public Options setAllowFp16(boolean enable) {
      allowFp16 = enable;
      return this;
    }

    public boolean getAllowFp16() {
      return allowFp16;
    }

    public Options setNnApiSupportLibraryHandle(long handle) {
      supportLibraryHandle = handle;
      return this;
    }

    public long getNnApiSupportLibraryHandle() {
      return supportLibraryHandle;
    }
  }

  public NnApiDelegate() {
    this(new Options());
  }

  public NnApiDelegate(Options options) {
    if (options == null) throw new NullPointerException("The options of an NnApiDelegate are null.");
    LOGGER.warning("There is no NNAPI in this runtime; models with an NnApiDelegate run on the CPU.");
  }

  /** There is nothing to initialize. */
  public void initWithInterpreterFactoryApi(InterpreterFactoryApi interpreterFactoryApi) {}

  /** 0: there is no native delegate. */
  @Override
  public long getNativeHandle() {
    return 0;
  }

  @Override
  public void close() {}

  /** 0: nothing has failed. */
  public int getNnapiErrno() {
    return 0;
  }

  public boolean hasErrors() {
    return getNnapiErrno() != 0;
  }
}
