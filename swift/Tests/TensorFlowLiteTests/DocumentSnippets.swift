// SPDX-License-Identifier: Apache-2.0
// The Swift blocks of the product documents, word for word between the marks, compiled and run. swift/Tests/snippets.py holds
// them against the documents: it leaves out lines that end in "not in the document".
import XCTest

import TensorFlowLite

final class DocumentSnippets: XCTestCase {
    // The block declares the delegate twice, which Swift takes in two scopes only.
    func testOptionsOfTheEnglishAndChineseGuide() {
        var delegates: [MetalDelegate] = []
        do {
            // >>> gpu_advanced_en.txt gpu_advanced_zh.txt
            // THIS:
            var options = MetalDelegate.Options()
            options.isPrecisionLossAllowed = false
            options.waitType = .passive
            options.isQuantizationEnabled = true
            let delegate = MetalDelegate(options: options)
            delegates.append(delegate)  // not in the document
        }  // not in the document
        do {  // not in the document

            // IS THE SAME AS THIS:
            let delegate = MetalDelegate()
            // <<<
            delegates.append(delegate)
        }
        XCTAssertEqual(delegates[0].options, delegates[1].options)
    }

    // An older guide: quantized models did not run on the GPU unless asked for. Today's default is that of the other guides.
    func testOptionsOfTheKoreanGuide() {
        var delegates: [MetalDelegate] = []
        do {
            // >>> gpu_advanced_ko.txt
            // THIS:
            var options = MetalDelegate.Options()
            options.isPrecisionLossAllowed = false
            options.waitType = .passive
            options.isQuantizationEnabled = false
            let delegate = MetalDelegate(options: options)
            delegates.append(delegate)  // not in the document
        }  // not in the document
        do {  // not in the document

            // IS THE SAME AS THIS:
            let delegate = MetalDelegate()
            // <<<
            delegates.append(delegate)
        }
        var first = delegates[0].options
        XCTAssertNotEqual(first, delegates[1].options)
        first.isQuantizationEnabled = true
        XCTAssertEqual(first, delegates[1].options)
    }

    func testQuantizationOff() {
        // >>> gpu_advanced_en.txt gpu_advanced_zh.txt
        var options = MetalDelegate.Options()
        options.isQuantizationEnabled = false
        let delegate = MetalDelegate(options: options)
        // <<<
        XCTAssertFalse(delegate.options.isQuantizationEnabled)
    }

    func testQuantizationOn() {
        // >>> gpu_advanced_ko.txt
        // NEW: Prepare custom options with feature enabled.
        var options = MetalDelegate.Options()
        options.isQuantizationEnabled = true
        let delegate = MetalDelegate(options: options)
        // <<<
        XCTAssertTrue(delegate.options.isQuantizationEnabled)
    }

    // This block is no Swift: `if let` wants an optional, and the initializer, which throws, gives none. An initializer that
    // can also give nil would make it compile, and would break every `let interpreter = try Interpreter(...)`.
    // swift/test.sh checks that the compiler refuses it; the test below is its form with `let`.
    /*
        // >>> gpu_advanced_ko.txt no Swift
        import TensorFlowLite

        let delegate = MetalDelegate()
        if let interpreter = try Interpreter(modelPath: modelPath,
                                             delegates: [delegate]) {

          // Run inference ...
        }
        // <<<
    */
    func testTheKoreanGuideWithLet() throws {
        let modelPath = Files.demo

        let delegate = MetalDelegate()
        let interpreter = try Interpreter(modelPath: modelPath,
                                          delegates: [delegate])
        do {

            // Run inference ...
            try interpreter.allocateTensors()
            try interpreter.invoke()
            XCTAssertGreaterThan(try interpreter.output(at: 0).data.count, 0)
        }
    }
}
