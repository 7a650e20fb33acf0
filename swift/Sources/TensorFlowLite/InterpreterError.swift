// SPDX-License-Identifier: Apache-2.0
// Errors of interpreters.
import Foundation

public enum InterpreterError: Error, Equatable, Hashable {
    case invalidTensorIndex(index: Int, maxIndex: Int)
    case invalidTensorDataCount(provided: Int, required: Int)
    case invalidTensorDataType
    case failedToLoadModel
    case failedToCreateInterpreter
    case failedToResizeInputTensor(index: Int)
    case failedToCopyDataToInputTensor
    case failedToAllocateTensors
    case allocateTensorsRequired
    case invokeInterpreterRequired
    case tensorFlowLiteError(String)
}

extension InterpreterError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .invalidTensorIndex(let index, let maxIndex) where maxIndex < 0:
            return "There is no tensor \(index): the model has none on this side."
        case .invalidTensorIndex(let index, let maxIndex):
            return "There is no tensor \(index): indices go from 0 to \(maxIndex)."
        case .invalidTensorDataCount(let provided, let required):
            return "The data has \(provided) bytes, the tensor \(required)."
        case .invalidTensorDataType:
            return "Tensor.DataType has no case for the type of the tensor."
        case .failedToLoadModel:
            return "Failed to load the given model."
        case .failedToCreateInterpreter:
            return "Failed to create the interpreter."
        case .failedToResizeInputTensor(let index):
            return "Failed to resize input tensor \(index)."
        case .failedToCopyDataToInputTensor:
            return "Failed to copy the data to the input tensor."
        case .failedToAllocateTensors:
            return "Failed to allocate memory for the tensors."
        case .allocateTensorsRequired:
            return "Must call allocateTensors()."
        case .invokeInterpreterRequired:
            return "Must call invoke()."
        case .tensorFlowLiteError(let message):
            return "TensorFlow Lite reported: \(message)"
        }
    }
}

extension InterpreterError: CustomStringConvertible {
    public var description: String { errorDescription ?? "" }
}
