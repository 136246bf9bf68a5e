import ComponentKit
import SystemSupport

/// Merges a component's note with the notes about its classes, and with the services and models of its file.
///
/// The result is the same as if the author had written a single note: first the declarations in the component's note,
/// in order; then those with notes of their own, sorted by name, because linkers emit notes in any order.
struct ManifestJoin {
    let component: Manifest
    /// The notes about classes of this component.
    let classes: [NoteItem<ClassDeclaration>]
    /// The services and models of the whole file or image, including the lists in the component's note.
    let services: ServiceNotes

    /// The limits on selectors from services, which are copied into every class that provides the services. No real
    /// component reaches them, but they keep two short lists from multiplying into gigabytes.
    private static let maximumSelectors = 65_536
    private static let maximumTextSize = 16 << 20

    /// Returns the merged manifest.
    ///
    /// - Throws: `invalidManifest` with the note and the path in it.
    func manifest() throws(ComponentFileError) -> Manifest {
        if isPlain { return component }
        let provided = try providedServices(of: try classItems())
        try refuseTooMuch(provided)
        var manifest = component
        manifest.classes = []
        for (item, services) in provided {
            let declaration = joined(item.declaration, services)
            manifest.classes.append(
                try item.reading { (_) throws(PayloadError) in try named(declaration, in: item.module) })
        }
        manifest.posts = try posts()
        manifest.services = services.services.map(\.declaration)
        manifest.models = services.models.map(\.declaration)
        manifest.requires = try requirements()
        return manifest
    }

    /// Whether there is nothing to merge.
    private var isPlain: Bool {
        classes.isEmpty && services.services.isEmpty && services.models.isEmpty
            && component.classes.allSatisfy { $0.provides.isEmpty && $0.selectors.allSatisfy { $0.handles == nil } }
            && component.posts.isEmpty
            && !component.requires.contains { $0.protocolName != nil }
    }

    /// Returns the classes in the component's note, and those with notes of their own.
    ///
    /// - Throws: `invalidManifest` if two classes with the same name differ.
    private func classItems() throws(ComponentFileError) -> [NoteItem<ClassDeclaration>] {
        var items = component.classes.enumerated().map { index, declaration in
            NoteItem(declaration, in: "classes", index, module: component.module)
        }
        var itemOfName: [ExactText: NoteItem<ClassDeclaration>] = [:]
        for item in items { itemOfName[ExactText(item.declaration.name)] = item }
        for item in classes.sorted(by: {
            (ExactText($0.declaration.name), ExactText($0.module ?? ""))
                < (ExactText($1.declaration.name), ExactText($1.module ?? ""))
        }) {
            let name = item.declaration.name
            if let other = itemOfName[ExactText(name)] {
                if other.declaration.isExactly(item.declaration),
                    other.module.map({ ExactText($0) }) == item.module.map({ ExactText($0) })
                {
                    continue
                }
                throw item.refused(
                    PayloadError(
                        path: ["name"], expected: "a name that no other class in the component has",
                        found: "\(name.quoted()), which \(other.note) declares"))
            }
            itemOfName[ExactText(name)] = item
            items.append(item)
        }
        return items
    }

    /// Returns the names of the services that each class provides, without duplicates.
    private func providedServices(
        of items: [NoteItem<ClassDeclaration>]
    ) throws(ComponentFileError) -> [(item: NoteItem<ClassDeclaration>, services: [String])] {
        var provided: [(NoteItem<ClassDeclaration>, [String])] = []
        for item in items {
            let names = try item.reading { (declaration) throws(PayloadError) in
                var names: [String] = []
                var known: Set<String> = []
                try declaration.provides.check("provides") { (text) throws(PayloadError) in
                    let name = try services.serviceName(of: text, from: item.module)
                    if known.insert(name).inserted { names.append(name) }
                }
                return names
            }
            provided.append((item, names))
        }
        return provided
    }

    /// Checks the limits before any selector is copied.
    private func refuseTooMuch(
        _ provided: [(item: NoteItem<ClassDeclaration>, services: [String])]
    ) throws(ComponentFileError) {
        var textSizes: [String: Int] = [:]
        var (count, textSize) = (0, 0)
        for (item, names) in provided {
            for name in names {
                guard let service = services.service(name) else { continue }
                let size = textSizes[name] ?? service.textSize
                textSizes[name] = size
                count += service.selectors.count
                textSize += size
                guard count > ManifestJoin.maximumSelectors || textSize > ManifestJoin.maximumTextSize else { continue }
                throw item.refused(
                    PayloadError(
                        path: ["provides"],
                        expected: "at most \(ManifestJoin.maximumSelectors) selectors, or 16 MB, from services in all "
                            + "classes of a component", found: "more"))
            }
        }
    }

