/// Compares a copy with the original.
struct ModelComparison {
    private let copy: Model
    private let original: Model
    private let names: TypeNames
    private(set) var differences: [Difference] = []

    private var isBetweenLanguages: Bool { copy.language != original.language }

    init(of copy: Model, with original: Model, names: TypeNames) {
        self.copy = copy
        self.original = original
        self.names = names
        compareDeclarations()
        // Without the same kind, there are no common members.
        guard copy.kind == original.kind else { return }
        compareMembers()
    }

    private var typeMarks: [SourceLocation] {
        (copy.marks + original.marks).filter { $0.meaning == .differs }.map(\.location)
    }

    // MARK: Types

    private mutating func compareDeclarations() {
        guard copy.kind == original.kind else {
            // Swift sees a set of options as a struct.
            guard !isBetweenLanguages || ![copy.kind, original.kind].contains(.options) else { return }
            return report(.declaration, "\(copy.name) is \(copy.title), but \(original.title) in \(place(original))")
        }
        if let some = copy.rawType, let other = original.rawType {
            if !names.resolved(some, in: copy).agrees(with: names.resolved(other, in: original)) {
                report(.rawValue, "\(copy.name) has raw values of \(some), but of \(other) in \(place(original))")
            }
        } else if copy.rawType != nil || original.rawType != nil {
            let (some, other) = (copy.rawType.rawValues, original.rawType.rawValues)
            report(.rawValue, "\(copy.name) has \(some), but \(other) in \(place(original))")
        }
        guard !isBetweenLanguages else { return }
        let (some, other) = (names.superclass(of: copy), names.superclass(of: original))
        if some?.shape != other?.shape {
            let message = "\(copy.name) has \(some.superclass), but \(other.superclass) in \(place(original))"
            report(.superclass, message)
        }
    }

    private mutating func report(_ kind: DriftFinding.Kind, _ message: String) {
        let difference = Difference(
            kind: kind, location: copy.location, originalLocation: original.location, member: nil, message: message,
            marks: typeMarks)
        differences.append(difference)
    }

    /// The name of the original and where it is.
    private func place(_ model: Model) -> String { "\(model.name) (\(model.location))" }

    private func place(_ member: Member) -> String { "\(original.name) (\(member.location))" }

    // MARK: Members

    private mutating func compareMembers() {
        let pairs = MemberPairs(copy.members, original.members)
        for index in pairs.missing {
            let member = original.members[index]
            let marks = member.differing + copy.allowing(missing: member)
            add(
                .missing, at: copy.location, member: member, other: member.location,
                message: "\(copy.name) lacks \(described(member)), which \(original.name) has (\(member.location))",
                marks: marks)
        }
        for index in pairs.extra {
            let member = copy.members[index]
            let marks = member.differing + original.allowing(missing: member)
            add(
                .extra, at: member.location, member: member, other: original.location,
                message: "\(copy.name).\(member.name) is not in \(place(original))", marks: marks)
        }
        for (first, second) in pairs.common { compare(copy.members[first], original.members[second]) }
        compareOrder(pairs)
    }

    /// - Parameter other: The same member in the original, or the original type.
    private mutating func add(
        _ kind: DriftFinding.Kind, at location: SourceLocation, member: Member, other: SourceLocation, message: String,
        marks: [SourceLocation]
    ) {
        let difference = Difference(
            kind: kind, location: location, originalLocation: other, member: member.name, message: message,
            marks: marks)
        differences.append(difference)
    }

    private func described(_ member: Member) -> String {
        if original.kind != .record { return "case \(member.name)\(member.type.text)" }
        return member.type.shape == .unknown ? member.name : "\(member.name): \(member.type.text)"
    }

