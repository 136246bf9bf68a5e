public import ComponentKit

/// Fields that a person fills in, and what is done with them.
///
/// ```swift
/// Form("Sign in", .call("signIn")) {
///     Field("name", "Name", .text(longest: 80)).required()
///     Field("password", "Password", .password).required()
/// }
/// ```
///
/// The values are checked as ``FieldContent/value(of:)`` says before the selector is called with them. The selector
/// checks what only it knows, and throws ``PageError/invalidValue(field:reason:)``: the person who has filled in the
/// form reads the reason at the field.
public struct Form: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - submit: the text on the button.
    ///   - action: the action for the values, which are added to its parameters by the names of the fields.
    ///   - title: the title of the form.
    ///   - fields: the fields, of type ``Field``, and other views between them.
    public init(
        _ submit: String, _ action: Action, title: String? = nil, @ViewBuilder fields: () throws -> [ViewNode]
    ) rethrows {
        node = ViewNode(.form(FormContent(submit: submit, title: title)), try fields())
        node.action = action
    }

    /// Sends the form as soon as a person changes a choice in it, in a browser with scripts. Only for choices of what to
    /// show: who uses the keyboard changes a choice step by step. The button is there for everybody else.
    public func submittedOnChange() -> Form {
        changed { node in
            guard case .form(var content) = node.content else { return }
            content.isSubmittedOnChange = true
            node.content = .form(content)
        }
    }
}

/// The contents of a ``Form`` apart from its fields.
@Model public struct FormContent: Hashable, Sendable {
    /// The text on the button.
    public var submit: String
    /// The title of the form.
    public var title: String?
    /// Whether it is sent when a choice in it is changed: see ``Form/submittedOnChange()``.
    public var isSubmittedOnChange: Bool = false
}

/// A field of a ``Form``.
public struct Field: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - name: the name of its value among the parameters of the call.
    ///   - label: what to fill in.
    ///   - kind: which values are possible.
    ///   - value: the initial value.
    public init(_ name: String, _ label: String, _ kind: FieldKind, value: Payload = .null) {
        node = ViewNode(.field(FieldContent(name: name, label: label, kind: kind, value: value)))
        node.key = name
    }

    /// Marks the field as one that may not stay empty; the box of a toggle must be ticked.
    public func required() -> Field { edited { $0.isRequired = true } }

    /// Adds words that help to fill in the field.
    public func help(_ text: String) -> Field { edited { $0.help = text } }

    /// Says what is wrong with the value that the module shows, such as a stored one; nil if nothing is. What a person
    /// has just filled in is refused with ``PageError/invalidValue(field:reason:)``, since all readers in a session see
    /// the same view.
    public func problem(_ text: String?) -> Field { edited { $0.problem = text } }

    private func edited(_ edit: (inout FieldContent) -> Void) -> Field {
        changed { node in
            guard case .field(var content) = node.content else { return }
            edit(&content)
            node.content = .field(content)
        }
    }
}

/// Which values a ``Field`` takes.
@Model public enum FieldKind: Hashable, Sendable {
    /// A line of text of up to so many characters.
    case text(longest: Int)
    /// Text of several lines, of up to so many characters.
    case lines(longest: Int)
    /// A text that is not shown.
    case password
    /// An address for e-mail.
    case email
    /// An integer in a range.
    case integer(least: Int, most: Int)
    /// A number in a range.
    case number(least: Double, most: Double)
    /// Yes or no.
    case toggle
    /// A day, as `2026-11-23`.
    case date
    /// One of these.
    case choice([FieldChoice])

    /// A line of text of up to 200 characters.
    public static var text: FieldKind { .text(longest: 200) }
}

/// Something to choose from in a ``Field``.
@Model public struct FieldChoice: Hashable, Sendable {
    /// The value that the call receives.
    public var value: String
    /// What people read.
    public var title: String
}

