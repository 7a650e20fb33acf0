// SPDX-License-Identifier: Apache-2.0
// Errors of signature runners.
import Foundation

public enum SignatureRunnerError: Error, Equatable, Hashable {
    case invalidTensorDataCount(provided: Int, required: Int)
    case invalidTensorDataType
    case failedToCreateSignatureRunner(signatureKey: String)
    /// `tensorType` is `input` or `output`.
    case failedToGetTensor(tensorType: String, nameInSignature: String)
    case failedToResizeInputTensor(inputName: String)
    case failedToCopyDataToInputTensor
    case failedToAllocateTensors
    case failedToInvokeSignature(signatureKey: String)
    case allocateTensorsRequired
}

extension SignatureRunnerError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .invalidTensorDataCount(let provided, let required):
            return "The data has \(provided) bytes, the tensor \(required)."
        case .invalidTensorDataType:
            return "Tensor.DataType has no case for the type of the tensor."
        case .failedToCreateSignatureRunner(let signatureKey):
            return "Failed to create a runner of the signature \"\(signatureKey)\"."
        case .failedToGetTensor(let tensorType, let nameInSignature):
            return "The signature has no \(tensorType) \"\(nameInSignature)\"."
        case .failedToResizeInputTensor(let inputName):
            return "Failed to resize the input \"\(inputName)\"."
        case .failedToCopyDataToInputTensor:
            return "Failed to copy the data to the input tensor."
        case .failedToAllocateTensors:
            return "Failed to allocate memory for the tensors."
        case .failedToInvokeSignature(let signatureKey):
            return "Failed to run the signature \"\(signatureKey)\"."
        case .allocateTensorsRequired:
            return "Must call allocateTensors()."
        }
    }
}

extension SignatureRunnerError: CustomStringConvertible {
    public var description: String { errorDescription ?? "" }
}
