// SPDX-License-Identifier: Apache-2.0
// Interpreters that are used as they should be.
import XCTest

@testable import TensorFlowLite

final class InterpreterTests: XCTestCase {
    func testRuntimeHasAVersion() {
        let parts = Runtime.version.split(separator: ".").map { Int($0) }
        XCTAssertEqual(parts.count, 3)
        XCTAssertFalse(parts.contains(nil))
    }

    func testRunsTheDemo() throws {
        let interpreter = try Interpreter(modelPath: Files.demo)
        try interpreter.allocateTensors()
        XCTAssertEqual(interpreter.inputTensorCount, 1)
        XCTAssertEqual(interpreter.outputTensorCount, 1)
        let input = try interpreter.input(at: 0)
        XCTAssertEqual(input.dataType, .float32)
        try interpreter.copy(Data(count: input.data.count), toInputAt: 0)
        try interpreter.invoke()
        let output = try interpreter.output(at: 0)
        XCTAssertEqual(
            output.data.count, output.shape.dimensions.reduce(MemoryLayout<Float>.size, *))
        XCTAssertFalse(floats(output).contains { $0.isNaN })
    }

    func testRunsAModelOfBytes() throws {
        let interpreter = try Interpreter(modelData: Files.bytes(Files.model("open_rows")))
        try interpreter.allocateTensors()
        try interpreter.copy(data([1, -2, 3] as [Float]), toInputAt: 0)
        try interpreter.invoke()
        XCTAssertEqual(try floats(interpreter.output(at: 0)), [-1, 2, -3])
    }

    /// Bytes that do not begin where machines like to read are copied to where they do.
    func testRunsAModelInTheMiddleOfOtherBytes() throws {
        let model = try Files.bytes(Files.model("open_rows"))
        for offset in 1...5 {
            let padded = Data(count: offset) + model + Data(count: 3)
            let part = padded[offset..<offset + model.count]
            let address = try UInt(bitPattern: XCTUnwrap(Model(modelData: part)?.data).bytes)
            XCTAssertEqual(address % 16, 0)
            let interpreter = try Interpreter(modelData: part)
            try interpreter.allocateTensors()
            try interpreter.copy(data([4, 5, 6] as [Float]), toInputAt: 0)
            try interpreter.invoke()
            XCTAssertEqual(try floats(interpreter.output(at: 0)), [-4, -5, -6])
        }
    }

    func testKeepsOptionsAndDelegates() throws {
        var options = Interpreter.Options()
        options.threadCount = 2
        options.isXNNPackEnabled = true
        let delegate = PlainDelegate()
        let interpreter = try Interpreter(
            modelPath: Files.demo, options: options, delegates: [delegate])
        XCTAssertEqual(interpreter.options, options)
        XCTAssertEqual(interpreter.delegates?.count, 1)
        XCTAssertTrue(interpreter.delegates?.first === delegate)
        XCTAssertEqual(delegate.prepared, 1)
        let plain = try Interpreter(modelPath: Files.demo)
        XCTAssertNil(plain.options)
        XCTAssertNil(plain.delegates)
    }

    func testOptions() {
        let options = Interpreter.Options()
        XCTAssertNil(options.threadCount)
        XCTAssertFalse(options.isXNNPackEnabled)
        var other = Interpreter.Options()
        XCTAssertEqual(options, other)
        other.threadCount = 2
        XCTAssertNotEqual(options, other)
        XCTAssertEqual(Set([options, other, Interpreter.Options()]).count, 2)
    }

    func testThreadCountsThatAreNoneAreTheRuntimes() throws {
        for threadCount in [nil, Int.min, -1, 0, 1, 2, Int.max] {
            var options = Interpreter.Options()
            options.threadCount = threadCount
            let interpreter = try Interpreter(
                modelPath: Files.model("open_rows"), options: options)
            try interpreter.allocateTensors()
            try interpreter.copy(data([1, 2, 3] as [Float]), toInputAt: 0)
            try interpreter.invoke()
            XCTAssertEqual(try floats(interpreter.output(at: 0)), [-1, -2, -3])
        }
    }

    func testXNNPackGivesTheSameResults() throws {
        var options = Interpreter.Options()
        options.isXNNPackEnabled = true
        let outputs = try [nil, options].map { options -> Data in
            let interpreter = try Interpreter(modelPath: Files.demo, options: options)
            try interpreter.allocateTensors()
            let count = try interpreter.input(at: 0).data.count / 4
            try interpreter.copy(
                data((0..<count).map { Float($0 % 7) / 7 }), toInputAt: 0)
            try interpreter.invoke()
            return try interpreter.output(at: 0).data
        }
        XCTAssertEqual(outputs[0], outputs[1])
    }

    func testHasTwoInputsAndOutputs() throws {
        let interpreter = try Interpreter.ready("two_inputs")
        XCTAssertEqual(interpreter.inputTensorCount, 2)
        XCTAssertEqual(interpreter.outputTensorCount, 2)
        try interpreter.copy(data([1, 2, 3, 4] as [Float]), toInputAt: 0)
        try interpreter.copy(data([10, 20, 30, 40] as [Float]), toInputAt: 1)
        try interpreter.invoke()
        XCTAssertEqual(try floats(interpreter.output(at: 0)), [11, 22, 33, 44])
        XCTAssertEqual(try floats(interpreter.output(at: 1)), [22, 44, 66, 88])
    }

