import ComponentHost
import ComponentKit

extension FileReport {
    /// One object, as the help of `hslink inspect` describes it.
    func json() throws(PayloadError) -> String {
        var report = JSONObject()
        try report.set("file", path)
        try report.set("size", size.map { Payload.int($0) } ?? .null)
        try report.set("sha256", sha256)
        report.set("trust", json: size == nil ? "null" : try trust().text)
        try report.set("abi", manifest?.abi?.description)
        try report.set("compiler", manifest?.compiler)
        try report.set("soname", dynamic?.soname)
        try report.set("neededLibraries", list(dynamic?.needed))
        try report.set("runPath", list(dynamic?.runPath))
        try report.set("exportedSymbols", list(exportedSymbols))
        try report.set("manifest", manifest?.completed ?? .null)
        if let error {
            var object = JSONObject()
            try object.set("code", "\(error.code)")
            try object.set("message", error.message)
            report.set("error", object)
        }
        return report.text
    }

    private func trust() throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("isTrusted", Payload(distrust == nil))
        if let distrust {
            try object.set("code", "\(distrust.code)")
            try object.set("reason", distrust.message)
        }
        return object
    }

    private func list(_ texts: [String]?) -> Payload {
        texts.map { Payload($0.map { Payload($0) }) } ?? .null
    }
}

extension Manifest {
    /// All that was written, and what is meant where nothing was.
    fileprivate var completed: Payload {
        var entries = raw.known
        entries.fill("module", .string(module))
        entries.replace("classes") { items in
            zip(classes, items).map { declaration, item in
                var entries = item.known
                entries.fill("instances", .string(declaration.instances.rawValue))
                entries.replace("selectors") { items in
                    zip(declaration.selectors, items).map { selector, item in
                        var entries = item.known
                        entries.fill("kind", .string(selector.kind.rawValue))
                        return .map(entries)
                    }
                }
                return .map(entries)
            }
        }
        return .map(entries)
    }
}

extension Payload {
    /// The entries of a map that say something: null means the same as nothing.
    fileprivate var known: [(String, Payload)] {
        ((try? entries()) ?? []).filter { !$0.value.isNull }.map { ($0.key, $0.value) }
    }
}

extension [(String, Payload)] {
    fileprivate mutating func fill(_ key: String, _ value: Payload) {
        if !contains(where: { $0.0 == key }) { append((key, value)) }
    }

    /// Replaces an array, or puts an empty one where there is none.
    fileprivate mutating func replace(_ key: String, _ make: ([Payload]) -> [Payload]) {
        fill(key, .array([]))
        for index in indices where self[index].0 == key {
            self[index].1 = .array(make((try? self[index].1.items()) ?? []))
        }
    }
}
