import ComponentKit
import PageKit

/// A field of a form for the parameter of a method.
struct CallField: Hashable, Sendable {
    /// How what is filled in becomes the value of the parameter.
    enum Reading: Hashable, Sendable {
        /// It is the value.
        case plain
        /// It is "true" or "false".
        case boolean
        /// It is the decimal form of an integer.
        case integer
        /// It is the decimal form of an integer of 64 bits without a sign, half of which a field for integers cannot have.
        case unsigned
        /// It is a time in RFC 3339, or a day.
        case time
        /// It is JSON.
        case json
    }

    var name: String
    var kind: FieldKind
    var reading: Reading
    var isRequired: Bool
    /// Whether what is filled in is never shown again.
    let isHidden: Bool
    /// The initial value.
    var initial: Payload = .null
    var help: String

    /// The longest text, in characters.
    static let longestText = 10_000
    /// The longest JSON, in characters.
    static let longestJSON = 100_000
    /// The most cases of an enum to choose from.
    private static let mostChoices = 500

    /// - Parameters:
    ///   - parameter: the parameter.
    ///   - models: the models that its type may name.
    init(_ parameter: DeclaredField, _ models: CallModels) {
        let type = ParameterType(parameter.type)
        let model = models.find(type.name)
        name = parameter.name
        (kind, reading) = CallField.form(of: type, model)
        isRequired = !type.mayBeMissing
        isHidden = models.hidesText(type)
        help = parameter.type.oneLine(300)
        if kind == .toggle {
            if type.standard == "true" { initial = true }
            isRequired = false
        }
        switch reading {
        case .unsigned: help += ". A whole number from 0 to \(UInt64.max)."
        case .time: help += ". A time such as 2026-11-23T10:00:00Z, or a day."
        case .json:
            help += ". As JSON\(CallField.example(of: type, model))."
            // What may be missing stays empty, so that the method's own default is used.
            if isRequired, let skeleton = models.skeleton(of: type) {
                initial =
                    (try? skeleton.json(pretty: true)).map { .string($0.printable(CallField.longestJSON)) } ?? .null
            }
        default: break
        }
    }

    private static func form(of type: ParameterType, _ model: DeclaredModel?) -> (FieldKind, Reading) {
        if let model { return choice(of: model) ?? (.lines(longest: longestJSON), .json) }
        if ["UInt", "UInt64", "uint"].contains(type.name) { return (.text(longest: 20), .unsigned) }
        if let range = integers[type.name] {
            return (.integer(least: range.lowerBound, most: range.upperBound), .plain)
        }
        if type.isHidden { return (.password, .plain) }
        switch type.name {
        case "Bool", "bool":
            // A box that is not checked means no, so it cannot say that nothing was chosen.
            let isPlain = !type.isOptional && [nil, "true", "false"].contains(type.standard)
            return isPlain ? (.toggle, .plain) : (.choice(["true", "false"].map { FieldChoice($0) }), .boolean)
        case "Double", "Float", "double", "float":
            return (.number(least: -Double.greatestFiniteMagnitude, most: .greatestFiniteMagnitude), .plain)
        case "String", "Substring", "string": return (.text(longest: longestText), .plain)
        case "Character": return (.text(longest: 1), .plain)
        case "URL": return (.text(longest: 2000), .plain)
        case "UUID": return (.text(longest: 36), .plain)
        case "Date", "Timestamp", "date": return (.text(longest: 40), .time)
        default: return (.lines(longest: longestJSON), .json)
        }
    }

    static let integers: [String: ClosedRange<Int>] = [
        "Int": .min ... .max, "Int64": .min ... .max, "int": .min ... .max,
        "Int8": Int(Int8.min)...Int(Int8.max), "Int16": Int(Int16.min)...Int(Int16.max),
        "Int32": Int(Int32.min)...Int(Int32.max), "UInt8": 0...Int(UInt8.max), "UInt16": 0...Int(UInt16.max),
        "UInt32": 0...Int(UInt32.max),
    ]

