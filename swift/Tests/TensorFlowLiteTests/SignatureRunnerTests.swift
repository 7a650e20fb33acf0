// SPDX-License-Identifier: Apache-2.0
// Signatures: inputs and outputs by name.
import XCTest

@testable import TensorFlowLite

final class SignatureRunnerTests: XCTestCase {
    func testKeys() throws {
        XCTAssertEqual(
            try Set(Interpreter.ready("two_graphs").signatureKeys), ["double", "negate"])
        XCTAssertEqual(try Interpreter.ready("two_inputs").signatureKeys, ["serving_default"])
        XCTAssertEqual(try Interpreter.ready("scalar").signatureKeys, [])
    }

    func testNames() throws {
        let interpreter = try Interpreter.ready("two_inputs")
        let runner = try interpreter.signatureRunner(with: "serving_default")
        XCTAssertEqual(runner.signatureKey, "serving_default")
        XCTAssertEqual(runner.inputs.sorted(), ["a", "b"])
        XCTAssertEqual(runner.outputs.sorted(), ["doubled", "total"])
    }

    func testRunsByName() throws {
        let runner = try Interpreter(modelPath: Files.model("two_inputs"))
            .signatureRunner(with: "serving_default")
        try runner.invoke(with: [
            "a": data([1, 2, 3, 4] as [Float]), "b": data([10, 20, 30, 40] as [Float]),
        ])
        XCTAssertEqual(try floats(runner.output(named: "total")), [11, 22, 33, 44])
        XCTAssertEqual(try floats(runner.output(named: "doubled")), [22, 44, 66, 88])
        XCTAssertEqual(try floats(runner.input(named: "b")), [10, 20, 30, 40])
    }

    /// Two graphs of a model take turns, each with shapes of its own.
    func testTwoSignaturesTakeTurns() throws {
        let interpreter = try Interpreter.ready("two_graphs")
        let double = try interpreter.signatureRunner(with: "double")
        let negate = try interpreter.signatureRunner(with: "negate")
        for round in 1...3 {
            try negate.resizeInput(named: "value", toShape: [round, 3])
            let values = (0..<3 * round).map { Float($0 + round) }
            try double.invoke(with: ["in": data([1, Float(round)])])
            try negate.invoke(with: ["value": data(values)])
            XCTAssertEqual(try floats(double.output(named: "out")), [2, 2 * Float(round)])
            XCTAssertEqual(try floats(negate.output(named: "result")), values.map { -$0 })
            XCTAssertEqual(try negate.output(named: "result").shape, [round, 3])
        }
    }

    func testAllocatesWhenItIsMade() throws {
        let runner = try Interpreter(modelPath: Files.model("open_rows"))
            .signatureRunner(with: "negate")
        XCTAssertEqual(try runner.input(named: "x").shape, [1, 3])
        XCTAssertEqual(try runner.output(named: "y").dataType, .float32)
        try runner.copy(data([1, 2, 3] as [Float]), toInputNamed: "x")
        try runner.invoke(with: [:])
        XCTAssertEqual(try floats(runner.output(named: "y")), [-1, -2, -3])
    }

    func testResizes() throws {
        let runner = try Interpreter.ready("open_rows").signatureRunner(with: "negate")
        try runner.resizeInput(named: "x", toShape: [2, 3])
        assertThrows(SignatureRunnerError.allocateTensorsRequired) {
            try runner.input(named: "x")
        }
        assertThrows(SignatureRunnerError.failedToCopyDataToInputTensor) {
            try runner.copy(Data(count: 24), toInputNamed: "x")
        }
        try runner.allocateTensors()
        XCTAssertEqual(try runner.input(named: "x").data.count, 24)
        // invoke allocates by itself.
        try runner.resizeInput(named: "x", toShape: [4, 3])
        try runner.invoke(with: ["x": data((0..<12).map { Float($0) })])
        XCTAssertEqual(try floats(runner.output(named: "y")), (0..<12).map { -Float($0) })
    }

    func testTwoRunnersOfOneSignature() throws {
        let interpreter = try Interpreter.ready("open_rows")
        let first = try interpreter.signatureRunner(with: "negate")
        do {
            let second = try interpreter.signatureRunner(with: "negate")
            try second.invoke(with: ["x": data([1, 2, 3] as [Float])])
        }
        XCTAssertEqual(try floats(first.output(named: "y")), [-1, -2, -3])
        try first.invoke(with: ["x": data([4, 5, 6] as [Float])])
        XCTAssertEqual(try floats(first.output(named: "y")), [-4, -5, -6])
    }

    /// The runner and the interpreter run the same graph.
    func testBesideTheInterpreter() throws {
        let interpreter = try Interpreter.ready("open_rows")
        let runner = try interpreter.signatureRunner(with: "negate")
        try interpreter.resizeInput(at: 0, to: [2, 3])
        // The runner has not heard of it: an error, or a run with the new shape.
        XCTAssertNil(try? runner.invoke(with: ["x": Data(count: 12)]))
        try runner.allocateTensors()
        try runner.invoke(with: ["x": data([1, 2, 3, 4, 5, 6] as [Float])])
        XCTAssertEqual(try floats(interpreter.output(at: 0)), [-1, -2, -3, -4, -5, -6])
    }

