// SPDX-License-Identifier: Apache-2.0
// Delegates as the interpreter sees them.
import TensorFlowLiteC

/// Runs nodes of a graph in the place of the CPU. The object owns the C delegate. An interpreter keeps its delegates alive.
public protocol Delegate: AnyObject {
    typealias CDelegate = UnsafeMutablePointer<TfLiteDelegate>

    /// The delegate of the C API. It stays the same, and valid, as long as this object lives.
    var cDelegate: CDelegate { get }
}
