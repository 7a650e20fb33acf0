// SPDX-License-Identifier: Apache-2.0
// Tensors as values: a copy of what the interpreter had when it was asked.
import Foundation
import TensorFlowLiteC

/// An input or output as it was when the interpreter was asked for it. Later runs do not change it.
public struct Tensor: Equatable, Hashable {
    /// The name in the model. It may be empty.
    public let name: String
    public let dataType: DataType
    public let shape: Shape

    /// The elements as bytes, in the order of the machine. The last dimension varies fastest.
    public let data: Data

    /// Nil for a tensor that is not quantized, or that has a scale for each channel.
    public let quantizationParameters: QuantizationParameters?

    init(
        name: String, dataType: DataType, shape: Shape, data: Data,
        quantizationParameters: QuantizationParameters? = nil
    ) {
        self.name = name
        self.dataType = dataType
        self.shape = shape
        self.data = data
        self.quantizationParameters = quantizationParameters
    }

    /// Why a tensor of the C API has no copy. Interpreter and signature runner have errors of their own for it.
    enum Absence: Error {
        case noMemory
        case unknownType
    }

    /// Copies a tensor of the C API.
    init(copying cTensor: UnsafePointer<TfLiteTensor>) throws {
        let byteCount = TfLiteTensorByteSize(cTensor)
        let shape = Shape(copying: cTensor)
        let bytes = TfLiteTensorData(cTensor)
        // A tensor without elements needs no memory.
        guard bytes != nil || (byteCount == 0 && shape.dimensions.contains(0)) else {
            throw Absence.noMemory
        }
        guard let dataType = DataType(type: TfLiteTensorType(cTensor)) else {
            throw Absence.unknownType
        }
        let quantization = TfLiteTensorQuantizationParams(cTensor)
        self.init(
            name: TfLiteTensorName(cTensor).map { String(cString: $0) } ?? "",
            dataType: dataType,
            shape: shape,
            data: bytes.map { Data(bytes: $0, count: byteCount) } ?? Data(),
            quantizationParameters: quantization.scale == 0
                ? nil
                : QuantizationParameters(
                    scale: quantization.scale, zeroPoint: Int(quantization.zero_point)))
    }
}

extension Tensor {
    /// Types of elements. `int8` is an addition to TensorFlow Lite's cases, where a tensor of that type is an error.
    public enum DataType: Equatable, Hashable {
        case bool
        case uInt8
        case int8
        case int16
        case int32
        case int64
        case float16
        case float32
        case float64

        init?(type: TfLiteType) {
            switch type {
            case kTfLiteBool: self = .bool
            case kTfLiteUInt8: self = .uInt8
            case kTfLiteInt8: self = .int8
            case kTfLiteInt16: self = .int16
            case kTfLiteInt32: self = .int32
            case kTfLiteInt64: self = .int64
            case kTfLiteFloat16: self = .float16
            case kTfLiteFloat32: self = .float32
            case kTfLiteFloat64: self = .float64
            default: return nil
            }
        }
    }
}

extension Tensor {
    /// How many elements a tensor has along each dimension. A scalar has none.
    public struct Shape: Equatable, Hashable {
        public let rank: Int
        public let dimensions: [Int]

        public init(_ dimensions: [Int]) {
            rank = dimensions.count
            self.dimensions = dimensions
        }

        public init(_ elements: Int...) {
            self.init(elements)
        }

        init(copying cTensor: UnsafePointer<TfLiteTensor>) {
            let rank = max(0, TfLiteTensorNumDims(cTensor))
            self.init((0..<rank).map { Int(TfLiteTensorDim(cTensor, $0)) })
        }

        /// As the C API takes them. Nil where a dimension does not fit.
        var int32Dimensions: [Int32]? {
            let fitting = dimensions.compactMap { Int32(exactly: $0) }
            return fitting.count == dimensions.count ? fitting : nil
        }
    }
}

extension Tensor.Shape: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Int...) {
        self.init(elements)
    }
}

@available(*, deprecated, renamed: "Tensor.DataType")
public typealias TensorDataType = Tensor.DataType

@available(*, deprecated, renamed: "Tensor.Shape")
public typealias TensorShape = Tensor.Shape
