// SPDX-License-Identifier: Apache-2.0
// Delegates: Metal's options and life, and others.
import TensorFlowLiteC
import TensorFlowLiteCMetal
import TernFakeMetal
import XCTest

@testable import TensorFlowLite

final class DelegateTests: XCTestCase {
    override func setUp() {
        TernFakeMetalReset()
    }

    override func tearDown() {
        TernFakeMetalReset()
    }

    // ---- Metal

    func testOptionsOfMetal() {
        let options = MetalDelegate.Options()
        XCTAssertFalse(options.isPrecisionLossAllowed)
        XCTAssertEqual(options.waitType, .passive)
        XCTAssertTrue(options.isQuantizationEnabled)
        var other = MetalDelegate.Options()
        XCTAssertEqual(other, options)
        other.waitType = .none
        XCTAssertNotEqual(other, options)
        XCTAssertEqual(Set([options, other, options]).count, 2)
    }

    func testTheDefaultsAreThoseOfC() {
        let options = TFLGpuDelegateOptionsDefault()
        XCTAssertEqual(options.allow_precision_loss, MetalDelegate.Options().isPrecisionLossAllowed)
        XCTAssertEqual(options.wait_type, MetalDelegate.Options().waitType.cWaitType)
        XCTAssertEqual(options.enable_quantization, MetalDelegate.Options().isQuantizationEnabled)
    }

    @available(*, deprecated)
    func testDeprecatedNames() {
        var options: MetalDelegateOptions = MetalDelegate.Options()
        XCTAssertFalse(options.allowsPrecisionLoss)
        options.allowsPrecisionLoss = true
        XCTAssertTrue(options.isPrecisionLossAllowed)
    }

    func testOptionsReachTheDelegate() throws {
        let waits: [(ThreadWaitType, TFLGpuDelegateWaitType)] = [
            (.none, TFLGpuDelegateWaitTypeDoNotWait), (.passive, TFLGpuDelegateWaitTypePassive),
            (.active, TFLGpuDelegateWaitTypeActive),
            (.aggressive, TFLGpuDelegateWaitTypeAggressive),
        ]
        for (wait, cWait) in waits {
            XCTAssertEqual(wait.cWaitType, cWait)
            for (loss, quantized) in [(false, false), (false, true), (true, false), (true, true)] {
                var options = MetalDelegate.Options()
                options.isPrecisionLossAllowed = loss
                options.waitType = wait
                options.isQuantizationEnabled = quantized
                let delegate = MetalDelegate(options: options)
                XCTAssertEqual(delegate.options, options)
                guard TernFakeMetalIsLinked() else { continue }
                let last = TernFakeMetalRecorded().last
                XCTAssertEqual(last.allow_precision_loss, loss)
                XCTAssertEqual(last.wait_type, cWait)
                XCTAssertEqual(last.enable_quantization, quantized)
            }
        }
    }

    func testRunsWithMetal() throws {
        let delegate = MetalDelegate()
        let interpreter = try Interpreter(
            modelPath: Files.model("open_rows"), delegates: [delegate])
        try interpreter.allocateTensors()
        try interpreter.copy(data([1, 2, 3] as [Float]), toInputAt: 0)
        try interpreter.invoke()
        XCTAssertEqual(try floats(interpreter.output(at: 0)), [-1, -2, -3])
        if TernFakeMetalIsLinked() { XCTAssertEqual(TernFakeMetalRecorded().prepared, 1) }
    }

    func testMetalLivesAsLongAsItsInterpreter() throws {
        var interpreter: Interpreter?
        do {
            let delegate = MetalDelegate()
            interpreter = try Interpreter(modelPath: Files.demo, delegates: [delegate])
        }
        try interpreter!.allocateTensors()
        try interpreter!.invoke()
        if TernFakeMetalIsLinked() { XCTAssertEqual(TernFakeMetalRecorded().deleted, 0) }
        interpreter = nil
        if TernFakeMetalIsLinked() {
            XCTAssertEqual(TernFakeMetalRecorded().created, 1)
            XCTAssertEqual(TernFakeMetalRecorded().deleted, 1)
        }
    }

    /// On a device without Metal the delegate is made, and the interpreter tells.
    func testWithoutMetal() throws {
        try XCTSkipUnless(TernFakeMetalIsLinked(), "another library has the functions of Metal")
        TernFakeMetalBreak(true)
        let delegate = MetalDelegate()
        let heard = messages {
            assertThrows(InterpreterError.failedToCreateInterpreter) {
                try Interpreter(
                    modelPath: Files.demo, options: Interpreter.Options(), delegates: [delegate])
            }
        }
        XCTAssertTrue(heard.joined().contains("Metal"), "\(heard)")
        XCTAssertEqual(TernFakeMetalRecorded().created, 0)
    }

    // ---- Others

    func testDelegatesGoInTheirOrder() throws {
        let delegates = [PlainDelegate(), PlainDelegate()]
        let interpreter = try Interpreter(modelPath: Files.demo, delegates: delegates)
        XCTAssertEqual(delegates.map(\.prepared), [1, 1])
        XCTAssertEqual(interpreter.delegates?.count, 2)
        // The second is not asked where the first fails.
        let last = PlainDelegate()
        assertThrows(InterpreterError.failedToCreateInterpreter) {
            try Interpreter(
                modelPath: Files.demo, delegates: [PlainDelegate(answering: kTfLiteError), last])
        }
        XCTAssertEqual(last.prepared, 0)
    }

    func testNoDelegates() throws {
        let interpreter = try Interpreter(modelPath: Files.demo, delegates: [])
        XCTAssertEqual(interpreter.delegates?.count, 0)
        try interpreter.allocateTensors()
        try interpreter.invoke()
    }

    func testADelegateForTwoInterpreters() throws {
        let delegate = PlainDelegate()
        let interpreters = try (0..<2).map { _ in
            try Interpreter(modelPath: Files.demo, delegates: [delegate])
        }
        XCTAssertEqual(delegate.prepared, interpreters.count)
    }
}
