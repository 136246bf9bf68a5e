/// Whether a pointer of Objective-C may be nil.
enum Nullability {
    case nullable
    case nonnull
    case unspecified

    /// The meaning of a qualifier or an attribute of a property; nil for other words.
    init?(word: String) {
        switch word {
        case "nullable", "_Nullable", "__nullable", "_Nullable_result": self = .nullable
        case "nonnull", "_Nonnull", "__nonnull", "null_resettable": self = .nonnull
        case "null_unspecified", "_Null_unspecified", "__null_unspecified": self = .unspecified
        default: return nil
        }
    }
}

/// A declaration in a header without its semicolon, such as `NSArray<NSString *> *first, *second`.
struct HeaderDeclaration {
    /// The declared properties, variables or types.
    private(set) var members: [Member] = []
    private let tokens: [HeaderToken]
    private let source: SourceText
    private let nullability: Nullability?
    private let assumesNonnull: Bool
    private var position = 0

    /// - Parameters:
    ///   - nullability: What the attributes of the property say.
    ///   - assumesNonnull: Whether pointers without a qualifier are nonnull here.
    init(
        _ tokens: ArraySlice<HeaderToken>, source: SourceText, nullability: Nullability?, assumesNonnull: Bool
    ) {
        self.tokens = Array(tokens.prefix(Self.maximumLength))
        self.source = source
        self.nullability = nullability
        self.assumesNonnull = assumesNonnull
        if !readStruct(), !readBlock() { readDeclarators() }
    }

    /// Longer declarations are cut.
    private static let maximumLength = 1000

    private static let qualifiers: Set = [
        "const", "volatile", "static", "extern", "__weak", "__strong", "__unsafe_unretained", "__autoreleasing",
        "__kindof", "__block", "IBOutlet", "IBInspectable", "struct", "enum", "union", "restrict", "inline",
    ]
    private static let builtIn: Set = [
        "unsigned", "signed", "short", "long", "int", "char", "float", "double", "_Bool", "bool", "void",
    ]

    private var current: HeaderToken? { position < tokens.count ? tokens[position] : nil }

    private func declared(_ name: HeaderToken, shape: TypeShape, text: String) -> Member {
        var member = Member(name: name.text, location: source.location(of: name.offset))
        member.type = Written(shape: shape, text: text)
        member.value = .unknown
        return member
    }

    private func meaning(of explicit: Nullability?) -> Nullability {
        explicit ?? nullability ?? (assumesNonnull ? .nonnull : .unspecified)
    }

    private func wrapped(_ shape: TypeShape, _ explicit: Nullability?) -> TypeShape {
        switch meaning(of: explicit) {
        case .nullable: .optional(shape)
        case .nonnull: shape
        case .unspecified: .unspecified(shape)
        }
    }

    // MARK: Structs and blocks

    /// Reads a struct or union that is declared in place, whose type is compared by its text.
    private mutating func readStruct() -> Bool {
        guard let end = tokens.lastIndex(where: { $0.text == "}" }) else { return false }
        if let name = tokens[(end + 1)...].first(where: { $0.kind == .word && !Self.qualifiers.contains($0.text) }) {
            let texts = tokens[...end].map(\.text)
            members = [declared(name, shape: .text(texts), text: texts.joined(separator: " "))]
        }
        return true
    }

    /// Reads a block such as `void (^done)(BOOL)` or a pointer to a function.
    private mutating func readBlock() -> Bool {
        guard
            let start = tokens.indices.dropLast().first(where: {
                tokens[$0].text == "(" && ["^", "*"].contains(tokens[$0 + 1].text)
            })
        else { return false }
        var explicit: Nullability?
        var index = start + 2
        while index < tokens.count, tokens[index].kind == .word {
            let word = tokens[index].text
            if let found = Nullability(word: word) {
                explicit = found
            } else if !Self.qualifiers.contains(word) {
                let others = tokens[..<index] + tokens[(index + 1)...]
                let texts = others.map(\.text).filter { Nullability(word: $0) == nil }
                members = [
                    declared(tokens[index], shape: wrapped(.text(texts), explicit), text: texts.joined(separator: " "))
                ]
                return true
            }
            index += 1
        }
        return true
    }