    /// The cases of an enum to choose from; nil if values of the model are not just one of several words or numbers.
    private static func choice(of model: DeclaredModel) -> (FieldKind, Reading)? {
        guard case .cases(let cases, let raw) = model.content, (1...mostChoices).contains(cases.count),
            cases.allSatisfy(\.values.isEmpty)
        else { return nil }
        guard let raw else {
            return choices(cases.map { FieldChoice($0.name) }).map { ($0, .plain) }
        }
        let texts = cases.compactMap { item in
            item.raw.map { FieldChoice(value: $0, title: $0 == item.name ? $0 : "\(item.name) (\($0))") }
        }
        guard texts.count == cases.count else { return nil }
        let type = ParameterType(raw).name
        if type == "String" { return choices(texts).map { ($0, .plain) } }
        guard integers[type] != nil || type.hasPrefix("UInt") else { return nil }
        return choices(texts).map { ($0, .integer) }
    }

    /// Values reach the method as they are, so none of them may have characters that views refuse.
    private static func choices(_ choices: [FieldChoice]) -> FieldKind? {
        guard choices.allSatisfy({ !$0.value.isEmpty && $0.value == $0.value.oneLine(400) }) else { return nil }
        return .choice(choices.map { FieldChoice(value: $0.value, title: $0.title.oneLine()) })
    }

    /// What JSON of a type looks like.
    private static func example(of type: ParameterType, _ model: DeclaredModel?) -> String {
        if let model { return ": \(model.summary.oneLine(500))" }
        return switch type.name {
        case "Data", "bytes", "[UInt8]": #", with the bytes in Base64: {"$bytes": "AAE="}"#
        case "Duration": #", for example {"seconds": 1, "attoseconds": 0}"#
        default: ""
        }
    }

    /// The view of the field.
    var view: Field {
        let field = Field(name, name.oneLine(120), kind, value: initial).help(help)
        return isRequired ? field.required() : field
    }

    /// Reads what has been filled in, after the page has checked it.
    ///
    /// - Parameter written: what the page has read; nil for nothing.
    /// - Throws: `PageError.invalidValue` with the name of the field.
    func value(_ written: Payload?) throws(PageError) -> Payload? {
        guard let written, !written.isNull else {
            guard isRequired else { return nil }
            throw .invalidValue(field: name, reason: "Fill in this field.")
        }
        guard reading != .plain else { return written }
        guard let text = try? written.string() else {
            throw .invalidValue(field: name, reason: "Expected a string, found \(written.kind).")
        }
        switch reading {
        case .plain: return written
        case .boolean: return .bool(text == "true")
        case .integer:
            if let number = Int(text) { return Payload(number) }
            guard let number = UInt64(text) else {
                throw .invalidValue(field: name, reason: "Choose one from the list.")
            }
            return .uint(number)
        case .unsigned:
            guard let number = UInt64(text) else {
                throw .invalidValue(field: name, reason: "Write a whole number from 0 to \(UInt64.max).")
            }
            return .uint(number)
        case .time:
            guard let time = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") else {
                throw .invalidValue(
                    field: name, reason: "Write a time such as 2026-11-23T10:00:00Z, or a day such as 2026-11-23.")
            }
            return .date(time)
        case .json: return try CallField.json(text, of: name)
        }
    }

    /// Reads a JSON text.
    static func json(_ text: String, of field: String) throws(PageError) -> Payload {
        do throws(PayloadError) {
            return try Payload(json: text, limits: PayloadLimits(depth: 32, nodes: 100_000, bytes: 1 << 20))
        } catch {
            throw .invalidValue(
                field: field, reason: "This is not valid JSON: \(error.description.oneLine(300))")
        }
    }
}

extension FieldChoice {
    /// A choice whose value people read.
    fileprivate init(_ value: String) { self.init(value: value, title: value) }
}