    func testCopyGivesTheTensor() throws {
        let interpreter = try Interpreter.ready("open_rows")
        let bytes = data([1, 2, 3] as [Float])
        let tensor = try interpreter.copy(bytes, toInputAt: 0)
        XCTAssertEqual(tensor.data, bytes)
        XCTAssertEqual(tensor.name, "x")
        XCTAssertEqual(tensor.shape, [1, 3])
        XCTAssertEqual(try interpreter.input(at: 0), tensor)
    }

    func testCopiesASliceOfData() throws {
        let interpreter = try Interpreter.ready("open_rows")
        let bytes = data([9, 1, 2, 3, 9] as [Float])
        XCTAssertEqual(
            try floats(interpreter.copy(bytes[4..<16], toInputAt: 0)), [1, 2, 3])
    }

    func testResizesAnInput() throws {
        let interpreter = try Interpreter.ready("open_rows")
        try interpreter.resizeInput(at: 0, to: [2, 3])
        try interpreter.allocateTensors()
        XCTAssertEqual(try interpreter.input(at: 0).shape.dimensions, [2, 3])
        try interpreter.copy(data([1, 2, 3, 4, 5, 6] as [Float]), toInputAt: 0)
        try interpreter.invoke()
        let output = try interpreter.output(at: 0)
        XCTAssertEqual(output.shape, [2, 3])
        XCTAssertEqual(floats(output), [-1, -2, -3, -4, -5, -6])
    }

    func testResizesAnInputToNothing() throws {
        let interpreter = try Interpreter.ready("open_rows")
        try interpreter.resizeInput(at: 0, to: [0, 3])
        try interpreter.allocateTensors()
        XCTAssertEqual(try interpreter.copy(Data(), toInputAt: 0).shape, [0, 3])
        try interpreter.invoke()
        XCTAssertEqual(try interpreter.output(at: 0).shape, [0, 3])
        XCTAssertEqual(try interpreter.output(at: 0).data, Data())
    }

    func testRunsAScalar() throws {
        let interpreter = try Interpreter.ready("scalar")
        XCTAssertEqual(try interpreter.input(at: 0).shape, [])
        try interpreter.copy(data([2.5] as [Float]), toInputAt: 0)
        try interpreter.invoke()
        XCTAssertEqual(try interpreter.output(at: 0).shape.rank, 0)
        XCTAssertEqual(try floats(interpreter.output(at: 0)), [-2.5])
    }

    /// A snapshot is a value: runs, other shapes and the end of the interpreter leave it as it is.
    func testTensorsAreSnapshots() throws {
        var interpreter: Interpreter? = try Interpreter.ready("open_rows")
        try interpreter!.copy(data([1, 2, 3] as [Float]), toInputAt: 0)
        try interpreter!.invoke()
        let input = try interpreter!.input(at: 0)
        let output = try interpreter!.output(at: 0)
        try interpreter!.copy(data([7, 8, 9] as [Float]), toInputAt: 0)
        try interpreter!.invoke()
        try interpreter!.resizeInput(at: 0, to: [100, 3])
        try interpreter!.allocateTensors()
        interpreter = nil
        XCTAssertEqual(floats(input), [1, 2, 3])
        XCTAssertEqual(floats(output), [-1, -2, -3])
        XCTAssertEqual(output.shape, [1, 3])
    }

    /// The shape of the output is known after the run.
    func testRunsAGraphWithADynamicOutput() throws {
        let interpreter = try Interpreter.ready("dynamic")
        assertThrows(InterpreterError.invokeInterpreterRequired) {
            try interpreter.output(at: 0)
        }
        try interpreter.copy(data([1, 2, 3, 4, 5, 6] as [Float]), toInputAt: 0)
        for size: Int32 in [4, 2] {
            try interpreter.copy(data([size]), toInputAt: 1)
            try interpreter.invoke()
            XCTAssertEqual(
                try floats(interpreter.output(at: 0)), (1...size).map { Float($0) })
        }
    }

    func testEachTypeIsACopy() throws {
        for name in ["float32", "int32", "uint8", "int64", "bool", "int16", "int8"] {
            let interpreter = try Interpreter.ready("copy_\(name)")
            let count = try interpreter.input(at: 0).data.count
            let bytes = Data((0..<count).map { UInt8($0 % 2) })
            try interpreter.copy(bytes, toInputAt: 0)
            try interpreter.invoke()
            XCTAssertEqual(try interpreter.output(at: 0).data, bytes, name)
        }
    }

    @available(*, deprecated)
    func testDeprecatedNames() throws {
        let options: InterpreterOptions = Interpreter.Options()
        XCTAssertNil(options.threadCount)
        let shape: TensorShape = [1, 2]
        XCTAssertEqual(shape, Tensor.Shape(1, 2))
        let type: TensorDataType = .bool
        XCTAssertEqual(type, Tensor.DataType.bool)
    }
}
