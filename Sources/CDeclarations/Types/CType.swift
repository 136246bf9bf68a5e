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
        // A name is declared once for all, so two types of the same name need no look inside.
        if let name = left.alias, name == right.alias { return true }
        return left.kind == right.kind
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(depth)
        hasher.combine(weight)
    }
}
