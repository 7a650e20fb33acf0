// SPDX-License-Identifier: Apache-2.0
// Runs a model by one of its signatures: inputs and outputs have names.
import Foundation
import TensorFlowLiteC

/// Runs a signature of a model. It keeps its interpreter alive. `Interpreter.signatureRunner(with:)` makes it.
///
/// Runners of an interpreter share its thread rule: one thread at a time.
public final class SignatureRunner {
    public let signatureKey: String

    private let interpreter: Interpreter
    private let cRunner: OpaquePointer
    private var isAllocated = false

    init(interpreter: Interpreter, signatureKey: String) throws {
        // C would see a key up to a zero alone, so that the keys are compared here.
        guard interpreter.signatureKeys.contains(signatureKey),
            let cRunner = TfLiteInterpreterGetSignatureRunner(
                interpreter.cInterpreter, signatureKey)
        else {
            throw SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: signatureKey)
        }
        self.signatureKey = signatureKey
        self.interpreter = interpreter
        self.cRunner = cRunner
        try allocateTensors()
    }

    deinit {
        TfLiteSignatureRunnerDelete(cRunner)
    }

    /// Names of the inputs.
    public var inputs: [String] {
        (0..<TfLiteSignatureRunnerGetInputCount(cRunner)).compactMap {
            TfLiteSignatureRunnerGetInputName(cRunner, Int32($0)).map { String(cString: $0) }
        }
    }

    /// Names of the outputs.
    public var outputs: [String] {
        (0..<TfLiteSignatureRunnerGetOutputCount(cRunner)).compactMap {
            TfLiteSignatureRunnerGetOutputName(cRunner, Int32($0)).map { String(cString: $0) }
        }
    }

    /// Takes memory where that is due, copies the given inputs and runs. Inputs that are not named keep their bytes.
    ///
    /// - Throws: `SignatureRunnerError`: what `copy(_:toInputNamed:)` throws, `.failedToAllocateTensors`,
    ///   `.failedToInvokeSignature`.
    public func invoke(with inputs: [String: Data]) throws {
        if !isAllocated { try allocateTensors() }
        for (name, data) in inputs {
            try copy(data, toInputNamed: name)
        }
        guard TfLiteSignatureRunnerInvoke(cRunner) == kTfLiteOk else {
            throw SignatureRunnerError.failedToInvokeSignature(signatureKey: signatureKey)
        }
    }

    /// A copy of an input.
    ///
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for a name that the signature lacks, `.allocateTensorsRequired`,
    ///   `.invalidTensorDataType`.
    public func input(named name: String) throws -> Tensor {
        try SignatureRunner.copy(cInput(name))
    }

    /// A copy of an output.
    ///
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for a name that the signature lacks, `.allocateTensorsRequired`,
    ///   `.invalidTensorDataType`.
    public func output(named name: String) throws -> Tensor {
        guard outputs.contains(name),
            let cTensor = TfLiteSignatureRunnerGetOutputTensor(cRunner, name)
        else {
            throw SignatureRunnerError.failedToGetTensor(
                tensorType: "output", nameInSignature: name)
        }
        return try SignatureRunner.copy(cTensor)
    }

    /// Gives an input another shape: dimensions that the model leaves open may change.
    ///
    /// - Throws: `SignatureRunnerError.failedToResizeInputTensor`, also for a name that the signature lacks.
    public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
        guard inputs.contains(name), let dimensions = shape.int32Dimensions,
            TfLiteSignatureRunnerResizeInputTensor(
                cRunner, name, dimensions, Int32(dimensions.count)) == kTfLiteOk
        else { throw SignatureRunnerError.failedToResizeInputTensor(inputName: name) }
        isAllocated = false
    }

    /// Copies bytes into an input.
    ///
    /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.invalidTensorDataCount` for another count of bytes than the
    ///   tensor's, `.failedToCopyDataToInputTensor` for a tensor without memory.
    public func copy(_ data: Data, toInputNamed name: String) throws {
        let cTensor = try cInput(name)
        let byteCount = TfLiteTensorByteSize(cTensor)
        guard data.count == byteCount else {
            throw SignatureRunnerError.invalidTensorDataCount(
                provided: data.count, required: byteCount)
        }
        let status = data.withUnsafeBytes {
            TfLiteTensorCopyFromBuffer(cTensor, $0.baseAddress, $0.count)
        }
        guard status == kTfLiteOk else { throw SignatureRunnerError.failedToCopyDataToInputTensor }
    }

    /// Takes memory for the tensors of the signature. A new runner has done so.
    ///
    /// - Throws: `SignatureRunnerError.failedToAllocateTensors`.
    public func allocateTensors() throws {
        guard TfLiteSignatureRunnerAllocateTensors(cRunner) == kTfLiteOk else {
            throw SignatureRunnerError.failedToAllocateTensors
        }
        isAllocated = true
    }

    private func cInput(_ name: String) throws -> UnsafeMutablePointer<TfLiteTensor> {
        guard inputs.contains(name),
            let cTensor = TfLiteSignatureRunnerGetInputTensor(cRunner, name)
        else {
            throw SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: name)
        }
        return cTensor
    }

    private static func copy(_ cTensor: UnsafePointer<TfLiteTensor>) throws -> Tensor {
        do {
            return try Tensor(copying: cTensor)
        } catch Tensor.Absence.unknownType {
            throw SignatureRunnerError.invalidTensorDataType
        } catch {
            throw SignatureRunnerError.allocateTensorsRequired
        }
    }
}
