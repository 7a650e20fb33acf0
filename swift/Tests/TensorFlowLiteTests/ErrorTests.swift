// SPDX-License-Identifier: Apache-2.0
// Errors as values and as texts, and the messages of the runtime.
import TernFakeMetal
import XCTest

@testable import TensorFlowLite

final class ErrorTests: XCTestCase {
    static let interpreterErrors: [(InterpreterError, String)] = [
        (.invalidTensorIndex(index: 3, maxIndex: 1), "There is no tensor 3: indices go from 0 to 1."),
        (
            .invalidTensorIndex(index: 0, maxIndex: -1),
            "There is no tensor 0: the model has none on this side."
        ),
        (.invalidTensorDataCount(provided: 3, required: 12), "The data has 3 bytes, the tensor 12."),
        (.invalidTensorDataType, "Tensor.DataType has no case for the type of the tensor."),
        (.failedToLoadModel, "Failed to load the given model."),
        (.failedToCreateInterpreter, "Failed to create the interpreter."),
        (.failedToResizeInputTensor(index: 2), "Failed to resize input tensor 2."),
        (.failedToCopyDataToInputTensor, "Failed to copy the data to the input tensor."),
        (.failedToAllocateTensors, "Failed to allocate memory for the tensors."),
        (.allocateTensorsRequired, "Must call allocateTensors()."),
        (.invokeInterpreterRequired, "Must call invoke()."),
        (.tensorFlowLiteError("it rains"), "TensorFlow Lite reported: it rains"),
    ]

    static let signatureErrors: [(SignatureRunnerError, String)] = [
        (.invalidTensorDataCount(provided: 3, required: 12), "The data has 3 bytes, the tensor 12."),
        (.invalidTensorDataType, "Tensor.DataType has no case for the type of the tensor."),
        (
            .failedToCreateSignatureRunner(signatureKey: "k"),
            "Failed to create a runner of the signature \"k\"."
        ),
        (
            .failedToGetTensor(tensorType: "input", nameInSignature: "n"),
            "The signature has no input \"n\"."
        ),
        (.failedToResizeInputTensor(inputName: "n"), "Failed to resize the input \"n\"."),
        (.failedToCopyDataToInputTensor, "Failed to copy the data to the input tensor."),
        (.failedToAllocateTensors, "Failed to allocate memory for the tensors."),
        (.failedToInvokeSignature(signatureKey: "k"), "Failed to run the signature \"k\"."),
        (.allocateTensorsRequired, "Must call allocateTensors()."),
    ]

    func testTextsOfInterpreterErrors() {
        for (error, text) in ErrorTests.interpreterErrors {
            XCTAssertEqual(error.errorDescription, text)
            XCTAssertEqual(error.description, text)
            XCTAssertEqual("\(error)", text)
            XCTAssertEqual((error as Error).localizedDescription, text)
        }
        XCTAssertEqual(
            Set(ErrorTests.interpreterErrors.map { $0.0 }).count,
            ErrorTests.interpreterErrors.count)
    }

    func testTextsOfSignatureErrors() {
        for (error, text) in ErrorTests.signatureErrors {
            XCTAssertEqual(error.errorDescription, text)
            XCTAssertEqual(error.description, text)
            XCTAssertEqual("\(error)", text)
            XCTAssertEqual((error as Error).localizedDescription, text)
        }
        XCTAssertEqual(
            Set(ErrorTests.signatureErrors.map { $0.0 }).count, ErrorTests.signatureErrors.count)
    }

    func testErrorsAreEqualByTheirValues() {
        XCTAssertEqual(
            InterpreterError.invalidTensorIndex(index: 1, maxIndex: 0),
            .invalidTensorIndex(index: 1, maxIndex: 0))
        XCTAssertNotEqual(
            InterpreterError.invalidTensorIndex(index: 1, maxIndex: 0),
            .invalidTensorIndex(index: 1, maxIndex: 2))
        XCTAssertNotEqual(
            SignatureRunnerError.failedToInvokeSignature(signatureKey: "a"),
            .failedToInvokeSignature(signatureKey: "b"))
    }

    // ---- Messages

    func testMessagesAreFormattedInC() {
        let log = MessageLog()
        let long = String(repeating: "ж", count: 5000)
        let heard = messages {
            for count: Int32 in 0..<3 {
                TernReportNumberAndText(log.receiver, count, long)
            }
        }
        XCTAssertEqual(heard, (0..<3).map { "\($0) of \(long)" })
    }

    func testALineEndOfAMessageIsNotPrintedTwice() {
        let log = MessageLog()
        let heard = messages { TernReportText(log.receiver, "a line\n") }
        XCTAssertEqual(heard, ["a line"])
    }

    /// Bytes that are no UTF-8 come as marks.
    func testAMessageThatIsNoText() {
        let log = MessageLog()
        let bytes = [0xFF, 0x20, 0x78, 0].map { CChar(truncatingIfNeeded: $0) }
        let heard = messages { TernReportText(log.receiver, bytes) }
        XCTAssertEqual(heard, ["\u{FFFD} x"])
    }

    func testMessagesComeWithOptionsAlone() throws {
        let path = try Files.model("two_inputs")
        let heard = try messages {
            for options in [nil, Interpreter.Options()] {
                let interpreter = try Interpreter(modelPath: path, options: options)
                try interpreter.resizeInput(at: 0, to: [3, 2])
                XCTAssertThrowsError(try interpreter.allocateTensors())
            }
        }
        XCTAssertFalse(heard.contains(""))
        XCTAssertFalse(heard.isEmpty)
        let once = try messages {
            let interpreter = try Interpreter(modelPath: path, options: Interpreter.Options())
            try interpreter.resizeInput(at: 0, to: [3, 2])
            XCTAssertThrowsError(try interpreter.allocateTensors())
        }
        XCTAssertEqual(heard, once)
    }
}
