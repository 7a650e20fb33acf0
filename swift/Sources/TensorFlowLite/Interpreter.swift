// SPDX-License-Identifier: Apache-2.0
// The interpreter: makes a graph of a model, takes inputs, runs, gives outputs.
import Foundation
import TensorFlowLiteC
import TensorFlowLiteCSupport

/// Runs a model. Inputs are copied in and outputs are copied out.
///
/// An interpreter is for one thread at a time. Several interpreters run on several threads independently.
public final class Interpreter {
    /// The options as they were given.
    public let options: Options?

    /// The delegates as they were given. They live as long as the interpreter.
    public let delegates: [Delegate]?

    let cInterpreter: OpaquePointer
    private let model: Model
    private let xnnPackDelegate: Delegate?

    /// The runtime maps the file into memory. It must not change as long as the interpreter lives.
    ///
    /// - Throws: `InterpreterError.failedToLoadModel` for a file that is missing or no model,
    ///   `.failedToCreateInterpreter` for an operation that the runtime lacks or a delegate that fails.
    public convenience init(
        modelPath: String, options: Options? = nil, delegates: [Delegate]? = nil
    ) throws {
        let log = options == nil ? nil : MessageLog()
        guard let model = Model(filePath: modelPath, log: log) else {
            throw InterpreterError.failedToLoadModel
        }
        try self.init(model: model, options: options, delegates: delegates)
    }

    /// The bytes are kept as long as the interpreter lives, without a copy where they are aligned.
    ///
    /// - Throws: `InterpreterError.failedToCreateInterpreter`, also for bytes that are no model.
    public convenience init(
        modelData: Data, options: Options? = nil, delegates: [Delegate]? = nil
    ) throws {
        let log = options == nil ? nil : MessageLog()
        guard let model = Model(modelData: modelData, log: log) else {
            throw InterpreterError.failedToCreateInterpreter
        }
        try self.init(model: model, options: options, delegates: delegates)
    }

    private init(model: Model, options: Options?, delegates: [Delegate]?) throws {
        guard let cOptions = TfLiteInterpreterOptionsCreate() else {
            throw InterpreterError.failedToCreateInterpreter
        }
        defer { TfLiteInterpreterOptionsDelete(cOptions) }
        let threadCount = Int32(clamping: options?.threadCount ?? 0)
        if threadCount > 0 { TfLiteInterpreterOptionsSetNumThreads(cOptions, threadCount) }
        if let log = model.log { TernSwiftOptionsSetReceiver(cOptions, log.receiver) }
        // The one that the options ask for comes last, so that it gets what the others leave.
        let xnnPackDelegate =
            options?.isXNNPackEnabled == true ? XNNPackDelegate(threadCount: threadCount) : nil
        let all = (delegates ?? []) + (xnnPackDelegate.map { [$0] } ?? [])
        for delegate in all {
            TfLiteInterpreterOptionsAddDelegate(cOptions, delegate.cDelegate)
        }
        guard let cInterpreter = withExtendedLifetime(all, {
            TfLiteInterpreterCreate(model.cModel, cOptions)
        }) else { throw InterpreterError.failedToCreateInterpreter }
        self.model = model
        self.options = options
        self.delegates = delegates
        self.xnnPackDelegate = xnnPackDelegate
        self.cInterpreter = cInterpreter
    }

    // Model, with its log, and delegates, which the C interpreter needs, are let go after this.
    deinit {
        TfLiteInterpreterDelete(cInterpreter)
    }

    public var inputTensorCount: Int { Int(TfLiteInterpreterGetInputTensorCount(cInterpreter)) }

    public var outputTensorCount: Int { Int(TfLiteInterpreterGetOutputTensorCount(cInterpreter)) }

    /// Keys of the signatures, for `signatureRunner(with:)`.
    public var signatureKeys: [String] {
        (0..<TfLiteInterpreterGetSignatureCount(cInterpreter)).compactMap {
            TfLiteInterpreterGetSignatureKey(cInterpreter, $0).map { String(cString: $0) }
        }
    }

    /// Runs the model.
    ///
    /// - Throws: `InterpreterError.allocateTensorsRequired`, whatever the reason is: the C API tells no reasons. A message
    ///   of the runtime does.
    public func invoke() throws {
        guard TfLiteInterpreterInvoke(cInterpreter) == kTfLiteOk else {
            throw InterpreterError.allocateTensorsRequired
        }
    }

