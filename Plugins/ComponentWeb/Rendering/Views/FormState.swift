import PageKit

/// The names of what the forms of pages post.
///
/// A box that is not checked posts nothing, which `PageService` reads as no. What a person has filled in a field is
/// posted under the name of the field with ``fieldPrefix`` in front.
enum FormNames {
    /// The token of the session.
    static let token = "token"
    /// The name of the section that the action belongs to.
    static let section = "section"
    /// The action as JSON.
    static let action = "action"
    /// "yes" if the person has answered the question of the action.
    static let confirmed = "confirmed"
    /// The prefix of the name of a field.
    static let fieldPrefix = "field."
}

/// A form that was refused: what a person has filled in, and what is wrong with it.
struct FormState: Hashable, Sendable {
    /// The section with the form.
    var section: String
    /// The action of the form.
    var action: Action
    /// What was filled in, by the names of fields. Passwords are not shown again.
    var values: [String: String]
    /// The field that is wrong; nil if the reason is about the whole form.
    var field: String?
    /// What is wrong, for the person who has filled in the form.
    var reason: String

    init(section: String, action: Action, values: [String: String], field: String? = nil, reason: String) {
        self.section = section
        self.action = action
        self.values = values
        self.field = field
        self.reason = reason
    }
}
