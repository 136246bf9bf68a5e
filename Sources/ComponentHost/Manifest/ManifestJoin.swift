package import ComponentKit

/// Puts a component's own note together with the notes about its classes, and the services and models of its file.
///
/// What comes out reads as if the author had written one note with everything in it: first what the component's
/// note lists, in its order, then what has notes of its own, by name (linkers put notes in any order).
struct ManifestJoin {
    let component: Manifest
    /// Notes about classes of this component.
    let classes: [NoteItem]
    /// Of the whole file or image, the lists of the component's note included.
    let services: ServiceNotes

    /// A class for what it provides.
    private struct ServedClass {
        let item: NoteItem
        let declaration: ClassDeclaration
        /// The names of its services, each once.
        let services: [String]
    }

    /// Selectors of services are copied into each class that provides them. More than anybody writes, far less than
    /// what two short lists multiply to.
    private static let maximumSelectors = 65_536
    private static let maximumTextSize = 16 << 20

    /// - Throws: `invalidManifest` with the note and the place.
    func manifest() throws(ComponentFileError) -> Manifest {
        if isPlain { return component }
        let classes = try servedClasses()
        try refuseTooMuch(classes)
        var joined: [Payload] = []
        for item in classes { joined.append(try joinedClass(item)) }
        var entries = component.raw.nonNullEntries
        entries.set("module", .string(component.module))
        entries.set("classes", joined)
        entries.set("services", services.services.map { $0.item.withModule($0.declaration.module) })
        entries.set("models", services.models.map { $0.item.withModule($0.declaration.module) })
        entries.set("requires", try joinedRequirements())
        do throws(PayloadError) {
            return try Manifest(.map(entries))
        } catch {
            throw .invalidManifest(ComponentFileError.manifestNote, error)
        }
    }

    /// Whether there is nothing to put together.
    private var isPlain: Bool {
        guard classes.isEmpty, services.services.isEmpty, services.models.isEmpty else { return false }
        let namesProtocols = ((try? component.raw["requires"]?.items()) ?? []).contains { $0["protocol"] != nil }
        return !namesProtocols && component.classes.allSatisfy(\.provides.isEmpty)
    }

    /// - Throws: when two have one name and are not the same.
    private func classItems() throws(ComponentFileError) -> [NoteItem] {
        var items = ((try? component.raw["classes"]?.items()) ?? []).enumerated().map { index, json in
            NoteItem(json, in: "classes", index, module: component.module)
        }
        var noteOfName: [String: NoteItem] = [:]
        for item in items { noteOfName[item.name] = item }
        for item in classes.sorted(by: { ($0.name, $0.module ?? "") < ($1.name, $1.module ?? "") }) {
            if let other = noteOfName[item.name] {
                if Payload.map(other.json.nonNullEntriesOfClass) == Payload.map(item.json.nonNullEntriesOfClass),
                    other.module == item.module
                {
                    continue
                }
                throw item.refused(
                    PayloadError(
                        path: ["name"], expected: "a name that no other class of the component has",
                        found: "\(item.name.quoted()), which \(other.note) has"))
            }
            noteOfName[item.name] = item
            items.append(item)
        }
        return items
    }

    private func servedClasses() throws(ComponentFileError) -> [ServedClass] {
        var served: [ServedClass] = []
        for item in try classItems() {
            served.append(
                try item.reading { (json) throws(PayloadError) in
                    let declaration = try ClassDeclaration(json)
                    var names: [String] = []
                    var known: Set<String> = []
                    for (index, text) in declaration.provides.enumerated() {
                        let name: String
                        do throws(PayloadError) {
                            name = try services.serviceName(of: text, from: item.module)
                        } catch {
                            throw error.within(.index(index)).within("provides")
                        }
                        if known.insert(name).inserted { names.append(name) }
                    }
                    return ServedClass(item: item, declaration: declaration, services: names)
                })
        }
        return served
    }

