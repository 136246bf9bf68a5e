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
/// The values are checked as ``FieldContent/value(of:)`` says before the selector is called with them. The module checks
/// what only it knows, and shows the form again with ``Field/problem(_:)``.
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
}

/// The contents of a ``Form`` apart from its fields.
@Model public struct FormContent: Hashable, Sendable {
    /// The text on the button.
    public var submit: String
    /// The title of the form.
    public var title: String?
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

    /// Marks the field as one that may not stay empty.
    public func required() -> Field { edited { $0.isRequired = true } }

    /// Adds words that help to fill in the field.
    public func help(_ text: String) -> Field { edited { $0.help = text } }

    /// Says what is wrong with the value; nil if nothing is.
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
    /// Whether the field may not stay empty.
    public var isRequired: Bool = false
    /// Words that help to fill in the field.
    public var help: String?
    /// What is wrong with the value; nil if nothing is.
    public var problem: String?
}
