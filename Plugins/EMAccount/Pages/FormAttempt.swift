import ComponentKit
import PageKit

/// The forms about accounts.
enum AccountForm: Hashable, Sendable {
    case signIn, signUp
}

/// What a form shows: the state that the presenter hands to its view.
struct AccountFormState: Hashable, Sendable {
    /// What is done with the values.
    var submit: Action
    /// What the last attempt has led to; nil in an empty form.
    var attempt: FormAttempt?
}

/// What the form for signing in shows.
struct SignInState: Hashable, Sendable {
    /// The name of the user who is signed in already.
    var user: String?
    var form: AccountFormState
}

/// What an attempt to sign in or up has led to. It contains no password.
struct FormAttempt: Hashable, Sendable {
    /// What a form says about an attempt.
    enum Message: Hashable, Sendable {
        /// Something is wrong, and the form must not say with which field.
        case warning(String)
        /// Something is wrong with a field.
        case problem(field: String, String)
        /// It went well.
        case success(String)
    }

    /// The name that was written; nil if it is not shown again.
    var name: String?
    var message: Message

    /// What is wrong with a field; nil if nothing is.
    func problem(of field: String) -> String? {
        if case .problem(field, let reason) = message { reason } else { nil }
    }
}

/// The last attempt that a form has to say something about, until another one succeeds, or its page has no reader any
/// more.
///
/// Only one is kept: people fill in one form at a time, and callers could fill the memory with more.
final class FormAttempts: Sendable {
    private struct Kept {
        let form: AccountForm
        let page: String
        let section: String
        let attempt: FormAttempt
    }
    private let last = Lock<Kept?>(nil)

    func keep(_ attempt: FormAttempt, _ form: AccountForm, at place: PageContext) {
        last.withLock { $0 = Kept(form: form, page: place.page, section: place.section, attempt: attempt) }
    }

    /// Returns what was attempted in a form.
    func attempt(_ form: AccountForm, at place: PageContext) -> FormAttempt? {
        last.withLock { kept in
            guard let kept, (kept.form, kept.page, kept.section) == (form, place.page, place.section) else {
                return nil
            }
            return kept.attempt
        }
    }

    func forget() { last.withLock { $0 = nil } }

    /// Forgets the attempt if its form is on this page, because the last reader has left it.
    func forget(page: String) {
        last.withLock { kept in
            if kept?.page == page { kept = nil }
        }
    }
}
