/// Finds out what the names in types mean, so that `A_Address` and `B_Address` are the same type if they are copies of
/// one model.
struct TypeNames {
    private var models: [String: Set<String>] = [:]
    private var aliases: [String: AliasTable] = [:]
    private var classes: Set<String> = []

    init(groups: [ModelGroup], models all: [Model], aliases: [TypeAlias]) {
        for group in groups {
            for copy in group.copies { models[copy.name, default: []].insert(group.name) }
        }
        for alias in aliases { self.aliases[alias.path.joined(separator: "."), default: AliasTable()].add(alias) }
        classes = Set(all.filter(\.isClass).map(\.name))
    }

    /// Returns the shape with the names of models and aliases replaced.
    func resolved(_ shape: TypeShape, in model: Model) -> TypeShape {
        var aliases = Self.maximumAliases
        return resolved(shape, path: model.path, file: model.location.file, aliases: &aliases)
    }

    /// Aliases beyond this number stay as they are, since a chain of aliases can stand for a type of any size.
    private static let maximumAliases = 64

    private func resolved(
        _ shape: TypeShape, path: [String], file: String, aliases count: inout Int
    ) -> TypeShape {
        shape.mapped { name, arguments in
            // The innermost type that declares the name wins.
            for depth in (0...path.count).reversed() {
                let whole = (path.prefix(depth) + [name]).joined(separator: ".")
                if let found = models[whole], found.count == 1, let model = found.first {
                    return .named(Self.marker + model, arguments)
                }
                if arguments.isEmpty, count > 0, let alias = aliases[whole]?.alias(in: file),
                    alias.shape != .named(name)
                {
                    count -= 1
                    return resolved(alias.shape, path: Array(path.prefix(depth)), file: alias.file, aliases: &count)
                }
            }
            return .named(name, arguments)
        }
    }

    /// Distinguishes the name of a model from that of a type.
    private static let marker = "model "

    /// Returns the tokens of a value with the names of models replaced, and without the name of the type before a dot:
    /// `B_State.on` and `.on` are the same value.
    func resolved(_ tokens: [String], of type: TypeShape, in model: Model) -> [String] {
        if let number = Int(literal: tokens.joined()) { return ["\(number)"] }
        let rest = withoutType(tokens, of: type, in: model)
        if isInitial(rest, of: type, in: model) { return [".", "init", "(", ")"] }
        return rest.map { token in
            guard token.utf8.first?.isLetter == true, case .named(let name, _) = resolved(.named(token), in: model)
            else { return token }
            return name
        }
    }

    /// Returns the tokens from the dot on if they begin with the name of the type, which may itself have dots.
    private func withoutType(_ tokens: [String], of type: TypeShape, in model: Model) -> [String] {
        var name = ""
        for index in tokens.indices.dropLast() {
            name += tokens[index]
            guard index.isMultiple(of: 2) ? tokens[index].utf8.first?.isLetter == true : tokens[index] == "." else {
                return tokens
            }
            if tokens[index + 1] == ".", resolved(.canonical(name, []), in: model) == type.unwrapped {
                return Array(tokens[(index + 1)...])
            }
        }
        return tokens
    }

    /// Whether the tokens are a value without arguments: `[]`, `[String]()`, `Options()` or `.init()`.
    private func isInitial(_ tokens: [String], of type: TypeShape, in model: Model) -> Bool {
        guard tokens.last == "]" || tokens.suffix(2) == ["(", ")"] else { return false }
        if tokens == ["[", "]"] || tokens == ["[", ":", "]"] || tokens == [".", "init", "(", ")"] { return true }
        let called = tokens.dropLast(2)
        if called.first == "[" { return called.last == "]" && called.count { $0 == "[" } == 1 }
        return resolved(.canonical(called.joined(), []), in: model).name == type.unwrapped.name && called.count > 0
    }

    /// Returns the superclass of a class, resolved; nil if it has none, or it is unknown which of the names is one.
    func superclass(of model: Model) -> (shape: TypeShape, text: String)? {
        guard model.isClass, let first = model.inherited.first else { return nil }
        guard model.language == .objectiveC || classes.contains(first) else { return nil }
        return (resolved(.named(first), in: model), first)
    }
}

/// The aliases with one name. Different modules may give it to different types.
///
/// An alias holds in its whole module. Which files are a module is not known, but they share a directory, so the aliases
/// in the innermost directory around a file count.
private struct AliasTable {
    /// The alias in each file, and in each directory with all below it; nil if the aliases in a directory differ.
    private var aliases: [Substring: TypeAlias?] = [:]

    mutating func add(_ alias: TypeAlias) {
        // The alternatives of a condition declare the same type; the first one stands for all.
        guard aliases[alias.file[...]] == nil else { return }
        for place in Self.places(around: alias.file) {
            if let known = aliases[place] {
                if known?.shape != alias.shape { aliases[place] = .some(nil) }
            } else {
                aliases[place] = alias
            }
        }
    }

    /// Returns the alias that a file means; nil if it is unknown.
    func alias(in file: String) -> TypeAlias? {
        for place in Self.places(around: file) {
            if let found = aliases[place] { return found }
        }
        return nil
    }

    /// A file and the directories around it, from the innermost one.
    private static func places(around file: String) -> [Substring] {
        var places = [file[...]]
        while let slash = places[places.count - 1].utf8.lastIndex(of: UInt8(ascii: "/")) {
            places.append(file[..<slash])
        }
        // Paths need not have a directory in common.
        return places.last == "" ? places : places + [""]
    }
}

extension TypeShape {
    fileprivate var name: String? {
        if case .named(let name, _) = self { name } else { nil }
    }

    /// The type without optionals around it.
    var unwrapped: TypeShape {
        switch self {
        case .optional(let type), .unspecified(let type): type.unwrapped
        default: self
        }
    }
}
