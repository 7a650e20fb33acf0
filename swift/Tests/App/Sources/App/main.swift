// SPDX-License-Identifier: Apache-2.0
// An application that makes, runs, fails and lets go. AddressSanitizer tells at its end whether memory is left: XCTest keeps
// some of its own, so that the tests cannot.   App MODEL_FOLDER
import Foundation
import TensorFlowLite

struct Unexpected: Error {
    let text: String
}

func model(_ name: String) -> String { "\(CommandLine.arguments[1])/\(name).tflite" }

func bytes(_ values: [Float]) -> Data { values.withUnsafeBytes { Data($0) } }

func fails(_ body: () throws -> Void) throws {
    do { try body() } catch { return }
    throw Unexpected(text: "no error where one is due")
}

/// Every way that memory goes, once.
func once(_ options: Interpreter.Options?) throws {
    let interpreter = try Interpreter(modelPath: model("open_rows"), options: options)
    try fails { try interpreter.invoke() }
    try interpreter.resizeInput(at: 0, to: [2, 3])
    try interpreter.allocateTensors()
    try interpreter.copy(bytes([1, 2, 3, 4, 5, 6]), toInputAt: 0)
    try fails { try interpreter.copy(Data(), toInputAt: 0) }
    try interpreter.invoke()
    guard try interpreter.output(at: 0).data == bytes([-1, -2, -3, -4, -5, -6]) else {
        throw Unexpected(text: "other numbers")
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: model("two_inputs")))
    let runner = try Interpreter(modelData: data, options: options)
        .signatureRunner(with: "serving_default")
    try runner.invoke(with: ["a": bytes([1, 2, 3, 4]), "b": bytes([1, 2, 3, 4])])
    _ = try runner.output(named: "total")
    try fails { try runner.resizeInput(named: "none", toShape: [1]) }
    try fails { _ = try Interpreter(modelPath: "none", options: options) }
    try fails { _ = try Interpreter(modelData: data.prefix(100), options: options) }
    // There is no Metal here.
    try fails {
        _ = try Interpreter(
            modelPath: model("open_rows"), options: options, delegates: [MetalDelegate()])
    }
}

var options = Interpreter.Options()
options.isXNNPackEnabled = true
for _ in 0..<10 {
    try once(options)
    try once(nil)
}
print("TensorFlow Lite \(Runtime.version) ran in an application")
