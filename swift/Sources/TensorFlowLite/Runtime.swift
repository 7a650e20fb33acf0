// SPDX-License-Identifier: Apache-2.0
// Facts about the runtime behind the package.
import TensorFlowLiteC

/// The runtime that the package is linked with.
public enum Runtime {
    /// The version of TensorFlow Lite's interface that the runtime has, such as `2.19.0`.
    public static var version: String { String(cString: TfLiteVersion()) }
}
