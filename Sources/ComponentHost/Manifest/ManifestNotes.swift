import CHSLink
import ComponentKit

/// Puts the notes of one file, or of one image in memory, together to manifests.
package struct ManifestNotes {
    /// A manifest of this size describes no component.
    private static let maximumTextSize = 1 << 20

    private var components: [Manifest] = []
    private var abi: Manifest.ABIVersion?
    private var compiler: String?

    package init() {}

    /// Takes a note; those of types it does not know are for later readers.
    ///
    /// - Throws: `invalidManifest` with the place in the text.
    mutating func add(_ note: ElfNote) throws(ComponentFileError) {
        switch unsafe Int(note.type) {
        case HSLINK_NOTE_COMPONENT:
            let json = unsafe try ManifestNotes.json(note.text, "the manifest")
            do throws(PayloadError) {
                let manifest = try Manifest(json)
                // The gold linker may write PT_NOTE segments that overlap: the same note is met twice.
                if !components.contains(where: { $0.raw == manifest.raw }) { components.append(manifest) }
            } catch {
                throw .invalidManifest("the manifest", error)
            }
        case HSLINK_NOTE_TOOLCHAIN:
            let json = unsafe try ManifestNotes.json(note.text, "the note about the toolchain")
            do throws(PayloadError) {
                try addToolchain(json)
            } catch {
                throw .invalidManifest("the note about the toolchain", error)
            }
        default: break
        }
    }

    /// The manifests of all components, for an image that may hold several.
    var manifests: [Manifest] {
        components.map { component in
            var manifest = component
            manifest.abi = abi
            manifest.compiler = compiler
            return manifest
        }
    }

    /// The manifest of a file's only component.
    ///
    /// - Throws: `noManifest` or `severalManifests`.
    func manifest() throws(ComponentFileError) -> Manifest {
        let manifests = manifests
        guard let first = manifests.first else {
            throw ComponentFileError(
                code: .noManifest,
                message: "a shared object without a component's manifest (a note of the owner HSL); no component")
        }
        guard manifests.count == 1 else {
            let names = manifests.prefix(3).map(\.name).joined(separator: ", ")
            throw ComponentFileError(
                code: .severalManifests,
                message: "one manifest was expected, \(manifests.count) are there (\(names));"
                    + " build each component to a file of its own")
        }
        return first
    }

    /// Pieces of one file may come from several compilers' objects: each fills in what is still open.
    private mutating func addToolchain(_ json: Payload) throws(PayloadError) {
        if let text = try json.stringIfPresent("abi") {
            guard let version = Manifest.ABIVersion(text) else {
                throw PayloadError(path: ["abi"], expected: "two numbers as \"1.0\"", found: text.quoted())
            }
            if let abi, abi != version {
                throw PayloadError(path: ["abi"], expected: "one version in a file", found: "\(abi) and \(version)")
            }
            abi = version
        }
        if let text = try json.stringIfPresent("compiler") {
            if let compiler, compiler != text {
                throw PayloadError(
                    path: ["compiler"], expected: "one compiler for a file",
                    found: "\(compiler.quoted()) and \(text.quoted())")
            }
            compiler = text
        }
    }

    private static func json(
        _ text: UnsafeRawBufferPointer, _ what: String
    ) throws(ComponentFileError) -> Payload {
        guard text.count <= maximumTextSize else {
            throw ComponentFileError(
                code: .invalidManifest, message: "\(what) is larger than 1 MB: \(text.count) bytes")
        }
        do throws(PayloadError) {
            return try unsafe Payload(json: text)
        } catch {
            throw ComponentFileError(code: .invalidManifest, message: "\(what) is not JSON: \(error)")
        }
    }
}

extension Manifest.ABIVersion {
    /// As in "1.0".
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let major = UInt16(parts[0]), let minor = UInt16(parts[1]) else { return nil }
        self.init(major: major, minor: minor)
    }
}

extension ComponentFileError {
    fileprivate static func invalidManifest(_ what: String, _ error: PayloadError) -> ComponentFileError {
        ComponentFileError(
            code: .invalidManifest, message: "\(what) does not keep to the rules: \(error)")
    }
}