    /// A copy of an input.
    ///
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.allocateTensorsRequired` for a tensor without memory,
    ///   `.invalidTensorDataType` for types that `Tensor.DataType` lacks.
    public func input(at index: Int) throws -> Tensor {
        try check(index, count: inputTensorCount)
        return try Interpreter.copy(
            TfLiteInterpreterGetInputTensor(cInterpreter, Int32(index)),
            orThrow: .allocateTensorsRequired)
    }

    /// A copy of an output.
    ///
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invokeInterpreterRequired` for a tensor without memory,
    ///   `.invalidTensorDataType` for types that `Tensor.DataType` lacks.
    public func output(at index: Int) throws -> Tensor {
        try check(index, count: outputTensorCount)
        return try Interpreter.copy(
            TfLiteInterpreterGetOutputTensor(cInterpreter, Int32(index)),
            orThrow: .invokeInterpreterRequired)
    }

    /// Gives an input another shape. `allocateTensors()` must follow.
    ///
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.failedToResizeInputTensor`.
    public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
        try check(index, count: inputTensorCount)
        guard let dimensions = shape.int32Dimensions,
            TfLiteInterpreterResizeInputTensor(
                cInterpreter, Int32(index), dimensions, Int32(dimensions.count)) == kTfLiteOk
        else { throw InterpreterError.failedToResizeInputTensor(index: index) }
    }

    /// Copies bytes into an input, and gives a copy of the tensor.
    ///
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataCount` for another count of bytes than the
    ///   tensor's, `.failedToCopyDataToInputTensor` for a tensor without memory, and what `input(at:)` throws.
    @discardableResult
    public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
        try check(index, count: inputTensorCount)
        guard let cTensor = TfLiteInterpreterGetInputTensor(cInterpreter, Int32(index)) else {
            throw InterpreterError.allocateTensorsRequired
        }
        let byteCount = TfLiteTensorByteSize(cTensor)
        guard data.count == byteCount else {
            throw InterpreterError.invalidTensorDataCount(provided: data.count, required: byteCount)
        }
        let status = data.withUnsafeBytes {
            TfLiteTensorCopyFromBuffer(cTensor, $0.baseAddress, $0.count)
        }
        guard status == kTfLiteOk else { throw InterpreterError.failedToCopyDataToInputTensor }
        return try input(at: index)
    }

    /// Takes memory for the tensors. It must come before inputs are copied, and again after an input was resized.
    ///
    /// - Throws: `InterpreterError.failedToAllocateTensors`.
    public func allocateTensors() throws {
        guard TfLiteInterpreterAllocateTensors(cInterpreter) == kTfLiteOk else {
            throw InterpreterError.failedToAllocateTensors
        }
    }

    /// A runner of a signature, which keeps this interpreter alive.
    ///
    /// - Throws: `SignatureRunnerError.failedToCreateSignatureRunner` for a key that the model lacks,
    ///   `.failedToAllocateTensors`.
    public func signatureRunner(with key: String) throws -> SignatureRunner {
        try SignatureRunner(interpreter: self, signatureKey: key)
    }

    private func check(_ index: Int, count: Int) throws {
        guard index >= 0, index < count else {
            throw InterpreterError.invalidTensorIndex(index: index, maxIndex: count - 1)
        }
    }

    private static func copy(
        _ cTensor: UnsafePointer<TfLiteTensor>?, orThrow absence: InterpreterError
    ) throws -> Tensor {
        guard let cTensor = cTensor else { throw absence }
        do {
            return try Tensor(copying: cTensor)
        } catch Tensor.Absence.unknownType {
            throw InterpreterError.invalidTensorDataType
        } catch {
            throw absence
        }
    }
}

extension Interpreter {
    /// How an interpreter runs. An interpreter with options prints the runtime's messages; without, they go to the standard
    /// error output.
    public struct Options: Equatable, Hashable {
        /// How many threads run the model at most. The runtime decides where this is nil or not positive.
        public var threadCount: Int?

        /// Hands the graph to the XNNPACK delegate, after the other delegates. Tern's operations on the CPU are fast forms
        /// themselves: its delegate of that name takes no node, and results and times stay as they are.
        public var isXNNPackEnabled = false

        public init() {}
    }
}

@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options

/// The delegate that `Interpreter.Options.isXNNPackEnabled` asks for.
private final class XNNPackDelegate: Delegate {
    let cDelegate: CDelegate

    /// Nil when memory runs out.
    init?(threadCount: Int32) {
        var options = TfLiteXNNPackDelegateOptionsDefault()
        if threadCount > 0 { options.num_threads = threadCount }
        guard let cDelegate = TfLiteXNNPackDelegateCreate(&options) else { return nil }
        self.cDelegate = cDelegate
    }

    deinit {
        TfLiteXNNPackDelegateDelete(cDelegate)
    }
}
