// SPDX-License-Identifier: Apache-2.0
// Shared by the tests: where models lie, numbers as bytes, errors that are expected.
import Foundation
import TensorFlowLiteC
import TernFakeMetal
import XCTest

@testable import TensorFlowLite

/// Files that the tests run. swift/test.sh makes the small models; the demo is in the repository.
enum Files {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let demo = root.appendingPathComponent("demo/landscape.tflite").path

    /// The path of a small model.
    static func model(_ name: String) throws -> String {
        let folder = ProcessInfo.processInfo.environment["TERN_SWIFT_MODELS"]
            ?? root.appendingPathComponent("build/release/swift/models").path
        let path = "\(folder)/\(name).tflite"
        guard FileManager.default.fileExists(atPath: path) else {
            throw XCTSkip("there is no \(path): swift/test.sh makes the models")
        }
        return path
    }

    static func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// A file with these bytes, which is gone after the test.
    static func written(_ bytes: Data, by test: XCTestCase) throws -> String {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("tern-\(UUID().uuidString).tflite")
        try bytes.write(to: url)
        test.addTeardownBlock { try? FileManager.default.removeItem(at: url) }
        return url.path
    }
}

extension Interpreter {
    /// An interpreter of a small model, with memory.
    static func ready(_ name: String) throws -> Interpreter {
        let interpreter = try Interpreter(modelPath: Files.model(name))
        try interpreter.allocateTensors()
        return interpreter
    }
}

func data<Element>(_ elements: [Element]) -> Data {
    elements.withUnsafeBytes { Data($0) }
}

func elements<Element>(_ tensor: Tensor, as type: Element.Type = Element.self) -> [Element] {
    tensor.data.withUnsafeBytes { bytes in
        (0..<bytes.count / MemoryLayout<Element>.stride).map {
            bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.stride, as: type)
        }
    }
}

func floats(_ tensor: Tensor) -> [Float] { elements(tensor) }

/// The expression throws this error.
func assertThrows<Expected: Error & Equatable, Result>(
    _ expected: Expected, file: StaticString = #filePath, line: UInt = #line,
    _ body: () throws -> Result
) {
    XCTAssertThrowsError(try body(), file: file, line: line) {
        XCTAssertEqual($0 as? Expected, expected, file: file, line: line)
    }
}

/// A delegate that claims no node. It tells how often it was asked.
final class PlainDelegate: Delegate {
    let cDelegate: CDelegate

    init(answering answer: TfLiteStatus = kTfLiteOk) {
        cDelegate = TernPlainDelegateCreate(answer)
    }

    deinit {
        TernPlainDelegateDelete(cDelegate)
    }

    var prepared: Int { Int(TernPlainDelegatePrepared(cDelegate)) }
}

/// The runtime's messages while the body runs.
func messages(while body: () throws -> Void) rethrows -> [String] {
    var heard: [String] = []
    let before = MessageLog.show
    defer { MessageLog.show = before }
    MessageLog.show = { heard.append($0) }
    try body()
    return heard
}
