/// A type without its spelling: `[Int]?` and `Optional<Array<Int>>` have the same shape. Types of Objective-C have the
/// shape of the Swift type with the same values.
indirect enum TypeShape: Sendable, Equatable {
    case named(String, [TypeShape])
    case optional(TypeShape)
    /// A pointer of Objective-C that is neither nullable nor nonnull, or `T!`.
    case unspecified(TypeShape)
    case tuple([Element])
    case function([Element], effects: [String], result: TypeShape)
    /// A type that is compared by its tokens.
    case text([String])
    /// A type that is not written, and cannot be told from the default value.
    case unknown

    struct Element: Sendable, Equatable {
        let label: String?
        let type: TypeShape
    }

    static func named(_ name: String) -> TypeShape { .named(name, []) }

    /// Types nested deeper than this are compared by their text.
    static let maximumDepth = 32

    /// Returns the shape with every name, and every whole named shape, replaced.
    func mapped(_ change: (String, [TypeShape]) -> TypeShape) -> TypeShape {
        switch self {
        case .named(let name, let arguments): change(name, arguments.map { $0.mapped(change) })
        case .optional(let type): .optional(type.mapped(change))
        case .unspecified(let type): .unspecified(type.mapped(change))
        case .tuple(let elements): .tuple(elements.map { Element(label: $0.label, type: $0.type.mapped(change)) })
        case .function(let elements, let effects, let result):
            .function(
                elements.map { Element(label: $0.label, type: $0.type.mapped(change)) },
                effects: TypeShape.mapped(effects, change), result: result.mapped(change))
        case .text(let tokens): .text(TypeShape.mapped(tokens, change))
        case .unknown: self
        }
    }

    private static func mapped(_ tokens: [String], _ change: (String, [TypeShape]) -> TypeShape) -> [String] {
        tokens.map { token in
            guard token.utf8.first?.isLetter == true else { return token }
            switch change(token, []) {
            case .named(let name, _), .unspecified(.named(let name, _)): return name
            default: return token
            }
        }
    }

    /// Whether a value of both types is the same; unknown types agree with all, and pointers of unknown nullability with
    /// optional and other types.
    func agrees(with other: TypeShape) -> Bool {
        switch (self, other) {
        case (.unknown, _), (_, .unknown): true
        case (.unspecified(let first), .unspecified(let second)): first.agrees(with: second)
        case (.unspecified(let first), .optional(let second)), (.optional(let first), .unspecified(let second)):
            first.agrees(with: second)
        case (.unspecified(let first), let second), (let first, .unspecified(let second)): first.agrees(with: second)
        case (.optional(let first), .optional(let second)): first.agrees(with: second)
        case (.named(let first, let some), .named(let second, let others)):
            first == second && some.count == others.count && zip(some, others).allSatisfy { $0.agrees(with: $1) }
        case (.tuple(let some), .tuple(let others)): TypeShape.agree(some, others)
        case (.function(let some, let first, let result), .function(let others, let second, let otherResult)):
            first == second && TypeShape.agree(some, others) && result.agrees(with: otherResult)
        case (.text(let first), .text(let second)): first == second
        default: false
        }
    }

    private static func agree(_ some: [Element], _ others: [Element]) -> Bool {
        some.count == others.count
            && zip(some, others).allSatisfy { $0.label == $1.label && $0.type.agrees(with: $1.type) }
    }
}

extension TypeShape {
    /// Returns the shape of a type that is written with this name: sugar, and names for the same type, are replaced.
    static func canonical(_ name: String, _ arguments: [TypeShape]) -> TypeShape {
        var name = name
        for module in ["Swift.", "Foundation.", "FoundationEssentials."] where name.hasPrefix(module) {
            name.removeFirst(module.count)
        }
        if name == "Optional", let first = arguments.first { return .optional(first) }
        return .named(synonyms[name] ?? name, arguments)
    }

    private static let synonyms = [
        "TimeInterval": "Double", "CInt": "Int32", "CUnsignedInt": "UInt32", "CShort": "Int16", "CLong": "Int",
        "CUnsignedLong": "UInt", "CLongLong": "Int64", "CUnsignedLongLong": "UInt64", "CChar": "Int8", "CBool": "Bool",
        "CFloat": "Float", "CDouble": "Double", "Float64": "Double", "Float32": "Float", "Void": "()",
    ]

    /// The shape that Swift gives to a type of Objective-C, where `NSString` is `String`.
    var bridged: TypeShape {
        switch self {
        case .optional(let type): .optional(type.bridged)
        case .unspecified(let type): .unspecified(type.bridged)
        // Blocks and C types are not compared with Swift's types.
        case .text, .function, .tuple: .unknown
        case .unknown: .unknown
        case .named(let name, let arguments): TypeShape.bridged(name, arguments.map(\.bridged))
        }
    }

    private static func bridged(_ name: String, _ arguments: [TypeShape]) -> TypeShape {
        let any = TypeShape.named("Any")
        let hashable = TypeShape.named("AnyHashable")
        switch name {
        case "NSArray": return .named("Array", arguments.isEmpty ? [any] : arguments)
        case "NSSet": return .named("Set", arguments.isEmpty ? [hashable] : arguments)
        case "NSDictionary": return .named("Dictionary", arguments.isEmpty ? [hashable, any] : arguments)
        default: return .named(values[name] ?? name, arguments)
        }
    }

    private static let values = [
        "NSString": "String", "NSDate": "Date", "NSData": "Data", "NSURL": "URL", "NSUUID": "UUID", "NSError": "Error",
        "NSIndexPath": "IndexPath", "NSCalendar": "Calendar", "NSLocale": "Locale", "NSTimeZone": "TimeZone",
        "NSDateComponents": "DateComponents", "NSURLRequest": "URLRequest", "NSIndexSet": "IndexSet",
        "NSCharacterSet": "CharacterSet", "NSURLComponents": "URLComponents", "NSNotification": "Notification",
        "NSDateInterval": "DateInterval", "NSPersonNameComponents": "PersonNameComponents", "id": "Any",
        "Class": "AnyClass", "SEL": "Selector",
    ]
}