    // MARK: Other types

    private struct Base {
        var name = ""
        var arguments: [TypeShape] = []
        var text = ""
        var nullability: Nullability?
    }

    private mutating func readDeclarators() {
        guard let base = readBase(depth: 0) else { return }
        repeat {
            guard let member = readDeclarator(base) else { return }
            members.append(member)
            // Bit fields, sizes and macros behind the name.
            while let token = current, token.text != "," {
                position += 1
                if token.text == "(" { skipGroup() }
            }
            position += 1
        } while current != nil
    }

    private mutating func skipGroup() {
        var depth = 1
        while let token = current, depth > 0 {
            if token.text == "(" { depth += 1 }
            if token.text == ")" { depth -= 1 }
            position += 1
        }
    }

    /// Reads the type before the pointers and names; nil if there is none.
    private mutating func readBase(depth: Int) -> Base? {
        guard depth < TypeShape.maximumDepth else { return nil }
        var base = Base()
        skipQualifiers(into: &base.nullability)
        while isMacro { skipMacro(into: &base.nullability) }
        var words: [String] = []
        while let token = current, Self.builtIn.contains(token.text) {
            words.append(token.text)
            position += 1
            skipQualifiers(into: &base.nullability)
        }
        if words.isEmpty {
            guard let token = current, token.kind == .word else { return nil }
            words = [token.text]
            position += 1
        }
        base.name = HeaderScalar.canonical(words)
        base.text = words.joined(separator: " ")
        if current?.text == "<" { readArguments(of: &base, depth: depth) }
        skipQualifiers(into: &base.nullability)
        return base
    }

    private mutating func readArguments(of base: inout Base, depth: Int) {
        position += 1
        var texts: [String] = []
        while let argument = readBase(depth: depth + 1) {
            var argument = argument
            let stars = readPointers(into: &argument.nullability)
            // The elements of a collection are never nil.
            base.arguments.append(shape(of: argument, stars: stars, isElement: true))
            texts.append(argument.text + (stars == 0 ? "" : " " + String(repeating: "*", count: stars)))
            guard current?.text == "," else { break }
            position += 1
        }
        if current?.text == ">" { position += 1 }
        base.text += "<\(texts.joined(separator: ", "))>"
    }

    private mutating func readPointers(into nullability: inout Nullability?) -> Int {
        var stars = 0
        skipQualifiers(into: &nullability)
        while current?.text == "*" {
            stars += 1
            position += 1
            skipQualifiers(into: &nullability)
        }
        return stars
    }

    private mutating func readDeclarator(_ base: Base) -> Member? {
        var base = base
        let stars = readPointers(into: &base.nullability)
        guard let name = current, name.kind == .word else { return nil }
        position += 1
        var text = base.text + (stars == 0 ? "" : " " + String(repeating: "*", count: stars))
        if current?.text == "[" {
            while let token = current, token.text != "," {
                text += token.text
                position += 1
            }
            return declared(name, shape: .text([text]), text: text)
        }
        let shape = shape(of: base, stars: stars, isElement: false)
        if case .optional = shape { text = "nullable " + text }
        var member = declared(name, shape: shape, text: text)
        member.isNonnull = meaning(of: base.nullability) == .nonnull
        return member
    }

    private func shape(of base: Base, stars: Int, isElement: Bool) -> TypeShape {
        let isScalar = HeaderScalar.isScalar(base.name)
        guard stars <= 1, !(isScalar && stars == 1) else {
            return wrapped(.text([base.text, String(repeating: "*", count: stars)]), base.nullability)
        }
        var named = TypeShape.named(base.name, base.arguments)
        if base.name == "id" || base.name == "Class", let first = base.arguments.first {
            // `id<P>` is `any P`.
            named = base.arguments.count == 1 ? first : .text([base.text])
        }
        if isElement { return named }
        let isPointer = stars == 1 || base.name == "id" || base.name == "Class"
        return isPointer || base.nullability != nil || (nullability != nil && !isScalar)
            ? wrapped(named, base.nullability) : named
    }

