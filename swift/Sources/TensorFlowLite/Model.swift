// SPDX-License-Identifier: Apache-2.0
// The model behind an interpreter.
import Foundation
import TensorFlowLiteC
import TensorFlowLiteCSupport

/// A checked model. It keeps the bytes, which the runtime does not copy, and the log that the runtime reports to.
final class Model {
    /// At other addresses the runtime's reads are slow, or wrong on some processors.
    private static let alignment = 16

    let cModel: OpaquePointer
    let data: NSData?
    let log: MessageLog?

    /// Nil when there is no file, or no model in it.
    init?(filePath: String, log: MessageLog? = nil) {
        // C would see the path up to a zero alone.
        guard !filePath.isEmpty, !filePath.utf8.contains(0),
            let cModel = TernSwiftModelCreateFromFile(filePath, log?.receiver)
        else { return nil }
        self.cModel = cModel
        data = nil
        self.log = log
    }

    /// Nil when the bytes are no model.
    init?(modelData: Data, log: MessageLog? = nil) {
        guard !modelData.isEmpty else { return nil }
        // The address that Data shows is valid within a closure; that of NSData is, as long as the object lives.
        let data = Model.aligned(modelData)
        guard let cModel = TernSwiftModelCreate(data.bytes, data.length, log?.receiver) else {
            return nil
        }
        self.cModel = cModel
        self.data = data
        self.log = log
    }

    deinit {
        TfLiteModelDelete(cModel)
    }

    private static func aligned(_ data: Data) -> NSData {
        let shared = data as NSData
        guard UInt(bitPattern: shared.bytes) % UInt(alignment) != 0 else { return shared }
        // malloc's addresses are aligned.
        return NSData(bytes: shared.bytes, length: shared.length)
    }
}