    func testKeepsItsInterpreter() throws {
        weak var weakInterpreter: Interpreter?
        var runner: SignatureRunner?
        do {
            let interpreter = try Interpreter(modelData: Files.bytes(Files.model("two_inputs")))
            weakInterpreter = interpreter
            runner = try interpreter.signatureRunner(with: "serving_default")
        }
        XCTAssertNotNil(weakInterpreter)
        try runner!.invoke(with: ["a": Data(count: 16), "b": Data(count: 16)])
        XCTAssertEqual(try floats(runner!.output(named: "total")), [0, 0, 0, 0])
        runner = nil
        XCTAssertNil(weakInterpreter)
    }

    // ---- Mistakes

    func testKeysThatAreNone() throws {
        let interpreter = try Interpreter.ready("two_inputs")
        for key in ["", "serving", "serving_default\0", "\u{1F333}"] {
            assertThrows(SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key)) {
                try interpreter.signatureRunner(with: key)
            }
        }
    }

    func testNamesThatAreNone() throws {
        let runner = try Interpreter.ready("two_inputs").signatureRunner(with: "serving_default")
        for name in ["", "first", "total", "a\0"] {
            let error = SignatureRunnerError.failedToGetTensor(
                tensorType: "input", nameInSignature: name)
            assertThrows(error) { try runner.input(named: name) }
            assertThrows(error) { try runner.copy(Data(count: 16), toInputNamed: name) }
            assertThrows(error) { try runner.invoke(with: [name: Data(count: 16)]) }
            assertThrows(SignatureRunnerError.failedToResizeInputTensor(inputName: name)) {
                try runner.resizeInput(named: name, toShape: [1, 2])
            }
        }
        assertThrows(
            SignatureRunnerError.failedToGetTensor(tensorType: "output", nameInSignature: "a")
        ) { try runner.output(named: "a") }
    }

    func testBytesThatDoNotFit() throws {
        let runner = try Interpreter.ready("two_inputs").signatureRunner(with: "serving_default")
        let error = SignatureRunnerError.invalidTensorDataCount(provided: 12, required: 16)
        assertThrows(error) { try runner.copy(Data(count: 12), toInputNamed: "a") }
        assertThrows(error) { try runner.invoke(with: ["a": Data(count: 12)]) }
    }

    func testShapesThatTheModelFixes() throws {
        let runner = try Interpreter.ready("open_rows").signatureRunner(with: "negate")
        let shapes: [Tensor.Shape] = [[1, 4], [3], [1, 1, 3], [-1, 3], [Int.max, 3], []]
        for shape in shapes {
            assertThrows(SignatureRunnerError.failedToResizeInputTensor(inputName: "x")) {
                try runner.resizeInput(named: "x", toShape: shape)
            }
        }
        try runner.invoke(with: ["x": Data(count: 12)])
    }

    func testShapesThatDoNotFitEachOther() throws {
        let runner = try Interpreter.ready("two_inputs").signatureRunner(with: "serving_default")
        try runner.resizeInput(named: "a", toShape: [3, 2])
        assertThrows(SignatureRunnerError.failedToAllocateTensors) { try runner.allocateTensors() }
        assertThrows(SignatureRunnerError.failedToAllocateTensors) {
            try runner.invoke(with: ["a": Data(count: 24)])
        }
        try runner.resizeInput(named: "b", toShape: [3, 2])
        try runner.invoke(with: ["a": Data(count: 24), "b": Data(count: 24)])
        XCTAssertEqual(try runner.output(named: "total").shape, [3, 2])
    }

    func testARunThatFails() throws {
        let runner = try Interpreter.ready("part").signatureRunner(with: "part")
        assertThrows(SignatureRunnerError.allocateTensorsRequired) {
            try runner.output(named: "y")
        }
        let x = data([1, 2, 3, 4, 5, 6] as [Float])
        assertThrows(SignatureRunnerError.failedToInvokeSignature(signatureKey: "part")) {
            try runner.invoke(with: ["x": x, "size": data([100 as Int32])])
        }
        try runner.invoke(with: ["x": x, "size": data([2 as Int32])])
        XCTAssertEqual(try floats(runner.output(named: "y")), [1, 2])
    }

    func testATypeThatHasNoCase() throws {
        let runner = try Interpreter.ready("all_types").signatureRunner(with: "all")
        XCTAssertEqual(runner.inputs.count, 12)
        assertThrows(SignatureRunnerError.invalidTensorDataType) {
            try runner.input(named: "uint32")
        }
        XCTAssertEqual(try runner.input(named: "int8").dataType, .int8)
    }
}
