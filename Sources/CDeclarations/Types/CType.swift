/// A type of C, with the qualifiers that stand before it and the name by which it was written.
///
/// Two types are equal when C calls them the same type: names of `typedef` do not count, qualifiers do.
package struct CType: Sendable, Hashable {
    /// What it is, all `typedef` names resolved.
    package let kind: Kind
    /// `const` and the like, as in `const char` behind the pointer of `const char *`.
    package var qualifiers: CQualifiers
    /// The name of a `typedef` by which the declaration named it (`uint8_t`, `z_streamp`), for messages. Only the
    /// outermost: the type itself is resolved.
    package var alias: String?

    /// How many types stand inside of each other, and how many are in it altogether. Both are bounded, so that
    /// walks over a type can be recursive.
    let depth: Int
    let weight: Int

    static let maximumDepth = 64
    static let maximumWeight = 1024

    /// The kinds of types.
    package indirect enum Kind: Sendable, Hashable {
        /// As a result: none. Behind a pointer: anything.
        case void
        /// `_Bool`, an integer or a floating-point number.
        case scalar(CScalar)
        /// Passed as its ``CEnumeration/underlying`` type.
        case enumeration(CEnumeration)
        /// A pointer to an object or, with a function type inside, to a function.
        case pointer(CType)
        /// An array: never the type of a parameter, which is a pointer then. Without a length it was `[]`.
        case array(CType, length: Int?)
        /// A function: never the type of a parameter, which is a pointer then.
        case function(CFunctionType)
        /// A struct or union; its fields are found with ``CDeclarations/definition(of:)``.
        case record(CRecord)
        /// Something that is understood, but not passed by value, with the reason. Pointers to it are pointers
        /// like others.
        case unsupported(UnsupportedType)
    }

    /// - Parameters:
    ///   - kind: what it is.
    ///   - qualifiers: `const` and the like.
    ///   - alias: the name of a `typedef`.
    package init(_ kind: Kind, qualifiers: CQualifiers = [], alias: String? = nil) {
        self.kind = kind
        self.qualifiers = qualifiers
        self.alias = alias
        switch kind {
        case .pointer(let inner), .array(let inner, _):
            depth = inner.depth + 1
            weight = inner.weight + 1
        case .function(let function):
            let parts = function.parameters.map(\.type)
            depth = parts.reduce(function.result.depth) { max($0, $1.depth) } + 1
            weight = parts.reduce(function.result.weight) { $0 + $1.weight } + 1
        case .void, .scalar, .enumeration, .record, .unsupported:
            depth = 1
            weight = 1
        }
    }

    /// `void`.
    package static let void = CType(.void)

    /// A type of numbers.
    package static func scalar(_ scalar: CScalar) -> CType { CType(.scalar(scalar)) }

    /// A pointer to `type`.
    package static func pointer(to type: CType) -> CType { CType(.pointer(type)) }

    /// Whether `const` stands before it.
    package var isConst: Bool { qualifiers.contains(.const) }

    /// What a pointer points to; nil for another type.
    package var pointee: CType? {
        if case .pointer(let pointee) = kind { pointee } else { nil }
    }

    /// The type without its qualifiers, as a value has it.
    package var unqualified: CType {
        var type = self
        type.qualifiers = []
        return type
    }

    package static func == (left: CType, right: CType) -> Bool {
        guard left.qualifiers.typing == right.qualifiers.typing else { return false }
        // A name is declared only once, so two types of the same name are equal.
        if let name = left.alias, name == right.alias { return true }
        return left.kind == right.kind
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(depth)
        hasher.combine(weight)
    }
}

