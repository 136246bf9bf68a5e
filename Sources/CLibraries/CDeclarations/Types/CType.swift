/// A C type with its qualifiers and the `typedef` name by which it was written.
///
/// Two types are equal if C treats them as the same type: qualifiers count, but `typedef` names do not.
package struct CType: Sendable, Hashable {
    /// The kind of the type, with all `typedef` names resolved.
    package let kind: Kind
    /// The qualifiers of this type. In `const char *`, the pointee has `const`.
    package var qualifiers: CQualifiers
    /// The `typedef` name that the declaration used (`uint8_t`, `z_streamp`), for messages. Only the outermost name is
    /// kept.
    package var alias: String?

    /// The number of nested types. Like `weight`, it is bounded so that recursion over a type is safe.
    let depth: Int
    /// The total number of types inside this one, including itself.
    let weight: Int

    static let maximumDepth = 64
    static let maximumWeight = 1024

    /// The kinds of types.
    package indirect enum Kind: Sendable, Hashable {
        /// `void`: no result, or the pointee of an untyped pointer.
        case void
        /// `_Bool`, an integer type or a floating-point type.
        case scalar(CScalar)
        /// An enum, passed as its ``CEnumeration/underlying`` type.
        case enumeration(CEnumeration)
        /// A pointer to an object, or to a function if the pointee is a function type.
        case pointer(CType)
        /// An array; the length is nil for `[]`. Parameters never have this type because they are adjusted to pointers.
        case array(CType, length: Int?)
        /// A function. Parameters never have this type because they are adjusted to pointers.
        case function(CFunctionType)
        /// A struct or union, whose fields ``CDeclarations/definition(of:)`` returns.
        case record(CRecord)
        /// A valid type whose values can't be passed, with the reason. Pointers to it are supported.
        case unsupported(UnsupportedType)
    }

    /// Creates a type.
    ///
    /// - Parameters:
    ///   - kind: The kind of the type.
    ///   - qualifiers: The qualifiers, such as `const`.
    ///   - alias: The `typedef` name by which the type was written.
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

    /// Returns an arithmetic type.
    package static func scalar(_ scalar: CScalar) -> CType { CType(.scalar(scalar)) }

    /// Returns the type of a pointer to `type`.
    package static func pointer(to type: CType) -> CType { CType(.pointer(type)) }

    /// Whether the type is `const`. An array is if its elements are: `const int [2][3]` has no other place for the word.
    package var isConst: Bool {
        if case .array(let element, _) = kind, element.isConst { return true }
        return qualifiers.contains(.const)
    }

    /// The pointee of a pointer; nil for any other type.
    package var pointee: CType? {
        if case .pointer(let pointee) = kind { pointee } else { nil }
    }

    /// The type without its qualifiers, which do not affect values.
    package var unqualified: CType {
        var type = self
        type.qualifiers = []
        return type
    }

    package static func == (left: CType, right: CType) -> Bool {
        guard left.qualifiers.typing == right.qualifiers.typing else { return false }
        // A `typedef` name can't be redeclared with another type, so types with the same alias are equal.
        if let name = left.alias, name == right.alias { return true }
        return left.kind == right.kind
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(depth)
        hasher.combine(weight)
    }
}

/// The qualifiers of a type, written before the type or after a star.
package struct CQualifiers: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `const`.
    package static let const = CQualifiers(rawValue: 1)
    /// `volatile`.
    package static let volatile = CQualifiers(rawValue: 2)
    /// `restrict`, on a pointer.
    package static let restrict = CQualifiers(rawValue: 4)
    /// `_Nonnull`, on a pointer that must not be null. `__attribute__((nonnull))` and `[static n]` declare the same for
    /// parameters.
    package static let nonnull = CQualifiers(rawValue: 8)
    /// `_Nullable`, on a pointer that may be null.
    package static let nullable = CQualifiers(rawValue: 16)

    /// The qualifiers that change the type. Clang's nullability qualifiers do not.
    var typing: CQualifiers { intersection([.const, .volatile, .restrict]) }

    /// The qualifiers in C notation, such as "const volatile".
    var words: String {
        let all: [(CQualifiers, String)] = [
            (.const, "const"), (.volatile, "volatile"), (.restrict, "restrict"), (.nonnull, "_Nonnull"),
            (.nullable, "_Nullable"),
        ]
        return all.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}

/// A valid type whose values can't be passed.
package struct UnsupportedType: Sendable, Hashable {
    /// The name of the type in C.
    package let name: String
    /// The reason why values can't be passed.
    package let obstacle: CObstacle
    /// The layout in a struct; nil if it is not known.
    package let layout: CLayout?
    /// Whether it is an `enum` that is not defined.
    private(set) var isUndefinedEnumeration = false

    /// Creates an unsupported type.
    ///
    /// - Parameters:
    ///   - name: The name of the type in C.
    ///   - reason: The reason why values can't be passed.
    ///   - layout: The layout in a struct; nil if it is not known.
    package init(_ name: String, reason: String, layout: CLayout? = nil) {
        self.name = name
        obstacle = CObstacle(reason)
        self.layout = layout
    }

    /// Returns the type of an `enum` that is not defined.
    static func undefinedEnumeration(_ tag: String) -> UnsupportedType {
        var type = UnsupportedType("enum \(tag)", reason: "enum \(tag) is not defined")
        type.isUndefinedEnumeration = true
        return type
    }

    /// Returns a type that Swift can't represent or libffi can't pass.
    static func notPassed(_ name: String, _ layout: CLayout?) -> UnsupportedType {
        UnsupportedType(name, reason: "values of type \(name) are not supported", layout: layout)
    }
}

extension CType: CustomStringConvertible {
    /// The C notation, such as "const char *" or "int (*)(void *, int)".
    package var description: String { declaration(of: "") }

    /// Returns the C declaration of a name with this type, such as "int (*compare)(const void *, const void *)". It
    /// keeps `typedef` names as written.
    package func declaration(of name: String) -> String {
        var inner = name
        var type = self
        while type.alias == nil {
            switch type.kind {
            case .pointer(let pointee):
                let words = type.qualifiers.words
                // A qualifier needs a space before the name, as in "*const name".
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

    /// Whether a declaration writes the type after the name, where it binds more tightly than a star.
    private var isDerivedBehindName: Bool {
        switch kind {
        case .array, .function: true
        default: false
        }
    }

    /// The specifiers before the declared name.
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