/// The content of a ``Field``.
@Model public struct FieldContent: Hashable, Sendable {
    /// The name of its value among the parameters of the call.
    public var name: String
    /// What to fill in.
    public var label: String
    /// Which values are possible.
    public var kind: FieldKind
    /// The initial value.
    public var value: Payload = .null
    /// Whether the field may not stay empty, and the box of a toggle must be ticked.
    public var isRequired: Bool = false
    /// Words that help to fill in the field.
    public var help: String?
    /// What is wrong with the value; nil if nothing is.
    public var problem: String?
}

extension FieldContent {
    /// Why a value does not fit a field.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// What was expected, for the person who fills in the form.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    /// Reads what a person has filled in.
    ///
    /// - Parameter text: the text of the field; "on" and "true" are yes for a toggle, everything else is no, which a
    ///   required one does not take.
    /// - Returns: A text for texts, passwords, addresses, days and choices, an integer, a number or a truth value; null
    ///   for an empty field that may stay empty.
    /// - Throws: ``Problem`` with what was expected.
    public func value(of text: String) throws(Problem) -> Payload {
        var text = text
        // Browsers end the lines of a form as HTTP does.
        if case .lines = kind {
            text = String(text.flatMap { $0 == "\r\n" || $0 == "\r" ? "\n" : String($0) })
        }
        guard text.firstControl(lines: true) == nil else {
            throw Problem("Write no control characters.")
        }
        if case .toggle = kind {
            let isTicked = text == "on" || text == "true"
            if isRequired, !isTicked { throw Problem("Tick this box.") }
            return .bool(isTicked)
        }
        guard !text.isEmpty else {
            if isRequired { throw Problem("Fill in this field.") }
            return .null
        }
        switch kind {
        case .text(let longest):
            if text.contains(where: \.isNewline) { throw Problem("Write one line only.") }
            // No view may have one here, so a form could not show it again.
            if text.firstControl(lines: false) != nil { throw Problem("Write spaces in place of tabs.") }
            try check(text, longest)
        case .lines(let longest): try check(text, longest)
        case .password: try check(text, FieldContent.longestPassword)
        case .email:
            try check(text, FieldContent.longestAddress)
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            let isAddress =
                parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(where: \.isWhitespace)
            guard isAddress else { throw Problem("Write an address such as name@example.com.") }
        case .integer(let least, let most):
            guard let number = Int(text), number >= least, number <= most else {
                throw Problem("Write a whole number from \(least) to \(most).")
            }
            return Payload(number)
        case .number(let least, let most):
            // Swift reads hexadecimal numbers, too.
            let isDecimal = text.allSatisfy("0123456789.-+eE".contains)
            guard isDecimal, let number = Double(text), number.isFinite, number >= least, number <= most else {
                throw Problem("Write a number from \(least) to \(most).")
            }
            return .double(number)
        case .toggle: break
        case .date: guard CalendarDay(text) != nil else { throw Problem("Write a day such as 2026-11-23.") }
        case .choice(let choices):
            guard choices.contains(where: { $0.value == text }) else { throw Problem("Choose one from the list.") }
        }
        return .string(text)
    }

    /// The text that is in the field first, as ``value(of:)`` reads it; nil for nothing.
    public var writtenValue: String? {
        switch value.kind {
        case .string: try? value.string()
        case .bool: (try? value.bool()).map { $0 ? "on" : "off" }
        case .int, .uint: (try? value.int()).map { "\($0)" }
        case .double: (try? value.double()).map(\.writtenText)
        default: nil
        }
    }

    /// The length of the longest password, in characters.
    public static let longestPassword = 1024
    /// The length of the longest address for e-mail, in characters, as RFC 5321, section 4.5.3.1 allows.
    public static let longestAddress = 254

    private func check(_ text: String, _ longest: Int) throws(Problem) {
        if text.count > longest { throw Problem("Write at most \(longest) characters.") }
    }
}

/// A day of the Gregorian calendar, as ISO 8601 writes it.
private struct CalendarDay {
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == 3, (1...12).contains(numbers[1]) else { return nil }
        let (year, month) = (numbers[0], numbers[1])
        let isLeap = (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        guard (1...days).contains(numbers[2]) else { return nil }
    }
}
