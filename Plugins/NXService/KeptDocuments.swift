import ComponentKit
import Foundation
import NXKit
import NXServiceContract

/// Documents that were fetched before, for when they cannot be fetched. A document that cannot be kept or read is no
/// error: it is only missing later.
struct KeptDocuments: Sendable {
    private let limit: Int
    private let folder: CacheFolder

    /// - Parameters:
    ///   - limit: The space for all documents, in bytes; 0 keeps none.
    ///   - directory: Returns the component's cache directory.
    init(limit: Int, in directory: @escaping @Sendable () throws -> String) {
        self.limit = limit
        folder = CacheFolder("web", limit: limit, in: directory)
    }

    /// Keeps a document.
    func keep(_ document: WebDocument) async {
        guard let content = try? document.payload.cbor(), content.count <= limit else { return }
        _ = try? await folder.write(Data(content), to: document.fileName) { _ in }
    }

    /// Returns a kept document; nil if there is none, or its file is damaged.
    func document(_ fileName: String) async -> WebDocument? {
        guard limit > 0, let content = await folder.read(fileName) else { return nil }
        guard let document = try? WebDocument(from: content), document.fileName == fileName else {
            await folder.remove(fileName)
            return nil
        }
        return document
    }
}

extension WebDocument {
    fileprivate init(from content: Data) throws {
        self = try Payload(cbor: Array(content)).value()
    }
}
