// SPDX-License-Identifier: Apache-2.0
// Who keeps whom alive, many interpreters, several threads.
import Dispatch
import TernFakeMetal
import XCTest

@testable import TensorFlowLite

final class LifetimeTests: XCTestCase {
    func testADelegateThatIsDroppedFirst() throws {
        XCTAssertEqual(TernPlainDelegatesAlive(), 0)
        var delegate: PlainDelegate? = PlainDelegate()
        var interpreter: Interpreter? = try Interpreter(
            modelPath: Files.demo, delegates: [delegate!])
        delegate = nil
        XCTAssertEqual(TernPlainDelegatesAlive(), 1)
        try interpreter!.allocateTensors()
        try interpreter!.invoke()
        interpreter = nil
        XCTAssertEqual(TernPlainDelegatesAlive(), 0)
    }

    func testModelBytesThatAreDroppedAndChanged() throws {
        var bytes: Data? = try Files.bytes(Files.model("open_rows"))
        let interpreter = try Interpreter(modelData: bytes!)
        bytes!.resetBytes(in: 0..<bytes!.count)
        bytes = nil
        try interpreter.allocateTensors()
        try interpreter.copy(data([1, 2, 3] as [Float]), toInputAt: 0)
        try interpreter.invoke()
        XCTAssertEqual(try floats(interpreter.output(at: 0)), [-1, -2, -3])
    }

    func testAnInterpreterInAClosure() throws {
        func negation() throws -> ([Float]) throws -> [Float] {
            let interpreter = try Interpreter(modelData: Files.bytes(Files.model("open_rows")))
            try interpreter.allocateTensors()
            return { values in
                try interpreter.copy(data(values), toInputAt: 0)
                try interpreter.invoke()
                return try floats(interpreter.output(at: 0))
            }
        }
        let negate = try negation()
        XCTAssertEqual(try negate([1, 2, 3]), [-1, -2, -3])
        XCTAssertEqual(try negate([4, 5, 6]), [-4, -5, -6])
    }

    func testAnInterpreterIsLetGo() throws {
        weak var weakInterpreter: Interpreter?
        do {
            let interpreter = try Interpreter.ready("open_rows")
            weakInterpreter = interpreter
            XCTAssertNotNil(weakInterpreter)
        }
        XCTAssertNil(weakInterpreter)
    }

    /// A thousand, one after the other, with messages, delegates and runners; then a hundred at once.
    func testAThousandInterpreters() throws {
        let bytes = try Files.bytes(Files.model("open_rows"))
        var options = Interpreter.Options()
        options.threadCount = 1
        options.isXNNPackEnabled = true
        for number in 0..<1000 {
            let interpreter = try Interpreter(
                modelData: bytes, options: options, delegates: [PlainDelegate()])
            let runner = try interpreter.signatureRunner(with: "negate")
            try runner.invoke(with: ["x": data([Float(number), 1, 2])])
            XCTAssertEqual(try floats(runner.output(named: "y")), [-Float(number), -1, -2])
        }
        XCTAssertEqual(TernPlainDelegatesAlive(), 0)
        let many = try (0..<100).map { _ in try Interpreter(modelData: bytes) }
        for interpreter in many {
            try interpreter.allocateTensors()
            try interpreter.invoke()
        }
    }

    /// Each failure lets go what was made before it.
    func testAThousandFailures() throws {
        let path = try Files.model("new_version")
        _ = messages {
            for _ in 0..<1000 {
                assertThrows(InterpreterError.failedToCreateInterpreter) {
                    try Interpreter(
                        modelPath: path, options: Interpreter.Options(),
                        delegates: [PlainDelegate()])
                }
            }
        }
        XCTAssertEqual(TernPlainDelegatesAlive(), 0)
    }

    func testInterpretersOnTwoThreads() throws {
        let path = try Files.model("open_rows")
        let bytes = try Files.bytes(path)
        var wrong = 0
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            do {
                // One reads the file, the other the bytes.
                let interpreter =
                    try thread == 0
                    ? Interpreter(modelPath: path) : Interpreter(modelData: bytes)
                try interpreter.allocateTensors()
                for run in 0..<1000 {
                    let values = [Float(thread), Float(run), 1]
                    try interpreter.copy(data(values), toInputAt: 0)
                    try interpreter.invoke()
                    if try floats(interpreter.output(at: 0)) != values.map({ -$0 }) {
                        lock.lock()
                        wrong += 1
                        lock.unlock()
                    }
                }
            } catch {
                lock.lock()
                wrong += 1
                lock.unlock()
            }
        }
        XCTAssertEqual(wrong, 0)
    }

    /// Made on one thread, used on another, dropped on a third.
    func testAnInterpreterMovesBetweenThreads() throws {
        let path = try Files.model("open_rows")
        var interpreter: Interpreter?
        var got: [Float] = []
        let queues = (0..<3).map { DispatchQueue(label: "thread \($0)") }
        try queues[0].sync { interpreter = try Interpreter(modelPath: path) }
        try queues[1].sync {
            try interpreter!.allocateTensors()
            try interpreter!.copy(data([1, 2, 3] as [Float]), toInputAt: 0)
            try interpreter!.invoke()
            got = try floats(interpreter!.output(at: 0))
        }
        queues[2].sync { interpreter = nil }
        XCTAssertEqual(got, [-1, -2, -3])
    }
}