    // MARK: Qualifiers and macros

    private mutating func skipQualifiers(into nullability: inout Nullability?) {
        while let word = current?.text {
            if let found = Nullability(word: word) {
                nullability = found
                position += 1
            } else if Self.qualifiers.contains(word) {
                position += 1
            } else if word == "__attribute__" || word == "_Alignas" {
                position += 1
                if current?.text == "(" {
                    position += 1
                    skipGroup()
                }
            } else {
                return
            }
        }
    }

    /// Whether the current word is a macro before the type: it has arguments, or it is in capitals with an underscore,
    /// and a type and a name follow.
    private var isMacro: Bool {
        guard let word = current, word.kind == .word, position + 1 < tokens.count else { return false }
        let following = tokens[position + 1]
        if following.text == "(" { return true }
        let isCapital = word.text.contains("_") && !word.text.utf8.contains { (0x61...0x7A).contains($0) }
        guard isCapital, following.kind == .word, position + 2 < tokens.count else { return false }
        let third = tokens[position + 2]
        return third.kind == .word || third.text == "*" || third.text == "<"
    }

    private mutating func skipMacro(into nullability: inout Nullability?) {
        position += 1
        if current?.text == "(" {
            position += 1
            skipGroup()
        }
        skipQualifiers(into: &nullability)
    }
}

/// The types of C, and names for them.
enum HeaderScalar {
    private static let names = [
        "NSInteger": "Int", "NSUInteger": "UInt", "BOOL": "Bool", "bool": "Bool", "_Bool": "Bool", "Boolean": "Bool",
        "float": "Float", "double": "Double", "long double": "Float80", "NSTimeInterval": "Double",
        "CFTimeInterval": "Double", "CFAbsoluteTime": "Double",
        "int": "Int32", "unsigned": "UInt32", "short": "Int16", "long": "Int", "unsigned long": "UInt",
        "unsigned short": "UInt16", "long long": "Int64", "unsigned long long": "UInt64", "char": "Int8",
        "unsigned char": "UInt8", "int8_t": "Int8", "int16_t": "Int16", "int32_t": "Int32", "int64_t": "Int64",
        "uint8_t": "UInt8", "uint16_t": "UInt16", "uint32_t": "UInt32", "uint64_t": "UInt64", "size_t": "Int",
        "ssize_t": "Int", "ptrdiff_t": "Int", "intptr_t": "Int", "uintptr_t": "UInt", "unichar": "UInt16",
        "UInt8": "UInt8", "UInt16": "UInt16", "UInt32": "UInt32", "UInt64": "UInt64", "SInt8": "Int8",
        "SInt16": "Int16", "SInt32": "Int32", "SInt64": "Int64", "void": "()",
    ]
    private static let values = Set(names.values).union(["CGFloat"])

    /// Returns the name in Swift of a type of C, in whatever order its words are; other names as they are.
    static func canonical(_ words: [String]) -> String {
        guard words.count > 1 || names[words[0]] == nil else { return names[words[0]] ?? words[0] }
        if words.count == 1 { return words[0] == "signed" ? "Int32" : words[0] }
        var rest = words.filter { $0 != "signed" }
        let isUnsigned = rest.contains("unsigned")
        rest.removeAll { $0 == "unsigned" }
        if rest.contains("long") || rest.contains("short") { rest.removeAll { $0 == "int" } }
        if rest.isEmpty { rest = ["int"] }
        // `char` may be unsigned; `signed char` never is. Both are `Int8` on the machines that run this.
        let name = rest.sorted { $0 > $1 }.joined(separator: " ")
        if isUnsigned { return names[name == "int" ? "unsigned" : "unsigned \(name)"] ?? "unsigned \(name)" }
        return names[name] ?? name
    }

    static func isScalar(_ name: String) -> Bool { values.contains(name) }
}
