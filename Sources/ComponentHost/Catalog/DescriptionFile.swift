import ComponentKit
package import ForeignFunctions

/// A file `NAME.hslink.json`: a library that has no component's entry, described from outside.
package enum DescriptionFile {
    /// What the names of such files end with.
    package static let suffix = ".hslink.json"

    /// More nobody writes.
    private static let maximumSize = 16 << 20

    /// Reads a description; opens nothing that it names.
    ///
    /// - Parameter file: open at any position.
    /// - Returns: what it says, also as a manifest.
    /// - Throws: `invalidManifest` with the place, what is allowed there and what was there; `notReadable`.
    package static func read(
        _ file: borrowing OpenFile
    ) throws(ComponentFileError) -> (LibraryDescription, Manifest) {
        guard file.identity.size <= maximumSize else {
            throw ComponentFileError(
                code: .invalidManifest, message: "a description has at most \(maximumSize >> 20) MB, this file has more"
            )
        }
        var buffer = FileBuffer(capacity: max(Int(file.identity.size), 1))
        try buffer.fill(Int(file.identity.size), at: 0, from: file.descriptor)
        let bytes = unsafe buffer.bytes
        do throws(PayloadError) {
            let json = try unsafe Payload(json: bytes)
            // First as a component: its name and version stand in every message.
            let description = try LibraryDescription(json)
            return (description, try Manifest(description.manifest))
        } catch {
            throw ComponentFileError(code: .invalidManifest, message: "the description: \(error)")
        }
    }
}

extension ComponentFile {
    /// Whether it describes a library, instead of being one.
    package var isDescription: Bool { path.hasSuffix(DescriptionFile.suffix) }
}

extension Manifest {
    /// Of a description: each declaration that cannot be used, with the reason.
    package var refusedDeclarations: [String] {
        ((try? extra["refused"]?.items()) ?? []).map { item in
            "\((try? item.string("name")) ?? ""): \((try? item.string("reason")) ?? "")"
        }
    }

    /// The same in short; nil when all can be used.
    package var refusedSummary: String? {
        let refused = refusedDeclarations
        switch refused.count {
        case 0: return nil
        case 1: return "one declaration cannot be used: \(refused[0])"
        default: return "\(refused.count) declarations cannot be used; 'hslink inspect' says why"
        }
    }
}