    /// Returns the class with the names of its services, and with their selectors appended to its own.
    private func joined(_ declaration: ClassDeclaration, _ names: [String]) -> ClassDeclaration {
        guard !names.isEmpty else { return declaration }
        var indexOfKnown = Dictionary(firstOf: declaration.selectors.enumerated().map { ($1.reference, $0) })
        var selectors = declaration.selectors
        for name in names {
            for served in services.service(name)?.selectors ?? [] {
                if let index = indexOfKnown[served.reference] {
                    selectors[index] = selectors[index].adding(served.routes)
                } else {
                    indexOfKnown[served.reference] = selectors.count
                    selectors.append(served)
                }
            }
        }
        return declaration.with(names, selectors)
    }

    /// Returns the class with the names of the events that its selectors handle.
    private func named(_ declaration: ClassDeclaration, in module: String?) throws(PayloadError) -> ClassDeclaration {
        guard declaration.selectors.contains(where: { $0.handles.map { !$0.event.hasASCII("/") } ?? false }) else {
            return declaration
        }
        var selectors = declaration.selectors
        for (index, selector) in selectors.enumerated() {
            guard let handles = selector.handles else { continue }
            let event: String
            do throws(PayloadError) {
                event = try services.eventName(of: handles.event, from: module)
            } catch {
                throw error.within("event").within("on").within(.index(index)).within("selectors")
            }
            selectors[index] = selector.with(
                handles: HandlerDeclaration(
                    event: event, loads: handles.loads, isConcurrent: handles.isConcurrent, priority: handles.priority))
        }
        return declaration.with(declaration.provides, selectors)
    }

    /// Returns the names of the events that the component posts.
    private func posts() throws(ComponentFileError) -> [String] {
        var posts: [String] = []
        var known: Set<String> = []
        for (index, text) in component.posts.enumerated() {
            let item = NoteItem(text, in: "posts", index, module: component.module)
            let name = try item.reading { (text) throws(PayloadError) in
                try services.eventName(of: text, from: component.module)
            }
            if known.insert(name).inserted { posts.append(name) }
        }
        return posts
    }

    /// Returns the component's requirements, with protocols replaced by the names of their services.
    private func requirements() throws(ComponentFileError) -> [Requirement] {
        var requirements: [Requirement] = []
        for (index, requirement) in component.requires.enumerated() {
            guard let text = requirement.protocolName else {
                requirements.append(requirement)
                continue
            }
            let item = NoteItem(requirement, in: "requires", index, module: component.module)
            let name = try item.reading { (_) throws(PayloadError) in
                try PayloadError.within("protocol") { () throws(PayloadError) in
                    try services.serviceName(of: text, from: component.module)
                }
            }
            requirements.append(
                Requirement(.service(name), isOptional: requirement.isOptional, extra: requirement.extra))
        }
        return requirements
    }
}

extension Requirement {
    /// The protocol that is written instead of a service's name; nil in any other requirement. Names of services
    /// contain a slash.
    fileprivate var protocolName: String? {
        guard case .service(let text) = subject, !text.hasASCII("/") else { return nil }
        return text
    }
}

extension SelectorDeclaration {
    /// Returns the selector with the routes of a service's selector, except those that it declares itself.
    fileprivate func adding(_ others: [RouteDeclaration]) -> SelectorDeclaration {
        let patterns = Set(routes.map { ExactText($0.pattern) })
        let added = others.filter { !patterns.contains(ExactText($0.pattern)) }
        guard !added.isEmpty else { return self }
        return with(routes: routes + added, handles: handles)
    }

    fileprivate func with(handles: HandlerDeclaration) -> SelectorDeclaration { with(routes: routes, handles: handles) }

    private func with(routes: [RouteDeclaration], handles: HandlerDeclaration?) -> SelectorDeclaration {
        SelectorDeclaration(
            name: name, kind: kind, parameters: parameters, result: result, isQuick: isQuick, isAsync: isAsync,
            isMainActor: isMainActor, summary: summary, routes: routes, routeErrors: routeErrors,
            intercepts: intercepts, handles: handles, pageModule: pageModule, extra: extra)
    }
}

extension ClassDeclaration {
    fileprivate func with(_ provides: [String], _ selectors: [SelectorDeclaration]) -> ClassDeclaration {
        ClassDeclaration(
            name: name, instances: instances, provides: provides, selectors: selectors, summary: summary, extra: extra)
    }
}

extension ServiceDeclaration {
    /// The approximate size of the selectors' text, in bytes.
    fileprivate var textSize: Int {
        selectors.reduce(0) { size, selector in
            size + selector.name.utf8.count + (selector.result?.utf8.count ?? 0) + (selector.summary?.utf8.count ?? 0)
                + selector.parameters.reduce(0) { $0 + $1.name.utf8.count + $1.type.utf8.count + 32 }
                + selector.routes.reduce(0) { $0 + $1.pattern.utf8.count + $1.tags.joined().utf8.count + 64 }
        }
    }
}
