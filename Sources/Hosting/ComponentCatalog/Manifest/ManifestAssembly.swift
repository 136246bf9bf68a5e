import CHSLink
import ComponentKit
import ManifestRules
import SystemSupport

/// Assembles manifests from the notes of one file or one image in memory: reads each note, and leaves joining the
/// component with its classes, services and models to ``ManifestJoin``.
package struct ManifestAssembly {
    /// The size of the largest note that is read, far beyond any real component's.
    private static let maximumTextSize = 1 << 20

    private var components: [Manifest] = []
    /// The texts of the notes in `components`; filled only when there are several.
    private var componentTexts: Set<[UInt8]> = []
    private var firstText: [UInt8] = []
    private var classes: [NoteItem<ClassDeclaration>] = []
    private var services: [NoteItem<ServiceDeclaration>] = []
    private var models: [NoteItem<ModelDeclaration>] = []
    private var abi: Manifest.ABIVersion?
    private var compiler: String?
    /// The error for the first unknown key.
    private var unknownKey: ComponentFileError?

    package init() {}

    /// Adds a note. Notes with unknown types are ignored, because they are meant for newer hosts.
    ///
    /// - Throws: `invalidManifest` with the note and the path in its text.
    mutating func add(_ note: ElfNote) throws(ComponentFileError) {
        switch unsafe Int(note.type) {
        case HSLINK_NOTE_COMPONENT: unsafe try addComponent(note.text)
        case HSLINK_NOTE_LINK_CLASS:
            let json = unsafe try ManifestAssembly.json(note.text, "the note about the class")
            let item = try NoteItem(json, "the class") { (json, _) throws(PayloadError) in try ClassDeclaration(json) }
            noteUnknownKeys(in: item.note) { () throws(PayloadError) in try item.declaration.refuseUnknownKeys() }
            classes.append(item)
        case HSLINK_NOTE_SERVICE:
            let json = unsafe try ManifestAssembly.json(note.text, "the note about the service")
            let item = try NoteItem(json, "the service") { (json, module) throws(PayloadError) in
                try ServiceDeclaration(json, module: module ?? "")
            }
            noteUnknownKeys(in: item.note) { () throws(PayloadError) in try item.declaration.refuseUnknownKeys() }
            services.append(item)
        case HSLINK_NOTE_MODEL:
            let json = unsafe try ManifestAssembly.json(note.text, "the note about the model")
            let item = try NoteItem(json, "the model") { (json, module) throws(PayloadError) in
                try ModelDeclaration(json, module: module ?? "")
            }
            noteUnknownKeys(in: item.note) { () throws(PayloadError) in
                try KnownKeys.model.refuseOthers(in: item.declaration.extra)
            }
            models.append(item)
        case HSLINK_NOTE_TOOLCHAIN:
            let json = unsafe try ManifestAssembly.json(note.text, "the note about the toolchain")
            do throws(PayloadError) {
                try addToolchain(json)
            } catch {
                throw .invalidManifest("the note about the toolchain", error)
            }
        default: break
        }
    }

    private mutating func addComponent(_ text: UnsafeRawBufferPointer) throws(ComponentFileError) {
        let json = unsafe try ManifestAssembly.json(text, ComponentFileError.manifestNote)
        let manifest: Manifest
        do throws(PayloadError) {
            manifest = try Manifest(json)
        } catch {
            throw .invalidManifest(ComponentFileError.manifestNote, error)
        }
        // The gold linker may write overlapping PT_NOTE segments, so the same note may occur twice.
        guard unsafe isNew(Array(text)) else { return }
        components.append(manifest)
        noteUnknownKeys(in: ComponentFileError.manifestNote) { () throws(PayloadError) in
            try manifest.refuseUnknownKeys()
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

    /// Refuses unknown keys, unless the file was built with a newer header than this host's.
    fileprivate func refuseUnknownKeys() throws(ComponentFileError) {
        guard let unknownKey, (abi?.minor ?? 0) <= UInt16(HSLINK_ABI_MINOR) else { return }
        throw unknownKey
    }

    /// Returns whether none of `components` has this note.
    private mutating func isNew(_ text: [UInt8]) -> Bool {
        if components.isEmpty {
            firstText = text
            return true
        }
        if componentTexts.isEmpty { componentTexts.insert(firstText) }
        return componentTexts.insert(text).inserted
    }

    /// Returns the services and models from all notes that were added.
    func serviceNotes() throws(ComponentFileError) -> ServiceNotes {
        var notes = ServiceNotes()
        for component in components {
            for (index, service) in component.services.enumerated() {
                try notes.add(NoteItem(service, in: "services", index, module: component.module))
            }
            for (index, model) in component.models.enumerated() {
                try notes.add(NoteItem(model, in: "models", index, module: component.module))
            }
        }
        for item in services.sorted(by: { $0.note < $1.note }) { try notes.add(item) }
        for item in models.sorted(by: { $0.note < $1.note }) { try notes.add(item) }
        return notes
    }

    /// Returns the manifests of all components in an image, which may contain several, each with the classes of its
    /// module and the services and models of the whole image.
    ///
    /// - Throws: `invalidManifest` if notes contradict each other, or refer to something that no note describes.
    func manifests() throws(ComponentFileError) -> [Manifest] {
        try refuseUnknownKeys()
        return try manifests(try serviceNotes())
    }

    fileprivate func manifests(_ services: ServiceNotes) throws(ComponentFileError) -> [Manifest] {
        var manifests: [Manifest] = []
        for component in components {
            let join = ManifestJoin(
                component: component, classes: classes.filter { $0.module?.isExactly(component.module) ?? false },
                services: services)
            manifests.append(completed(try join.manifest()))
        }
        return manifests
    }

    /// Returns the classes of an image that belong to no component, such as those of a program, each with its module,
    /// which is empty if its note does not say. A class whose note is wrong is left out, and the others stay.
    func otherClasses(_ services: ServiceNotes) -> (classes: [OwnClass], problems: [String]) {
        let modules = Set(components.map { ExactText($0.module) })
        let nobody = Manifest(name: "", version: Version(0, 0, 0), module: "", classes: [], requires: [])
        let others = classes.filter { !modules.contains(ExactText($0.module ?? "")) }
        func joined(_ classes: [NoteItem<ClassDeclaration>]) throws(ComponentFileError) -> [ClassDeclaration] {
            try ManifestJoin(component: nobody, classes: classes, services: services).manifest().classes
        }
        var declared: [ClassDeclaration] = []
        var problems: [String] = []
        do throws(ComponentFileError) {
            declared = try joined(others)
        } catch let first {
            for other in others {
                do throws(ComponentFileError) {
                    declared += try joined([other])
                } catch {
                    problems.append(error.message)
                }
            }
            if problems.isEmpty { problems = [first.message] }
        }
        let moduleOfClass = Dictionary(firstOf: others.map { (ExactText($0.declaration.name), $0.module ?? "") })
        return (declared.map { ($0, moduleOfClass[ExactText($0.name)] ?? "") }, problems)
    }

    /// Returns the manifest of a file's only component, which owns everything in the file.
    ///
    /// - Throws: `noManifest` or `severalManifests` if the file does not have exactly one component note;
    ///   `invalidManifest` for the same reasons as ``manifests()``.
    func manifest() throws(ComponentFileError) -> Manifest {
        guard let component = components.first else {
            if let linkClass = classes.first {
                throw ComponentFileError(
                    .noManifest,
                    "found \(linkClass.note), but none about the component; in Swift, mark one type of the "
                        + "module with @Component")
            }
            throw ComponentFileError(
                .noManifest, "the shared object has no component manifest (a note with the owner HSL)")
        }
        guard components.count == 1 else {
            let names = components.prefix(3).map(\.name).joined(separator: ", ")
            throw ComponentFileError(
                .severalManifests,
                "expected one manifest, found \(components.count) (\(names));"
                    + " build each component into its own file")
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

    /// Adds a note about the toolchain. A file may have several, one for each object file. Each may add what the others
    /// lack, but they must agree.
    private mutating func addToolchain(_ json: Payload) throws(PayloadError) {
        if let text = try json.stringIfPresent("abi") {
            guard let version = Manifest.ABIVersion(text) else {
                throw PayloadError(path: ["abi"], expected: "two numbers in the form \"1.0\"", found: text.quoted())
            }
            if let abi, abi != version {
                throw PayloadError(path: ["abi"], expected: "one version per file", found: "\(abi) and \(version)")
            }
            abi = version
        }
        if let text = try json.stringIfPresent("compiler") {
            if let compiler, compiler != text {
                throw PayloadError(
                    path: ["compiler"], expected: "one compiler per file",
                    found: "\(compiler.quoted()) and \(text.quoted())")
            }
            compiler = text
        }
    }

    private static func json(
        _ text: UnsafeRawBufferPointer, _ what: String
    ) throws(ComponentFileError) -> Payload {
        guard text.count <= maximumTextSize else {
            throw ComponentFileError(.invalidManifest, "\(what) is larger than 1 MB: it has \(text.count) bytes")
        }
        do throws(PayloadError) {
            return try unsafe Payload(json: text)
        } catch {
            throw ComponentFileError(.invalidManifest, "\(what) is not JSON: \(error.text(root: nil))")
        }
    }
}

// An unknown key is usually a misspelling. Ignoring it would silently drop what the author meant.
extension Manifest {
    /// Refuses unknown keys.
    ///
    /// - Throws: `PayloadError` if the component's note, or an object in it, has an unknown key.
    fileprivate func refuseUnknownKeys() throws(PayloadError) {
        try KnownKeys.component.refuseOthers(in: extra)
        try classes.check("classes") { (item) throws(PayloadError) in try item.refuseUnknownKeys() }
        try requires.check("requires") { (item) throws(PayloadError) in
            try KnownKeys.requirement.refuseOthers(in: item.extra)
        }
        try services.check("services") { (item) throws(PayloadError) in try item.refuseUnknownKeys() }
        try models.check("models") { (item) throws(PayloadError) in try KnownKeys.model.refuseOthers(in: item.extra) }
    }
}

extension ClassDeclaration {
    fileprivate func refuseUnknownKeys() throws(PayloadError) {
        try KnownKeys.linkClass.refuseOthers(in: extra)
        try selectors.refuseUnknownKeys()
    }
}

extension ServiceDeclaration {
    fileprivate func refuseUnknownKeys() throws(PayloadError) {
        try KnownKeys.service.refuseOthers(in: extra)
        try selectors.refuseUnknownKeys()
    }
}

extension [SelectorDeclaration] {
    fileprivate func refuseUnknownKeys() throws(PayloadError) {
        try check("selectors") { (item) throws(PayloadError) in try KnownKeys.selector.refuseOthers(in: item.extra) }
    }
}

extension Array {
    /// Calls `body` for each item in this list, the value of `key`.
    ///
    /// - Throws: The error that `body` throws, with the path of the item.
    func check(_ key: String, _ body: (Element) throws(PayloadError) -> Void) throws(PayloadError) {
        try PayloadError.within(.key(key)) { () throws(PayloadError) in
            for (index, item) in enumerated() {
                try PayloadError.within(.index(index)) { () throws(PayloadError) in try body(item) }
            }
        }
    }
}

extension KnownKeys {
    /// Refuses all keys that are not in this set.
    ///
    /// - Parameter extra: A map of the keys that were not read; null when there are none.
    fileprivate func refuseOthers(in extra: Payload) throws(PayloadError) {
        guard let key = extra.firstKey(where: { !contains($0) }) else { return }
        throw PayloadError(expected: expected(for: key), found: "the key \(key.quoted())")
    }
}

extension Manifest.ABIVersion {
    /// Parses a version in the form `1.0`.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let major = UInt16(parts[0]), let minor = UInt16(parts[1]) else { return nil }
        self.init(major: major, minor: minor)
    }
}

/// A class that belongs to no component, and its Swift module.
package typealias OwnClass = (declaration: ClassDeclaration, module: String)

extension Manifest {
    /// Returns the manifests of the components that are linked into an image in memory, in the order of the image, the
    /// services and models of the whole image, and the classes that belong to no component.
    ///
    /// - Parameter address: The address of anything in that image, such as a component's entry.
    /// - Returns: No manifests when the image has no component.
    /// - Throws: `malformed` or `invalidManifest`. One broken manifest makes all of them fail, because the
    ///   application's author linked the image.
    package static func builtIn(
        around address: UnsafeRawPointer
    ) throws(ComponentFileError) -> (
        manifests: [Manifest], contract: Contract, otherClasses: [OwnClass], problems: [String]
    ) {
        var notes = ManifestAssembly()
        try unsafe LoadedImageNotes.forEachNote(around: address) { (note) throws(ComponentFileError) in
            try unsafe notes.add(note)
        }
        try notes.refuseUnknownKeys()
        let services = try notes.serviceNotes()
        // A problem with a class of the program is not a reason to refuse its components.
        let (others, problems) = notes.otherClasses(services)
        return (try notes.manifests(services), services.contract, others, problems)
    }
}
