// SPDX-License-Identifier: Apache-2.0
// Where the runtime's messages go.
import TensorFlowLiteCSupport

/// Prints messages of a model and its interpreters, which it must outlive.
final class MessageLog {
    /// Takes a message. Tests put their own here.
    static var show: (String) -> Void = { print($0) }

    /// The C side keeps this address.
    let receiver: UnsafeMutablePointer<TernSwiftReceiver>

    init() {
        receiver = .allocate(capacity: 1)
        receiver.initialize(
            to: TernSwiftReceiver(
                receive: { _, text in
                    guard let text = text else { return }
                    MessageLog.show(MessageLog.trimmed(String(cString: text)))
                },
                owner: nil))
    }

    deinit {
        receiver.deinitialize(count: 1)
        receiver.deallocate()
    }

    /// Some messages end their line, and `print` does so, too.
    private static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
