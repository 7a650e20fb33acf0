// SPDX-License-Identifier: Apache-2.0
// The GPU delegate of Apple's systems.
import TensorFlowLiteC
import TensorFlowLiteCMetal
import TensorFlowLiteCSupport

/// Runs a graph on the GPU by Metal. One delegate is for one interpreter.
///
/// Where there is no Metal device the delegate is made all the same, and making an interpreter with it fails with
/// `InterpreterError.failedToCreateInterpreter`.
public final class MetalDelegate: Delegate {
    /// The options as they were when the delegate was made.
    public let options: Options

    public private(set) var cDelegate: CDelegate

    public init(options: Options = Options()) {
        self.options = options
        var given = TernSwiftMetalOptionsDefault()
        given.allow_precision_loss = options.isPrecisionLossAllowed
        given.wait_type = options.waitType.cWaitType
        given.enable_quantization = options.isQuantizationEnabled
        cDelegate = TernSwiftMetalDelegateCreate(&given)
    }

    deinit {
        TernSwiftMetalDelegateDelete(cDelegate)
    }
}

extension MetalDelegate {
    /// How the delegate computes and waits.
    public struct Options: Equatable, Hashable {
        /// Whether the GPU may compute with halves, which is faster and less exact.
        public var isPrecisionLossAllowed = false

        /// How a run waits for the GPU.
        public var waitType: ThreadWaitType = .passive

        /// Whether 8-bit quantized models run on the GPU, in floating point.
        public var isQuantizationEnabled = true

        public init() {}
    }
}

extension MetalDelegate.Options {
    @available(*, deprecated, renamed: "isPrecisionLossAllowed")
    public var allowsPrecisionLoss: Bool {
        get { isPrecisionLossAllowed }
        set { isPrecisionLossAllowed = newValue }
    }
}

/// How a thread waits for the GPU.
public enum ThreadWaitType: Equatable, Hashable {
    /// Not at all: outputs are then for the GPU alone.
    case none
    /// It sleeps.
    case passive
    /// It spins: less time until it goes on, more power.
    case active
    /// It spins, and keeps the GPU awake.
    case aggressive

    /// By name: the numbers of C go in another order.
    var cWaitType: TFLGpuDelegateWaitType {
        switch self {
        case .none: return TFLGpuDelegateWaitTypeDoNotWait
        case .passive: return TFLGpuDelegateWaitTypePassive
        case .active: return TFLGpuDelegateWaitTypeActive
        case .aggressive: return TFLGpuDelegateWaitTypeAggressive
        }
    }
}

@available(*, deprecated, renamed: "MetalDelegate.Options")
public typealias MetalDelegateOptions = MetalDelegate.Options
