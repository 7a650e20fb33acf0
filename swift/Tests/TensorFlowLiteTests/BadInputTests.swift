// SPDX-License-Identifier: Apache-2.0
// Interpreters that are used as they should not be: each mistake has its error, and none ends the process.
import TensorFlowLiteC
import TernFakeMetal
import XCTest

@testable import TensorFlowLite

final class BadInputTests: XCTestCase {
    // ---- Models

    func testPathsWithoutAFile() {
        for path in ["", "/", "no/such/model.tflite", "demo", "\0", "demo/landscape.tflite\0x"] {
            assertThrows(InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
        }
    }

    func testAFileThatMayNotBeRead() throws {
        let path = try Files.written(Files.bytes(Files.demo), by: self)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        if FileManager.default.isReadableFile(atPath: path) || geteuid() == 0 { return }
        assertThrows(InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
    }

    static let noModels: [(String, String)] = [
        ("a web page", "<!DOCTYPE html>\n<html><head><title>Not Found</title></head></html>\n"),
        (
            "a Git LFS pointer",
            "version https://git-lfs.github.com/spec/v1\n"
                + "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
        ),
        ("a text file", "hello"),
        ("a text file", String(repeating: "\u{1F333}", count: 4096)),
    ]

    func testFilesThatAreNoModel() throws {
        for (kind, text) in BadInputTests.noModels {
            let path = try Files.written(Data(text.utf8), by: self)
            let heard = messages {
                assertThrows(InterpreterError.failedToLoadModel) {
                    try Interpreter(modelPath: path, options: Interpreter.Options())
                }
            }
            XCTAssertTrue(heard.joined().contains(kind), "\(heard)")
        }
        let empty = try Files.written(Data(), by: self)
        assertThrows(InterpreterError.failedToLoadModel) { try Interpreter(modelPath: empty) }
    }

    func testBytesThatAreNoModel() throws {
        for (kind, text) in BadInputTests.noModels {
            let heard = messages {
                assertThrows(InterpreterError.failedToCreateInterpreter) {
                    try Interpreter(modelData: Data(text.utf8), options: Interpreter.Options())
                }
            }
            XCTAssertTrue(heard.joined().contains(kind), "\(heard)")
        }
        for bytes in [Data(), Data([0]), Data(count: 7), Data(count: 100_000)] {
            assertThrows(InterpreterError.failedToCreateInterpreter) {
                try Interpreter(modelData: bytes)
            }
        }
    }

    func testModelsThatEndEarly() throws {
        let model = try Files.bytes(Files.demo)
        for count in stride(from: 1, to: model.count, by: 97) {
            assertThrows(InterpreterError.failedToCreateInterpreter) {
                try Interpreter(modelData: model.prefix(count))
            }
        }
    }

    /// An operation of the application may be added later, in TensorFlow Lite's order of things, so that allocation tells.
    func testACustomOperationThatNobodyHas() throws {
        let path = try Files.model("unknown_op")
        let heard = try messages {
            let interpreter = try Interpreter(modelPath: path, options: Interpreter.Options())
            assertThrows(InterpreterError.failedToAllocateTensors) {
                try interpreter.allocateTensors()
            }
        }
        XCTAssertTrue(heard.joined().contains("NobodyHasThis"), "\(heard)")
    }

    func testAVersionThatNobodyHas() throws {
        let path = try Files.model("new_version")
        let heard = messages {
            assertThrows(InterpreterError.failedToCreateInterpreter) {
                try Interpreter(modelPath: path, options: Interpreter.Options())
            }
        }
        XCTAssertTrue(heard.joined().contains("NEG"), "\(heard)")
    }

    func testADelegateThatFails() {
        for answer in [kTfLiteError, kTfLiteDelegateError, kTfLiteApplicationError] {
            assertThrows(InterpreterError.failedToCreateInterpreter) {
                try Interpreter(
                    modelPath: Files.demo, delegates: [PlainDelegate(answering: answer)])
            }
        }
        XCTAssertEqual(TernPlainDelegatesAlive(), 0)
    }

    // ---- Indices

    func testIndicesThatAreNone() throws {
        let interpreter = try Interpreter.ready("two_inputs")
        for index in [-1, 2, Int.min, Int.max, 1 << 32] {
            let error = InterpreterError.invalidTensorIndex(index: index, maxIndex: 1)
            assertThrows(error) { try interpreter.input(at: index) }
            assertThrows(error) { try interpreter.output(at: index) }
            assertThrows(error) { try interpreter.resizeInput(at: index, to: [1]) }
            assertThrows(error) { try interpreter.copy(Data(), toInputAt: index) }
        }
        let none = try Interpreter.ready("no_inputs")
        XCTAssertEqual(none.inputTensorCount, 0)
        assertThrows(InterpreterError.invalidTensorIndex(index: 0, maxIndex: -1)) {
            try none.input(at: 0)
        }
    }

    // ---- Order of calls

    func testBeforeAllocation() throws {
        let interpreter = try Interpreter(modelPath: Files.model("open_rows"))
        assertThrows(InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
        assertThrows(InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
        assertThrows(InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
        assertThrows(InterpreterError.failedToCopyDataToInputTensor) {
            try interpreter.copy(Data(count: 12), toInputAt: 0)
        }
        assertThrows(InterpreterError.invalidTensorDataCount(provided: 3, required: 12)) {
            try interpreter.copy(Data(count: 3), toInputAt: 0)
        }
        try interpreter.allocateTensors()
        try interpreter.invoke()
    }

    func testAfterAResize() throws {
        let interpreter = try Interpreter.ready("open_rows")
        try interpreter.invoke()
        try interpreter.resizeInput(at: 0, to: [5000, 3])
        assertThrows(InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
        assertThrows(InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
        assertThrows(InterpreterError.failedToCopyDataToInputTensor) {
            try interpreter.copy(Data(count: 60000), toInputAt: 0)
        }
        // The output is as it was, or not there; it is no read past its memory.
        if let output = try? interpreter.output(at: 0) {
            XCTAssertEqual(output.data.count, output.shape.dimensions.reduce(4, *))
        }
        try interpreter.allocateTensors()
        try interpreter.copy(Data(count: 60000), toInputAt: 0)
        try interpreter.invoke()
        XCTAssertEqual(try interpreter.output(at: 0).data.count, 60000)
    }

    func testAllocatesTwice() throws {
        let interpreter = try Interpreter.ready("open_rows")
        try interpreter.copy(data([1, 2, 3] as [Float]), toInputAt: 0)
        try interpreter.allocateTensors()
        try interpreter.invoke()
        XCTAssertEqual(try floats(interpreter.output(at: 0)), [-1, -2, -3])
    }

    // ---- Shapes and bytes

    func testBytesThatDoNotFit() throws {
        let interpreter = try Interpreter.ready("open_rows")
        for count in [0, 1, 11, 13, 24, 1_000_000] {
            assertThrows(InterpreterError.invalidTensorDataCount(provided: count, required: 12)) {
                try interpreter.copy(Data(count: count), toInputAt: 0)
            }
        }
    }

    func testShapesThatAreNone() throws {
        let interpreter = try Interpreter.ready("open_rows")
        let shapes: [Tensor.Shape] = [
            [-1, 3], [Int.max, 3], [Int.min, 3], [1 << 31, 1], [2_147_483_647, 2_147_483_647],
        ]
        for shape in shapes {
            assertThrows(InterpreterError.failedToResizeInputTensor(index: 0)) {
                try interpreter.resizeInput(at: 0, to: shape)
            }
        }
        try interpreter.resizeInput(at: 0, to: [1, 3])
        try interpreter.allocateTensors()
        try interpreter.invoke()
    }

    func testShapesThatDoNotFitEachOther() throws {
        let interpreter = try Interpreter.ready("two_inputs")
        try interpreter.resizeInput(at: 0, to: [3, 2])
        assertThrows(InterpreterError.failedToAllocateTensors) {
            try interpreter.allocateTensors()
        }
        assertThrows(InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
        XCTAssertNil(try? interpreter.copy(Data(count: 24), toInputAt: 0))
        try interpreter.resizeInput(at: 1, to: [3, 2])
        try interpreter.allocateTensors()
        try interpreter.invoke()
        XCTAssertEqual(try interpreter.output(at: 0).shape, [3, 2])
    }

    /// A tensor of 4 TB: the memory is not there.
    func testMoreMemoryThanThereIs() throws {
        let interpreter = try Interpreter.ready("open_rows")
        do {
            try interpreter.resizeInput(at: 0, to: [2_000_000_000, 500])
            try interpreter.allocateTensors()
            XCTFail("there are 4 TB of memory")
        } catch let error as InterpreterError {
            XCTAssertTrue(
                [.failedToAllocateTensors, .failedToResizeInputTensor(index: 0)].contains(error))
        }
        try interpreter.resizeInput(at: 0, to: [1, 3])
        try interpreter.allocateTensors()
        try interpreter.invoke()
    }

    /// A run that fails tells that tensors are to be allocated, as TensorFlow Lite's does.
    func testARunThatFails() throws {
        let interpreter = try Interpreter.ready("dynamic")
        try interpreter.copy(data([100 as Int32]), toInputAt: 1)
        assertThrows(InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
        try interpreter.copy(data([6 as Int32]), toInputAt: 1)
        try interpreter.invoke()
        XCTAssertEqual(try interpreter.output(at: 0).shape, [6])
    }
}