    private mutating func compare(_ member: Member, _ other: Member) {
        let marks = member.differing + other.differing
        let name = "\(copy.name).\(member.name)"
        let (type, otherType) = (shape(member, copy), shape(other, original))
        if !type.agrees(with: otherType) {
            let (text, otherText) = (written(member), written(other))
            // Two names can look alike where they mean different types.
            let ending = text == otherText ? ", which is another type there" : ""
            add(
                .type, at: member.location, member: member, other: other.location,
                message: "\(name) is \(text), but \(otherText) in \(place(other))\(ending)", marks: marks)
        }
        if copy.kind != .record {
            // If only one type has raw values, that is one difference of the types.
            let areComparable = (copy.rawType == nil) == (original.rawType == nil)
            if areComparable, differ(member.value, other.value, type: type, otherType: otherType) {
                let text = "\(name) has \(member.value.rawValue), but \(other.value.short) in \(place(other))"
                add(.rawValue, at: member.location, member: member, other: other.location, message: text, marks: marks)
            }
        } else if !isBetweenLanguages, differ(member.value, other.value, type: type, otherType: otherType) {
            let text = "\(name) has \(member.value.defaultValue), but \(other.value.short) in \(place(other))"
            add(.defaultValue, at: member.location, member: member, other: other.location, message: text, marks: marks)
        }
        if !isBetweenLanguages, member.name == other.name, member.key != other.key {
            let text = "\(name) is \(member.encoding), but \(other.encoding) in \(place(other))"
            add(.key, at: member.location, member: member, other: other.location, message: text, marks: marks)
        }
    }

    private func shape(_ member: Member, _ model: Model) -> TypeShape {
        var shape = names.resolved(member.type.shape, in: model)
        while member.isNonnull, case .unspecified(let pointer) = shape { shape = pointer }
        return isBetweenLanguages ? shape.bridged : shape
    }

    /// The type as written; of a case, the whole case.
    private func written(_ member: Member) -> String {
        copy.kind == .record ? member.type.text : "case \(member.name)\(member.type.text)"
    }

    private func differ(_ some: Member.Value, _ other: Member.Value, type: TypeShape, otherType: TypeShape) -> Bool {
        if case .unknown = some { return false }
        if case .unknown = other { return false }
        // The same text for different types is told as a difference of the types.
        if some.tokens == other.tokens { return false }
        let tokens = some.tokens.map { names.resolved($0, of: type, in: copy) }
        let otherTokens = other.tokens.map { names.resolved($0, of: otherType, in: original) }
        // An optional variable is nil from the start.
        let none: [[String]?] = [nil, ["nil"]]
        return tokens != otherTokens && !(none.contains(tokens) && none.contains(otherTokens))
    }

    private mutating func compareOrder(_ pairs: MemberPairs) {
        let seconds = pairs.common.map(\.1).sorted()
        let previous = Dictionary(zip(seconds.dropFirst(), seconds)) { first, _ in first }
        for position in pairs.moved {
            let (first, second) = pairs.common[position]
            let (member, other) = (copy.members[first], original.members[second])
            let before = position > 0 ? copy.members[pairs.common[position - 1].0].name : nil
            let otherBefore = previous[second].map { original.members[$0].name }
            let text = "\(copy.name).\(member.name) comes \(before.place), but \(otherBefore.place) in \(place(other))"
            add(
                .order, at: member.location, member: member, other: other.location, message: text,
                marks: member.differing + other.differing)
        }
    }
}

extension Member {
    fileprivate var differing: [SourceLocation] { marks.filter { $0.meaning == .differs }.map(\.location) }

    fileprivate var encoding: String { key.map { "encoded as \"\($0)\"" } ?? "not encoded" }
}

extension Model {
    /// The marks that allow this type to lack a member.
    fileprivate func allowing(missing member: Member) -> [SourceLocation] {
        marks.filter { mark in
            guard case .without(let names) = mark.meaning else { return false }
            return names.contains(member.name) || member.alias.map(names.contains) == true
        }.map(\.location)
    }
}

extension Member.Value {
    fileprivate var tokens: [String]? {
        if case .tokens(let tokens, _) = self { tokens } else { nil }
    }

    private var shown: String? {
        if case .tokens(_, let text) = self { text } else { nil }
    }

    fileprivate var defaultValue: String { shown.map { "the default \($0)" } ?? "no default" }

    fileprivate var short: String { shown ?? "none" }

    fileprivate var rawValue: String { shown.map { "the raw value \($0)" } ?? "no raw value" }
}

extension TypeShape? {
    fileprivate var rawValues: String { map { "raw values of \($0)" } ?? "no raw values" }
}

extension (shape: TypeShape, text: String)? {
    fileprivate var superclass: String { map { "the superclass \($0.text)" } ?? "no superclass" }
}

extension String? {
    fileprivate var place: String { map { "after \($0)" } ?? "first" }
}
