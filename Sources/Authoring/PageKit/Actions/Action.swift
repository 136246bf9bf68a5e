public import ComponentKit

/// What happens when a person chooses a view.
///
/// ```swift
/// .action(.open("studio://owner/address/\(address.id)"))
/// .side(.call("delete", ["id": id], title: "Delete", confirm: "Delete \(address.label)?", role: .destructive))
/// ```
@Model public struct Action: Hashable, Sendable {
    /// What is done.
    public var effect: ActionEffect
    /// What to call the action where there is no other text for it, such as beside a row.
    public var title: String?
    /// What to ask before it is done; nil to do it at once.
    public var confirmation: String?
    /// How many parts of a long list the module is to show when it is asked again, at least 2; nil for an action that
    /// changes nothing about that. See ``PageContext/more(title:)``.
    public var parts: Int?
    /// How much attention the action asks for; one that is destructive looks so, also where its question is asked.
    public var role: ButtonRole = .normal

    private init(
        _ effect: ActionEffect, title: String?, confirmation: String?, parts: Int? = nil, role: ButtonRole = .normal
    ) {
        self.effect = effect
        self.title = title
        self.confirmation = confirmation
        self.parts = parts
        self.role = role
    }

    /// Opens a route of the host.
    ///
    /// - Parameters:
    ///   - url: the URL, as for `link.open`.
    ///   - title: what to call the action where there is no other text for it.
    ///   - confirm: what to ask before.
    ///   - role: how much attention the action asks for.
    public static func open(
        _ url: String, title: String? = nil, confirm: String? = nil, role: ButtonRole = .normal
    ) -> Action {
        Action(.open(url: url), title: title, confirmation: confirm, role: role)
    }

    /// Calls a selector of the module that the view belongs to, and asks the module for its view again.
    ///
    /// - Parameters:
    ///   - selector: the name of the selector.
    ///   - parameters: the payload of the call, by the names of the parameters. The values of a ``Form`` are added to it.
    ///   - title: what to call the action where there is no other text for it.
    ///   - confirm: what to ask before.
    ///   - role: how much attention the action asks for.
    public static func call(
        _ selector: String, _ parameters: [String: Payload] = [:], title: String? = nil, confirm: String? = nil,
        role: ButtonRole = .normal
    ) -> Action {
        Action(.call(selector: selector, parameters: parameters), title: title, confirmation: confirm, role: role)
    }

    /// Shows another page.
    ///
    /// ```swift
    /// Row(address.label).action(.show(page: "address", ["id": address.id.payload]))
    /// ```
    ///
    /// - Parameters:
    ///   - page: the name of the page, or its id.
    ///   - values: the values that the page takes, as for ``PageAddress``.
    ///   - title: what to call the action where there is no other text for it.
    public static func show(page: String, _ values: [String: Payload] = [:], title: String? = nil) -> Action {
        let id = values.isEmpty ? page : PageAddress(name: page, values: values).id
        return Action(.show(page: id), title: title, confirmation: nil)
    }

    /// Asks the module for its view again.
    ///
    /// - Parameter title: what to call the action where there is no other text for it.
    public static func refresh(title: String? = nil) -> Action {
        Action(.refresh, title: title, confirmation: nil)
    }

    static func more(parts: Int, title: String?) -> Action {
        Action(.refresh, title: title, confirmation: nil, parts: parts)
    }
}

/// The effect of an ``Action``.
@Model public indirect enum ActionEffect: Hashable, Sendable {
    /// Opens a route of the host.
    case open(url: String)
    /// Calls a selector of the module that the view belongs to.
    case call(selector: String, parameters: [String: Payload])
    /// Shows another page: its id, with values if it takes any; see ``PageAddress``.
    case show(page: String)
    /// Asks the module for its view again.
    case refresh
}
