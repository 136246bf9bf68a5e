import ComponentKit
import SystemSupport

/// The keys of a description file with their types checked, before their content is interpreted.
struct DescriptionText {
    let name: String
    let version: String
    let layer: String?
    let summary: String?
    let libraries: [String]
    /// The name of the description whose handles this one's functions take and return.
    let shares: String?
    let className: String
    let declarations: [String]
    /// The annotations of each function or variable.
    let annotations: [DeclaredAnnotations]
    let constants: [(name: String, value: Int128)]
    /// The kinds of handles and the functions that release them.
    let handles: [(kind: String, release: String)]
    let selectors: [ExactText: String]
    /// The routes of each function, as in a manifest. The reader of the manifest checks them.
    let routes: [(function: String, list: Payload)]

    private static let keys: [String] = [
        "name", "version", "layer", "summary", "library", "shares", "class", "declarations", "annotations", "handles",
        "constants", "rename", "routes",
    ]
    /// What `hslink import` writes for people to choose from.
    private static let ignored = "proposals"

    /// - Parameter errors: Whether reading goes on after an error in an item. What is read is then only good for the
    ///   errors that are found.
    /// - Throws: `PayloadError` with the path, what was expected and what was found.
    init(_ json: Payload, _ errors: inout DescriptionErrors) throws(PayloadError) {
        for (key, _) in try json.entries()
        where !DescriptionText.keys.contains(key) && key != DescriptionText.ignored {
            try errors.add(
                PayloadError(
                    path: [.key(key)], expected: "one of \(DescriptionText.keys.joined(separator: ", "))",
                    found: "an unknown key\(key.meant(among: DescriptionText.keys))"))
        }
        name = try errors.value(or: "") { () throws(PayloadError) in try json.string("name") }
        version = try errors.value(or: "") { () throws(PayloadError) in try json.string("version") }
        layer = try errors.value(or: nil) { () throws(PayloadError) in try json.stringIfPresent("layer") }
        summary = try errors.value(or: nil) { () throws(PayloadError) in try json.stringIfPresent("summary") }
        shares = try errors.value(or: nil) { () throws(PayloadError) in try json.stringIfPresent("shares") }
        className = try errors.value(or: "") { () throws(PayloadError) in try json.string("class") }
        declarations = try json.texts("declarations", &errors)
        let errorCount = errors.all.count
        libraries = try json.texts("library", &errors)
        // After an error in them, the positions of the others are not known.
        if errors.all.count == errorCount { try DescriptionText.check(libraries, &errors) }
        annotations = try json.sections("annotations", &errors) { (function, section) throws(PayloadError) in
            DeclaredAnnotations(of: function, section)
        }
        constants = try json.sections("constants", &errors) { (name, value) throws(PayloadError) in
            if value.kind == .uint { return (name, Int128(try value.value(as: UInt64.self))) }
            return (name, Int128(try value.int()))
        }
        handles = try json.sections("handles", &errors) { (kind, value) throws(PayloadError) in
            (kind, try value.string())
        }
        let renamed = try json.sections("rename", &errors) { (name, value) throws(PayloadError) in
            (name, try value.string())
        }
        selectors = Dictionary(renamed.map { (ExactText($0), $1) }, uniquingKeysWith: { first, _ in first })
        routes = try json.sections("routes", &errors) { (function, list) throws(PayloadError) in (function, list) }
    }

    /// Returns the selector by which callers know a function.
    func selector(of function: String) -> String { selectors[ExactText(function)] ?? function }

    private static func check(
        _ libraries: [String], _ errors: inout DescriptionErrors
    ) throws(PayloadError) {
        if libraries.isEmpty {
            try errors.add(PayloadError(path: ["library"], expected: "at least one library", found: "none"))
        }
        for (index, library) in libraries.enumerated() where !isLibrary(library) {
            try errors.add(
                PayloadError(
                    path: ["library", .index(index)],
                    expected:
                        "a name such as \"libz.so.1\", or a path that begins with \"/\" or \"./\" and has no \"..\" or \"$\"",
                    found: library.quoted()))
        }
    }

    private static func isLibrary(_ name: String) -> Bool {
        guard !name.isEmpty, !name.utf8.contains(0),
            // By bytes, as the system does: a slash before a combining mark is another character.
            !name.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) })
        else { return false }
        // The loader replaces $LIB and the like in paths, so that it would open another file than the checked one.
        guard !name.hasASCII("$") else { return false }
        return !name.hasASCII("/") || name.hasExactPrefix("/") || (name.hasExactPrefix("./") && name.utf8.count > 2)
    }
}

extension Payload {
    /// Returns the string, or the strings of the array, under a key.
    fileprivate func texts(_ key: String, _ errors: inout DescriptionErrors) throws(PayloadError) -> [String] {
        let items = try errors.value(or: []) { () throws(PayloadError) -> [Payload] in
            let found = try self.value(.key(key))
            if found.kind == .string { return [found] }
            guard found.kind == .array else {
                throw PayloadError(
                    path: [.key(key)], expected: "a string or an array of strings", found: "\(found.kind)")
            }
            return try found.items()
        }
        var texts: [String] = []
        for (index, item) in items.enumerated() {
            do throws(PayloadError) {
                texts.append(try item.string())
            } catch {
                try errors.add(error.within(.index(index)).within(.key(key)))
            }
        }
        return texts
    }

    /// Returns the entries of the map under a key; none if it is missing or null.
    fileprivate func sections<Item>(
        _ key: String, _ errors: inout DescriptionErrors, read: (String, Payload) throws(PayloadError) -> Item
    ) throws(PayloadError) -> [Item] {
        guard let map = self[key], !map.isNull else { return [] }
        let entries = try errors.value(or: []) { () throws(PayloadError) in
            try PayloadError.within(.key(key)) { () throws(PayloadError) in try map.entries() }
        }
        var items: [Item] = []
        for (name, value) in entries {
            do throws(PayloadError) {
                items.append(try read(name, value))
            } catch {
                try errors.add(error.within(.key(name)).within(.key(key)))
            }
        }
        return items
    }
}