    /// Before anything is copied.
    private func refuseTooMuch(_ classes: [ServedClass]) throws(ComponentFileError) {
        var textSizes: [String: Int] = [:]
        var (count, textSize) = (0, 0)
        for served in classes {
            for name in served.services {
                guard let service = services.service(name)?.declaration else { continue }
                let size = textSizes[name] ?? service.textSize
                textSizes[name] = size
                count += service.selectors.count
                textSize += size
                guard count > ManifestJoin.maximumSelectors || textSize > ManifestJoin.maximumTextSize else { continue }
                throw served.item.refused(
                    PayloadError(
                        path: ["provides"],
                        expected: "at most \(ManifestJoin.maximumSelectors) selectors, or 16 MB, of services in all "
                            + "classes of a component", found: "more"))
            }
        }
    }

    /// The class with the names of its services, and with their selectors.
    private func joinedClass(_ served: ServedClass) throws(ComponentFileError) -> Payload {
        try served.item.reading { (json) throws(PayloadError) in
            var entries = json.nonNullEntriesOfClass
            guard !served.services.isEmpty else { return .map(entries) }
            var selectors = (try json["selectors"]?.items()) ?? []
            var known = Set(served.declaration.selectors.map(\.reference))
            for name in served.services {
                guard let service = services.service(name) else { continue }
                let written = (try? service.item.json["selectors"]?.items()) ?? []
                for (selector, json) in zip(service.declaration.selectors, written)
                where known.insert(selector.reference).inserted {
                    selectors.append(json)
                }
            }
            entries.set("provides", served.services.map { .string($0) })
            entries.set("selectors", selectors)
            return .map(entries)
        }
    }

    /// What the component requires, with services' names in place of protocols.
    private func joinedRequirements() throws(ComponentFileError) -> [Payload] {
        var requirements: [Payload] = []
        for (index, json) in ((try? component.raw["requires"]?.items()) ?? []).enumerated() {
            let item = NoteItem(json, in: "requires", index, module: component.module)
            requirements.append(
                try item.reading { (json) throws(PayloadError) in
                    guard let text = try json.stringIfPresent("protocol") else { return json }
                    do throws(PayloadError) {
                        let name = try services.serviceName(of: text, from: component.module)
                        return .map(json.nonNullEntries.map { $0.0 == "protocol" ? ("service", .string(name)) : $0 })
                    } catch {
                        throw error.within("protocol")
                    }
                })
        }
        return requirements
    }
}

extension ServiceDeclaration {
    /// About how much text its selectors are.
    fileprivate var textSize: Int {
        selectors.reduce(0) { size, selector in
            size + selector.name.utf8.count + (selector.result?.utf8.count ?? 0) + (selector.summary?.utf8.count ?? 0)
                + selector.parameters.reduce(0) { $0 + $1.name.utf8.count + $1.type.utf8.count + 32 }
        }
    }
}

extension NoteItem {
    fileprivate var name: String { ((try? json.stringIfPresent("name")) ?? nil) ?? "" }

    /// The item as a list of the joined note has it.
    fileprivate func withModule(_ module: String) -> Payload {
        var entries = json.nonNullEntries
        entries.set("module", .string(module))
        return .map(entries)
    }
}

extension Payload {
    /// The entries of a map that say something: null means the same as nothing.
    package var nonNullEntries: [(String, Payload)] {
        ((try? entries()) ?? []).filter { !$0.value.isNull }.map { ($0.key, $0.value) }
    }

    /// The same of a class: it has no module of its own besides the component's.
    fileprivate var nonNullEntriesOfClass: [(String, Payload)] { nonNullEntries.filter { $0.0 != "module" } }
}

extension [(String, Payload)] {
    /// Puts a value in place of what is there, or behind everything.
    package mutating func set(_ key: String, _ value: Payload) {
        if let index = firstIndex(where: { $0.0 == key }) {
            self[index].1 = value
        } else {
            append((key, value))
        }
    }

    /// The same with a list; an empty one is left out.
    fileprivate mutating func set(_ key: String, _ items: [Payload]) {
        if items.isEmpty {
            removeAll { $0.0 == key }
        } else {
            set(key, .array(items))
        }
    }
}
