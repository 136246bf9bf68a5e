import ComponentKit
import PageKit

/// What a form shows: the state that a presenter hands to its view.
struct FormState: Hashable, Sendable {
    /// What is done with the values.
    var submit: Action
    /// What was refused; nil in an empty form.
    var refused: RefusedInput?

    /// - Parameters:
    ///   - selector: the selector that takes the values, and the place of the form as `place`.
    ///   - place: where the form is.
    ///   - refused: what was refused there.
    init(_ selector: String, at place: PageContext, refused: RefusedInput?) {
        submit = .call(selector, ["place": place.payload])
        self.refused = refused
    }

    /// Returns a field with what a person has written in it, and with what is wrong with that.
    func field(_ name: String, _ label: String, _ kind: FieldKind) -> Field {
        var text = refused?.values[name]
        if case .lines = kind {} else { text = text?.oneLine }
        return Field(name, label, kind, value: text.map(Payload.string) ?? .null)
            .problem(refused?.field == name ? refused?.reason : nil)
    }
}

/// What a person has written in a form, and why the model refuses it.
struct RefusedInput: Hashable, Sendable {
    /// The texts by the names of the fields.
    var values: [String: String]
    /// The field that is wrong.
    var field: String
    /// What is wrong with it.
    var reason: String

    /// - Parameters:
    ///   - written: the texts by the names of the fields. Those that no field takes are left out, because nothing could
    ///     show them.
    ///   - field: the field that is wrong.
    ///   - reason: what is wrong with it.
    init(_ written: [String: String?], field: String, reason: String) {
        values = written.compactMapValues(\.self).filter { _, text in
            text.utf8.count <= 4096
                && text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
        }
        self.field = field
        self.reason = reason
    }
}

/// The input that a form has refused last, until it is taken, or its page has no reader any more.
///
/// Only one is kept: people fill in one form at a time, and callers could fill the memory with more.
final class RefusedInputs: Sendable {
    private struct Kept {
        let page: String
        let section: String
        let owner: String
        let input: RefusedInput
    }
    private let last = Lock<Kept?>(nil)

    /// Keeps an input.
    ///
    /// - Parameters:
    ///   - place: where the form is.
    ///   - owner: whose data it was for; nobody else sees it.
    func keep(_ input: RefusedInput, at place: PageContext, for owner: Owner) {
        last.withLock { $0 = Kept(page: place.page, section: place.section, owner: owner.key, input: input) }
    }

    /// Returns the input that was refused in a form.
    func input(at place: PageContext, for owner: Owner) -> RefusedInput? {
        last.withLock { kept in
            guard let kept, (kept.page, kept.section, kept.owner) == (place.page, place.section, owner.key) else {
                return nil
            }
            return kept.input
        }
    }

    /// Forgets the input, because another one was taken.
    func forget() { last.withLock { $0 = nil } }

    /// Forgets the input if its form is on this page, because the last reader has left it.
    func forget(page: String) {
        last.withLock { kept in
            if kept?.page == page { kept = nil }
        }
    }
}