/// The words that may stand before a type or behind a star.
package struct CQualifiers: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `const`.
    package static let const = CQualifiers(rawValue: 1)
    /// `volatile`.
    package static let volatile = CQualifiers(rawValue: 2)
    /// `restrict`, of a pointer.
    package static let restrict = CQualifiers(rawValue: 4)
    /// `_Nonnull`, of a pointer: a null pointer is forbidden. `__attribute__((nonnull))` and `[static n]` say the
    /// same of parameters.
    package static let nonnull = CQualifiers(rawValue: 8)
    /// `_Nullable`, of a pointer: a null pointer is allowed.
    package static let nullable = CQualifiers(rawValue: 16)

    /// Those that make another type of it; clang's notes about null do not.
    var typing: CQualifiers { intersection([.const, .volatile, .restrict]) }

    /// "const volatile".
    var words: String {
        let all: [(CQualifiers, String)] = [
            (.const, "const"), (.volatile, "volatile"), (.restrict, "restrict"), (.nonnull, "_Nonnull"),
            (.nullable, "_Nullable"),
        ]
        return all.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}

/// A type that is understood, but whose values cannot be passed.
package struct UnsupportedType: Sendable, Hashable {
    /// As C names it.
    package let name: String
    /// Why.
    package let obstacle: CObstacle
    /// What it takes in a struct; nil when even that is not known.
    package let layout: CLayout?

    /// - Parameters:
    ///   - name: as C names it.
    ///   - reason: why it can't be passed.
    ///   - layout: what it takes in a struct.
    package init(_ name: String, reason: String, layout: CLayout? = nil) {
        self.name = name
        obstacle = CObstacle(reason)
        self.layout = layout
    }

    /// `enum e`, of which nothing is known.
    static func undefinedEnumeration(_ tag: String) -> UnsupportedType {
        UnsupportedType("enum \(tag)", reason: "enum \(tag) is not defined")
    }

    var isUndefinedEnumeration: Bool { layout == nil && name.hasPrefix("enum ") }

    /// A type that Swift cannot represent, or that libffi cannot pass.
    static func notPassed(_ name: String, _ layout: CLayout?) -> UnsupportedType {
        UnsupportedType(name, reason: "values of type \(name) are not supported", layout: layout)
    }
}

extension CType: CustomStringConvertible {
    /// As C writes it: "const char *", "int (*)(void *, int)".
    package var description: String { declaration(of: "") }

    /// As C declares something of this type: "int (*compare)(const void *, const void *)". `typedef` names stand
    /// as they were written.
    package func declaration(of name: String) -> String {
        var inner = name
        var type = self
        while type.alias == nil {
            switch type.kind {
            case .pointer(let pointee):
                let words = type.qualifiers.words
                // A word needs a space before a name that follows, as in "*const name".
                let space = words.isEmpty || inner.isEmpty || inner.hasPrefix("[") || inner.hasPrefix(")") ? "" : " "
                inner = "*" + words + space + inner
                if pointee.alias == nil && pointee.isDerivedBehindName { inner = "(" + inner + ")" }
                type = pointee
            case .array(let element, let length):
                inner += "[" + (length.map(String.init) ?? "") + "]"
                type = element
            case .function(let function):
                inner += "(" + function.parameterList + ")"
                type = function.result
            case .void, .scalar, .enumeration, .record, .unsupported:
                return type.baseName + (inner.isEmpty || inner.hasPrefix("[") ? "" : " ") + inner
            }
        }
        return type.baseName + (inner.isEmpty || inner.hasPrefix("[") ? "" : " ") + inner
    }

    /// Whether it stands behind the name in a declaration, and so binds closer than a star.
    private var isDerivedBehindName: Bool {
        switch kind {
        case .array, .function: true
        default: false
        }
    }

    /// The words before the name.
    private var baseName: String {
        let name =
            switch kind {
            case _ where alias != nil: alias ?? ""
            case .void: "void"
            case .scalar(let scalar): scalar.rawValue
            case .enumeration(let enumeration): enumeration.name
            case .record(let record): record.name
            case .unsupported(let unsupported): unsupported.name
            case .pointer, .array, .function: ""
            }
        return qualifiers.isEmpty ? name : qualifiers.words + " " + name
    }
}
