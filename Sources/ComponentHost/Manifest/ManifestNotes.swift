import CHSLink
import ComponentKit

/// Puts the notes of one file, or of one image in memory, together to manifests.
package struct ManifestNotes {
    /// A manifest of this size describes no component.
    private static let maximumTextSize = 1 << 20

    private var components: [Manifest] = []
    /// The notes of `components` as texts, once there are several.
    private var componentTexts: Set<String> = []
    private var classes: [NoteItem] = []
    private var services: [NoteItem] = []
    private var models: [NoteItem] = []
    private var abi: Manifest.ABIVersion?
    private var compiler: String?
    /// The first key that means nothing to this host.
    private var unknownKey: ComponentFileError?

    package init() {}

    /// Takes a note; those of types it does not know are for later readers.
    ///
    /// - Throws: `invalidManifest` with the note and the place in its text.
    mutating func add(_ note: ElfNote) throws(ComponentFileError) {
        switch unsafe Int(note.type) {
        case HSLINK_NOTE_COMPONENT:
            let json = unsafe try ManifestNotes.json(note.text, ComponentFileError.manifestNote)
            do throws(PayloadError) {
                let manifest = try Manifest(json)
                // The gold linker may write PT_NOTE segments that overlap: the same note is met twice.
                if try isNew(json) { components.append(manifest) }
            } catch {
                throw .invalidManifest(ComponentFileError.manifestNote, error)
            }
            noteUnknownKeys(in: ComponentFileError.manifestNote) { () throws(PayloadError) in
                try json.refuseUnknownKeysOfComponent()
            }
        case HSLINK_NOTE_LINK_CLASS:
            let item = unsafe try item(note, "the class")
            _ = try item.reading { (json) throws(PayloadError) in try ClassDeclaration(json) }
            noteUnknownKeys(in: item.note) { () throws(PayloadError) in try item.json.refuseUnknownKeysOfClass() }
            classes.append(item)
        case HSLINK_NOTE_SERVICE:
            let item = unsafe try item(note, "the service")
            noteUnknownKeys(in: item.note) { () throws(PayloadError) in try item.json.refuseUnknownKeysOfService() }
            services.append(item)
        case HSLINK_NOTE_MODEL:
            let item = unsafe try item(note, "the model")
            noteUnknownKeys(in: item.note) { () throws(PayloadError) in try item.json.refuseUnknownKeysOfModel() }
            models.append(item)
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

    private mutating func noteUnknownKeys(in note: String, _ check: () throws(PayloadError) -> Void) {
        guard unknownKey == nil else { return }
        do throws(PayloadError) {
            try check()
        } catch {
            unknownKey = .invalidManifest(note, error)
        }
    }

    /// A file that was built with a later header may know more keys than this host.
    private func refuseUnknownKeys() throws(ComponentFileError) {
        guard let unknownKey, (abi?.minor ?? 0) <= UInt16(HSLINK_ABI_MINOR) else { return }
        throw unknownKey
    }

    /// Whether none of `components` has this note.
    private mutating func isNew(_ json: Payload) throws(PayloadError) -> Bool {
        guard let first = components.first else { return true }
        if componentTexts.isEmpty { componentTexts.insert(try first.raw.json()) }
        return componentTexts.insert(try json.json()).inserted
    }

    private func item(_ note: ElfNote, _ what: String) throws(ComponentFileError) -> NoteItem {
        NoteItem(unsafe try ManifestNotes.json(note.text, "the note about \(what)"), what)
    }

    /// The services and models of everything that was added.
    func serviceNotes() throws(ComponentFileError) -> ServiceNotes {
        var notes = ServiceNotes()
        for component in components {
            for (index, json) in ((try? component.raw["services"]?.items()) ?? []).enumerated() {
                try notes.addService(NoteItem(json, in: "services", index, module: component.module))
            }
            for (index, json) in ((try? component.raw["models"]?.items()) ?? []).enumerated() {
                try notes.addModel(NoteItem(json, in: "models", index, module: component.module))
            }
        }
        for item in services.sorted(by: { $0.note < $1.note }) { try notes.addService(item) }
        for item in models.sorted(by: { $0.note < $1.note }) { try notes.addModel(item) }
        return notes
    }

    /// The manifests of all components, for an image that may hold several: each with the classes of its module,
    /// and with the services and models of the image.
    ///
    /// - Throws: `invalidManifest` when notes contradict each other, or name what no note describes.
    func manifests() throws(ComponentFileError) -> [Manifest] {
        try refuseUnknownKeys()
        let services = try serviceNotes()
        var manifests: [Manifest] = []
        for component in components {
            let join = ManifestJoin(
                component: component, classes: classes.filter { $0.module == component.module }, services: services)
            manifests.append(completed(try join.manifest()))
        }
        return manifests
    }

    /// The manifest of a file's only component: everything in the file belongs to it.
    ///
    /// - Throws: `noManifest`, `severalManifests`, or `invalidManifest` as ``manifests()``.
    func manifest() throws(ComponentFileError) -> Manifest {
        guard let component = components.first else {
            if let linkClass = classes.first {
                throw ComponentFileError(
                    code: .noManifest,
                    message: "\(linkClass.note) is there, and none about the component; in Swift, mark one type of the "
                        + "module @Component")
            }
            throw ComponentFileError(
                code: .noManifest,
                message: "a shared object without a component's manifest (a note of the owner HSL); no component")
        }
        guard components.count == 1 else {
            let names = components.prefix(3).map(\.name).joined(separator: ", ")
            throw ComponentFileError(
                code: .severalManifests,
                message: "one manifest was expected, \(components.count) are there (\(names));"
                    + " build each component to a file of its own")
        }
        try refuseUnknownKeys()
        let join = ManifestJoin(component: component, classes: classes, services: try serviceNotes())
        return completed(try join.manifest())
    }

    private func completed(_ manifest: Manifest) -> Manifest {
        var manifest = manifest
        manifest.abi = abi
        manifest.compiler = compiler
        return manifest
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
