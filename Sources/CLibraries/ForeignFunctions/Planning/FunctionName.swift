/// Tells from its name what a function probably does.
package enum FunctionName {
    /// The words for releases, the most probable first: a handle is released by giving back a reference, if there are references.
    private static let words = [
        "unref", "free", "destroy", "release", "delete", "close", "dispose", "cleanup", "finalize", "finish",
        "destruct",
        "terminate", "deinit", "shutdown", "fini", "term", "end", "drop",
    ]
    /// Words that other ones contain by chance, and that also name what a function reads or changes, as in `get_end_line`.
    private static let short: Set<String> = ["fini", "term", "end", "drop"]
    private static let exceptions = ["freeze", "freed", "closed", "closest", "ended"]
    /// The names of handles that others belong to.
    private static let owners: Set<String> = ["parent", "owner", "container"]
    private static let accesses: Set<String> = ["get", "set", "is", "has", "find", "read", "write", "count"]

    /// Returns whether a function probably returns something new.
    static func makes(_ name: String) -> Bool {
        let words = ["new", "create", "dup", "copy", "clone", "ref", "make", "open", "parse", "alloc", "init", "build"]
        return LengthName.parts(of: name).contains { part in words.contains { part.hasSuffix($0) } }
    }

    /// Returns whether a function probably keeps a closure.
    static func installs(_ name: String) -> Bool {
        let words: Set<String> = [
            "set", "add", "register", "install", "connect", "listen", "subscribe", "hook", "watch", "handler",
            "signal", "atexit", "callback",
        ]
        return LengthName.parts(of: name).contains { words.contains($0) }
    }

    /// Returns whether a function probably takes over a handle that goes in with another one.
    static func takes(_ name: String) -> Bool {
        let words = [
            "add", "append", "prepend", "insert", "push", "attach", "adopt", "take", "replace", "put", "steal", "give",
            "set", "join", "merge", "assign",
        ]
        return LengthName.parts(of: name).contains { words.contains($0) }
    }

    /// Returns which of several handles that C may write to probably takes over the others: the first one, unless the names
    /// say otherwise, as in `attach_to(child, node)` and `set_parent(node, parent)`.
    static func taker(_ handles: [String], of function: String) -> String? {
        let named = handles.first { LengthName.parts(of: $0).last.map(owners.contains) ?? false }
        let isReversed = ["to", "into", "onto", "under"].contains(LengthName.parts(of: function).last ?? "")
        return named ?? (isReversed ? handles.last : handles.first)
    }

    /// Returns whether a function may free parts of a handle: because it removes or replaces them, or goes on to others.
    static func changes(_ name: String) -> Bool {
        let words: Set<String> = [
            "remove", "del", "delete", "clear", "unset", "reset", "pop", "shift", "replace", "truncate", "consolidate",
            "normalize", "normalise", "purge", "prune", "erase", "trim", "take", "detach", "unlink", "steal", "extract",
            "set", "put", "add", "insert", "append", "prepend", "update", "move", "swap", "merge", "sort", "step",
            "next",
            "fetch", "read", "advance", "rewind", "seek", "parse", "load",
        ]
        return releaseRank(name) != nil || LengthName.parts(of: name).contains { words.contains($0) }
    }

    /// Returns whether a function may release a handle. One that takes nothing else may give back a reference, as
    /// `object_put` does, where others put something into an object.
    static func mayRelease(_ name: String, parameters: Int) -> Bool {
        let last = LengthName.parts(of: name).last ?? ""
        return releaseRank(name) != nil
            || parameters == 1 && ["put", "decref", "deref", "dereference"].contains(last)
    }

    /// Returns how probable it is that a function releases a handle, beginning with 0 for the most probable names; nil
    /// if its name does not say so. Names that end with the word come first: `db_close` before `db_release_memory`.
    package static func releaseRank(_ name: String) -> Int? {
        let parts = LengthName.parts(of: name).filter { part in !exceptions.contains { part.hasPrefix($0) } }
        let isAccess = parts.contains { accesses.contains($0) }
        func isOne(_ part: String, _ word: String) -> Bool {
            short.contains(word) ? part == word && !isAccess : part.hasSuffix(word) || part.hasPrefix(word)
        }
        let last = parts.last ?? ""
        return words.firstIndex { isOne(last, $0) }
            ?? words.firstIndex { word in parts.contains { isOne($0, word) } }.map { $0 + words.count }
    }
}
