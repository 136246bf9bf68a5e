/// A type that may be a copy of a model, as declared in a file.
struct Model: Sendable {
    enum Language: Sendable {
        case swift
        case objectiveC
    }

    /// What is compared. Structs, classes and actors are all records: they hold the same properties.
    enum Kind: Sendable {
        case record
        case enumeration
        /// A set of options of Objective-C, which is an enumeration there and a struct in Swift.
        case options
    }

    /// The names of the types around it, and its own.
    let path: [String]
    let language: Language
    let kind: Kind
    /// The keyword of the declaration, as in "a struct".
    let title: String
    /// The position of its name.
    let location: SourceLocation
    /// The properties or cases, in order.
    var members: [Member] = []
    /// The type of the raw values of an enumeration.
    var rawType: TypeShape?
    /// What follows the colon: the superclass and protocols.
    var inherited: [String] = []
    var isClass = false
    /// The marks in the comments above it.
    var marks: [Mark] = []

    /// The whole name, as in `A_User.Address`.
    var name: String { path.joined(separator: ".") }
}

/// A stored property, or a case of an enumeration.
struct Member: Sendable {
    let name: String
    /// Another name by which the other language knows it: the getter, the case without the name of its type.
    var alias: String?
    let location: SourceLocation
    var type = Written(shape: .unknown, text: "")
    /// Whether a pointer in Objective-C is nonnull here. A name for a pointer type does not tell.
    var isNonnull = false
    /// The value that it has if nothing else is given. Of a case, the raw value.
    var value: Value = .none
    /// The name under which the property is encoded; nil if it is not encoded.
    var key: String?
    var marks: [Mark] = []

    enum Value: Sendable {
        case none
        /// The tokens, and the text that messages show.
        case tokens([String], shown: String)
        /// There may be one, but the reader cannot tell it.
        case unknown
    }
}

/// A type with the text in the file, which messages show.
struct Written: Sendable {
    let shape: TypeShape
    let text: String
}

/// A name for a type that was declared with `typealias` or `typedef`.
struct TypeAlias: Sendable {
    let path: [String]
    let shape: TypeShape
    let file: String
}

/// What was found in a file.
struct SourceContents: Sendable {
    var models: [Model] = []
    var aliases: [TypeAlias] = []
    /// What the reader could not understand.
    var problems: [Problem] = []
    /// Marks that belong to no declaration.
    var looseMarks: [Mark] = []

    struct Problem: Sendable {
        let location: SourceLocation
        let message: String
    }
}

/// The members of a type by their names, each once: of the alternatives of a condition, the first stands for all.
struct MemberList {
    private(set) var members: [Member] = []
    private var indices: [String: Int] = [:]

    init(_ members: [Member] = []) {
        for member in members { add(member) }
    }

    /// Adds a member unless it is there already. It replaces a variable that holds it.
    mutating func add(_ member: Member) {
        let found = [member.name, member.alias].compactMap { $0.flatMap { indices[$0] } }.first
        if let found {
            let isVariable = members[found].name.hasPrefix("_") && members[found].name != member.name
            guard isVariable else { return }
            members[found] = member
        } else {
            members.append(member)
        }
        let index = found ?? members.count - 1
        for name in [member.name, member.alias].compactMap(\.self) { indices[name] = index }
    }
}
