// SPDX-License-Identifier: Apache-2.0
// Tensors, shapes, types and quantization as values.
import TensorFlowLiteC
import XCTest

@testable import TensorFlowLite

final class TensorTests: XCTestCase {
    func testShapes() {
        let shape = Tensor.Shape([2, 3, 4])
        XCTAssertEqual(shape.rank, 3)
        XCTAssertEqual(shape.dimensions, [2, 3, 4])
        XCTAssertEqual(shape, Tensor.Shape(2, 3, 4))
        XCTAssertEqual(shape, [2, 3, 4])
        XCTAssertNotEqual(shape, [2, 3])
        XCTAssertEqual(Tensor.Shape([]).rank, 0)
        XCTAssertEqual(Set([shape, [2, 3, 4], [4]]).count, 2)
        XCTAssertEqual(shape.int32Dimensions, [2, 3, 4])
        XCTAssertNil(Tensor.Shape(1, Int.max).int32Dimensions)
    }

    func testTypes() {
        let types: [(TfLiteType, Tensor.DataType)] = [
            (kTfLiteBool, .bool), (kTfLiteUInt8, .uInt8), (kTfLiteInt8, .int8),
            (kTfLiteInt16, .int16), (kTfLiteInt32, .int32), (kTfLiteInt64, .int64),
            (kTfLiteFloat16, .float16), (kTfLiteFloat32, .float32), (kTfLiteFloat64, .float64),
        ]
        for (cType, type) in types {
            XCTAssertEqual(Tensor.DataType(type: cType), type)
        }
        for cType in [kTfLiteNoType, kTfLiteString, kTfLiteComplex64, kTfLiteUInt32, kTfLiteInt4] {
            XCTAssertNil(Tensor.DataType(type: cType))
        }
    }

    func testTensorsAreValues() {
        let tensor = Tensor(
            name: "x", dataType: .uInt8, shape: [2], data: Data([1, 2]),
            quantizationParameters: QuantizationParameters(scale: 0.5, zeroPoint: 3))
        XCTAssertEqual(tensor.name, "x")
        XCTAssertEqual(tensor.dataType, .uInt8)
        XCTAssertEqual(tensor.shape, [2])
        XCTAssertEqual(tensor.data, Data([1, 2]))
        XCTAssertEqual(tensor.quantizationParameters?.scale, 0.5)
        XCTAssertEqual(tensor.quantizationParameters?.zeroPoint, 3)
        let other = Tensor(name: "x", dataType: .uInt8, shape: [2], data: Data([1, 3]))
        XCTAssertNil(other.quantizationParameters)
        XCTAssertNotEqual(tensor, other)
        XCTAssertEqual(Set([tensor, other, tensor]).count, 2)
    }

    func testQuantizationOfAModel() throws {
        let interpreter = try Interpreter.ready("copy_quantized")
        let tensor = try interpreter.input(at: 0)
        XCTAssertEqual(tensor.dataType, .int8)
        XCTAssertEqual(
            tensor.quantizationParameters, QuantizationParameters(scale: 0.5, zeroPoint: 3))
        try interpreter.copy(data([-128, -1, 0, 127] as [Int8]), toInputAt: 0)
        try interpreter.invoke()
        XCTAssertEqual(
            try elements(interpreter.output(at: 0), as: Int8.self), [-128, -1, 0, 127])
        let plain = try Interpreter.ready("open_rows")
        XCTAssertNil(try plain.input(at: 0).quantizationParameters)
    }

    /// An input of each type, of which three have no case.
    func testEachTypeOfAModel() throws {
        let interpreter = try Interpreter.ready("all_types")
        let types: [(Tensor.DataType, Int)] = [
            (.bool, 1), (.uInt8, 1), (.int8, 1), (.int16, 2), (.int32, 4), (.int64, 8),
            (.float16, 2), (.float32, 4), (.float64, 8),
        ]
        for (index, (type, size)) in types.enumerated() {
            let bytes = Data((0..<2 * size).map { UInt8($0 % 2) })
            let tensor = try interpreter.copy(bytes, toInputAt: index)
            XCTAssertEqual(tensor.dataType, type)
            XCTAssertEqual(tensor.data, bytes)
        }
        for index in types.count..<types.count + 2 {
            assertThrows(InterpreterError.invalidTensorDataType) {
                try interpreter.input(at: index)
            }
        }
        // UINT32: the bytes are there, and no case tells what they are.
        assertThrows(InterpreterError.invalidTensorDataType) {
            try interpreter.copy(Data(count: 8), toInputAt: types.count)
        }
        XCTAssertThrowsError(try interpreter.input(at: types.count + 2)) {
            XCTAssertTrue($0 is InterpreterError)
        }
    }

    func testATensorMayHaveNoName() throws {
        let interpreter = try Interpreter.ready("no_inputs")
        try interpreter.invoke()
        let output = try interpreter.output(at: 0)
        XCTAssertEqual(output.name, "")
        XCTAssertEqual(floats(output), [-1])
    }
}
