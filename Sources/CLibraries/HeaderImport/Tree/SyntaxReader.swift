/// A declaration in clang's AST dump, or a part of one.
final class SyntaxNode {
    var id = ""
    /// The kind of node, such as "FunctionDecl" or "FieldDecl".
    var kind = ""
    /// The name; empty if there is none.
    var name = ""
    /// The linker symbol.
    var mangledName = ""
    /// The keyword of a record: "struct" or "union".
    var tag = ""
    /// The type as written.
    var type = ""
    /// The type with `typedef` names resolved; equal to `type` if clang reports no other form.
    var desugaredType = ""
    /// The value of an expression.
    var value = ""
    /// The explicit underlying type of an enum; empty if there is none.
    var fixedType = ""
    var storage = ""
    var isInline = false
    var isImplicit = false
    var isBitField = false
    var isComplete = false
    /// The identifier of the record or enum that the type defines in place: `typedef struct { … } name;`.
    var ownedTag = ""
    /// The file of the declaration, or of the macro that expands to it.
    var file = ""
    var children: [SyntaxNode] = []

    /// The first value in this node or its descendants, such as that of `= 1 << 3` or `aligned(8)`.
    var firstValue: String? { first(\.value) }

    /// The first `ownedTag` in this node or its descendants; nil if there is none.
    var firstOwnedTag: String? { first(\.ownedTag) }

    private func first(_ text: KeyPath<SyntaxNode, String>) -> String? {
        if !self[keyPath: text].isEmpty { return self[keyPath: text] }
        for child in children {
            if let found = child.first(text) { return found }
        }
        return nil
    }
}

/// Reads the tree that `clang -ast-dump=json` prints.
///
/// The dump of a small header is about 10 MB long, most of it source locations. The reader skips what it does not need.
/// It is not recursive, so it handles any depth. Foundation's JSON reader would keep everything in memory and fail at
/// 512 levels.
struct SyntaxReader {
    private let bytes: [UInt8]
    private var position = 0
    /// The current file. clang writes a file's name only when it changes.
    private var file = ""

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the whole dump.
    ///
    /// - Returns: The top-level declarations, in order.
    /// - Throws: `ImportError` if the bytes are not such a dump.
    mutating func read() throws(ImportError) -> [SyntaxNode] { try node().children }

    /// Reads a dump of chosen declarations, which clang prints one after the other.
    mutating func readChosen() throws(ImportError) -> [SyntaxNode] {
        var chosen: [SyntaxNode] = []
        while peek() != nil { chosen.append(try node()) }
        return chosen
    }

    private mutating func node() throws(ImportError) -> SyntaxNode {
        try expect("{")
        let root = SyntaxNode()
        var open = [root]
        // Each iteration reads one member of the last open node, or its end.
        while let node = open.last {
            skipSpace()
            if take("}") {
                open.removeLast()
                prune(node)
                guard let parent = open.last else { break }
                parent.children.append(node)
                try afterChild(&open)
                continue
            }
            _ = take(",")
            let key = try string()
            try expect(":")
            guard key == "inner" else {
                try readValue(of: key, into: node)
                continue
            }
            try expect("[")
            if !take("]") {
                try expect("{")
                open.append(SyntaxNode())
            }
        }
        return root
    }

    /// Reads what follows a child node: the start of the next child, or the end of the list.
    private mutating func afterChild(_ open: inout [SyntaxNode]) throws(ImportError) {
        if take(",") {
            try expect("{")
            open.append(SyntaxNode())
        } else {
            try expect("]")
        }
    }

    /// Removes the children of function bodies and initialiser lists, which are large and not needed.
    private func prune(_ node: SyntaxNode) {
        if node.kind == "CompoundStmt" || node.kind == "InitListExpr" { node.children = [] }
    }

    private mutating func readValue(of key: String, into node: SyntaxNode) throws(ImportError) {
        switch key {
        case "id": node.id = try string()
        case "kind": node.kind = try string()
        case "name": node.name = try string()
        case "mangledName": node.mangledName = try string()
        case "tagUsed": node.tag = try string()
        case "storageClass": node.storage = try string()
        case "value":
            if peek() == UInt8(ascii: "\"") { node.value = try string() } else { try skipValue() }
        case "inline": node.isInline = try flag()
        case "isImplicit": node.isImplicit = try flag()
        case "isBitfield": node.isBitField = try flag()
        case "completeDefinition": node.isComplete = try flag()
        case "type":
            let members = try strings()
            node.type = members["qualType"] ?? ""
            node.desugaredType = members["desugaredQualType"] ?? node.type
        case "fixedUnderlyingType": node.fixedType = try strings()["qualType"] ?? ""
        case "ownedTagDecl": node.ownedTag = try strings()["id"] ?? ""
        case "loc":
            try readPlaces()
            node.file = file
        case "range": try readPlaces()
        default: try skipValue()
        }
    }

    /// Reads a source location or range and updates `file`.
    private mutating func readPlaces() throws(ImportError) {
        try expect("{")
        var depth = 1
        // The depth of "includedFrom", which contains the name of another file.
        var ignored: Int?
        while depth > 0 {
            if take("}") {
                depth -= 1
                if ignored == depth { ignored = nil }
                continue
            }
            _ = take(",")
            let key = try string()
            try expect(":")
            if peek() == UInt8(ascii: "{") {
                if key == "includedFrom", ignored == nil { ignored = depth }
                try expect("{")
                depth += 1
            } else if key == "file", ignored == nil {
                file = try string()
            } else {
                try skipValue()
            }
        }
    }

    /// Reads an object and returns its string members.
    private mutating func strings() throws(ImportError) -> [String: String] {
        var members: [String: String] = [:]
        try expect("{")
        while !take("}") {
            _ = take(",")
            let key = try string()
            try expect(":")
            if peek() == UInt8(ascii: "\"") { members[key] = try string() } else { try skipValue() }
        }
        return members
    }

    private mutating func flag() throws(ImportError) -> Bool {
        let isTrue = peek() == UInt8(ascii: "t")
        try skipValue()
        return isTrue
    }

    // MARK: - JSON

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    private mutating func peek() -> UInt8? {
        skipSpace()
        return position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws(ImportError) {
        guard take(sign) else { throw unexpected("'\(sign)'") }
    }

    private func unexpected(_ expected: String) -> ImportError {
        ImportError("clang's AST dump is invalid: expected \(expected) at byte \(position) of \(bytes.count)")
    }

    private mutating func skipValue() throws(ImportError) {
        var depth = 0
        repeat {
            switch peek() {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { throw unexpected("a value") }
                depth -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw unexpected("a value") }
                position += 1
            case nil: throw unexpected("a value")
            default:
                while position < bytes.count, !SyntaxReader.endsWord(bytes[position]) { position += 1 }
            }
        } while depth > 0
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":")].contains(byte)
    }

    private mutating func skipString() throws(ImportError) {
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else { throw unexpected("the end of a string") }
        position += 1
    }

    private mutating func string() throws(ImportError) -> String {
        guard peek() == UInt8(ascii: "\"") else { throw unexpected("a string") }
        let start = position + 1
        try skipString()
        let content = bytes[start..<position - 1]
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        return SyntaxReader.unescaped(content)
    }

    private static func unescaped(_ content: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = content
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                text.append(byte)
                continue
            }
            switch escaped {
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "u"):
                let code = UInt32(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD
                rest = rest.dropFirst(4)
                text += Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
            default: text.append(escaped)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
