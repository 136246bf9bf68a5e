import ComponentKit

extension Manifest {
    /// Reads a manifest that has been taken apart as JSON.
    ///
    /// - Throws: an error that names the place, what is allowed there and what was there.
    init(_ json: Payload) throws(PayloadError) {
        name = try json.name("name")
        guard name.isComponentName else {
            throw PayloadError(
                path: ["name"], expected: "a letter A-Z or a-z, then letters, digits, \"_\", \".\" or \"-\" only",
                found: name.quoted())
        }
        let versionText = try json.string("version")
        guard let version = Version(versionText) else {
            throw PayloadError(
                path: ["version"], expected: "a version as \"1.0.0\" or \"1.0.0-beta.1\"", found: versionText.quoted())
        }
        self.version = version
        layer = try json.stringIfPresent("layer")
        summary = try json.stringIfPresent("summary")
        module = try json.stringIfPresent("module") ?? name
        classes = try json.list("classes") { (item) throws(PayloadError) in try ClassDeclaration(item) }
        try classes.refuseRepetition(of: "class", in: "classes", name: { $0.name }, key: { $0.name })
        requires = try json.list("requires") { (item) throws(PayloadError) in try Requirement(item) }
        raw = json
    }
}

extension ClassDeclaration {
    init(_ json: Payload) throws(PayloadError) {
        name = try json.name("name")
        instances = try json.choice("instances", default: .shared)
        selectors = try json.list("selectors") { (item) throws(PayloadError) in try SelectorDeclaration(item) }
        try selectors.refuseRepetition(
            of: "selector of this kind", in: "selectors", name: { $0.name },
            key: { SelectorDeclaration.Identity(name: $0.name, kind: $0.kind) })
        summary = try json.stringIfPresent("summary")
    }
}

extension SelectorDeclaration {
    init(_ json: Payload) throws(PayloadError) {
        name = try json.name("name")
        kind = try json.choice("kind", default: .object)
        parameters = try SelectorDeclaration.parameters(json)
        result = try json.stringIfPresent("result")
        isQuick = try json.boolIfPresent("quick") ?? false
        isAsync = try json.boolIfPresent("async") ?? false
        isMainActor = try json.boolIfPresent("mainActor") ?? false
        summary = try json.stringIfPresent("summary")
    }

    fileprivate struct Identity: Hashable {
        let name: String
        let kind: SelectorKind
    }

    private static func parameters(_ json: Payload) throws(PayloadError) -> [Parameter] {
        guard let map = json["parameters"], !map.isNull else { return [] }
        do throws(PayloadError) {
            var parameters: [Parameter] = []
            for (name, type) in try map.entries() {
                do throws(PayloadError) {
                    parameters.append(Parameter(name: name, type: try type.string()))
                } catch {
                    throw error.within(.key(name))
                }
            }
            return parameters
        } catch {
            throw error.within("parameters")
        }
    }
}

extension Requirement {
    init(_ json: Payload) throws(PayloadError) {
        let component = try json.stringIfPresent("component")
        let linkClass = try json.stringIfPresent("class")
        let rangeText = try json.stringIfPresent("version")
        switch (component, linkClass) {
        case (let component?, nil):
            guard let range = rangeText.map(VersionRange.init) ?? .any else {
                throw PayloadError(
                    path: ["version"], expected: "a range as \">=1.0.0 <2.0.0\" or \"1.2.0\"",
                    found: (rangeText ?? "").quoted())
            }
            subject = .component(component, range)
        case (nil, let linkClass?):
            guard rangeText == nil else {
                throw PayloadError(path: ["version"], expected: "nothing: classes have no versions", found: "a range")
            }
            subject = .linkClass(linkClass)
        default:
            throw PayloadError(
                expected: "exactly one of \"component\" and \"class\"", found: component == nil ? "none" : "both")
        }
        isOptional = try json.boolIfPresent("optional") ?? false
    }
}

extension Payload {
    /// The name of something: text that fits into a line of a table.
    fileprivate func name(_ key: String) throws(PayloadError) -> String {
        let name = try string(key)
        guard !name.isEmpty, name.utf8.count <= 255, !name.unicodeScalars.contains(where: \.isControl) else {
            throw PayloadError(
                path: [.key(key)], expected: "1 to 255 bytes without control characters", found: name.quoted())
        }
        return name
    }

    /// The case of `key`, or the default where it is missing or null.
    fileprivate func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, default standard: Choice
    ) throws(PayloadError) -> Choice {
        do throws(PayloadError) {
            guard let text = try stringIfPresent(key) else { return standard }
            guard let choice = Choice(rawValue: text) else {
                throw PayloadError(path: [.key(key)], expected: "", found: text.quoted())
            }
            return choice
        } catch {
            let names = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            throw PayloadError(path: error.path, expected: names, found: error.found)
        }
    }

    /// What `read` makes of each item of the array of `key`; nothing where that is missing or null.
    fileprivate func list<Item>(
        _ key: String, _ read: (Payload) throws(PayloadError) -> Item
    ) throws(PayloadError) -> [Item] {
        guard let array = self[key], !array.isNull else { return [] }
        do throws(PayloadError) {
            var items: [Item] = []
            items.reserveCapacity(array.count)
            for (index, item) in try array.items().enumerated() {
                do throws(PayloadError) {
                    items.append(try read(item))
                } catch {
                    throw error.within(.index(index))
                }
            }
            return items
        } catch {
            throw error.within(.key(key))
        }
    }
}

extension Array {
    /// Refuses the second of two items with one name.
    fileprivate func refuseRepetition<Key: Hashable>(
        of what: String, in list: String, name: (Element) -> String, key: (Element) -> Key
    ) throws(PayloadError) {
        guard count > 1 else { return }
        var seen = Set<Key>(minimumCapacity: count)
        for (index, item) in enumerated() where !seen.insert(key(item)).inserted {
            throw PayloadError(
                path: [.key(list), .index(index), "name"], expected: "a name that no \(what) before it has",
                found: name(item).quoted())
        }
    }
}

extension String {
    /// A letter, then letters, digits, "_", "." or "-": it stands in file names, tables and command lines.
    fileprivate var isComponentName: Bool {
        var isFirst = true
        for byte in utf8 {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            guard isLetter || !isFirst && ((0x30...0x39).contains(byte) || "_.-".utf8.contains(byte)) else {
                return false
            }
            isFirst = false
        }
        return true
    }
}
