package import ComponentKit

extension Manifest {
    /// The whole manifest in one form: what is meant where the author wrote nothing is filled in ("module",
    /// "instances", "kind"), what means nothing is left out, and keys have one order, those that this version does
    /// not know at the end. Equal for components that say the same, however their notes are divided.
    package var json: Payload {
        var entries = raw.nonNullEntries
        entries.set("module", .string(module))
        entries.replaceItems("classes", isKept: true) { $0.completeClass }
        entries.replaceItems("services") { $0.completeService(module: module) }
        entries.replaceItems("models") { $0.completeModel(module: module) }
        entries.replaceItems("requires") { item in
            .map(
                item.nonNullEntries.withoutFalse(["optional"]).ordered([
                    "component", "class", "service", "version", "selectors", "optional", "summary",
                ]))
        }
        return .map(
            entries.ordered([
                "name", "version", "module", "layer", "summary", "classes", "services", "models", "requires",
            ]))
    }
}

extension Payload {
    fileprivate var completeClass: Payload {
        var entries = nonNullEntries
        entries.fill("instances", .string(ClassDeclaration.Instances.shared.rawValue))
        entries.replaceItems("selectors", isKept: true) { $0.completeSelector }
        return .map(entries.ordered(["name", "instances", "provides", "summary", "selectors"]))
    }

    private var completeSelector: Payload {
        var entries = nonNullEntries.withoutFalse(["quick", "async", "mainActor"])
        entries.fill("kind", .string(SelectorKind.object.rawValue))
        entries.removeAll { $0.0 == "parameters" && $0.1.count == 0 }
        return .map(
            entries.ordered(["name", "kind", "parameters", "result", "quick", "async", "mainActor", "summary"]))
    }

    fileprivate func completeService(module: String) -> Payload {
        var entries = nonNullEntries
        entries.fill("module", .string(module))
        entries.replaceItems("selectors", isKept: true) { $0.completeSelector }
        return .map(entries.ordered(["name", "module", "protocol", "arguments", "summary", "selectors"]))
    }

    fileprivate func completeModel(module: String) -> Payload {
        var entries = nonNullEntries.withoutFalse(["error"])
        entries.fill("module", .string(module))
        return .map(entries.ordered(["name", "module", "error", "raw", "fields", "cases"]))
    }
}

extension [(String, Payload)] {
    fileprivate mutating func fill(_ key: String, _ value: Payload) {
        if !contains(where: { $0.0 == key }) { append((key, value)) }
    }

    /// Replaces the items of a list; an empty list is left out unless it `isKept`.
    fileprivate mutating func replaceItems(_ key: String, isKept: Bool = false, _ make: (Payload) -> Payload) {
        let value = first { $0.0 == key }?.1
        let items = ((try? value?.items()) ?? []).map(make)
        removeAll { $0.0 == key }
        if isKept || !items.isEmpty { append((key, .array(items))) }
    }

    /// The entries of these keys first, in this order.
    fileprivate func ordered(_ keys: [String]) -> [(String, Payload)] {
        let known = keys.compactMap { key in first { $0.0 == key } }
        return known + filter { !keys.contains($0.0) }
    }

    /// Without marks that say what is meant anyway.
    fileprivate func withoutFalse(_ keys: [String]) -> [(String, Payload)] {
        filter { !(keys.contains($0.0) && $0.1 == false) }
    }
}
