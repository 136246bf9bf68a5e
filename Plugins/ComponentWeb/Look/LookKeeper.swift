import ComponentKit
import NXUIContract

/// The look that pages have: that of the component with the service `UIService`, or our own if there is none, if it does
/// not answer, or if what it answers is refused.
///
/// It is asked for once, and again when components come or go.
final class LookKeeper: Sendable {
    private struct State {
        var look: WebLook?
        /// The question, while it is being asked.
        var asking: Task<Void, Never>?
        /// When it is to be asked; nil for not before components come or go.
        var due: ContinuousClock.Instant? = .now
        /// How long it was left alone after it had last not been answered; nil if it has been answered since.
        var rest: Duration?
        /// What was wrong last. It is logged once.
        var problem: String?
    }

    private let link: Link
    private let state = Lock(State())

    /// How long pages wait for the look.
    private static let patience = Duration.seconds(2)
    /// After what time a component is asked again that has not answered, and the longest such time: a thread may hang in
    /// each question.
    private static let rest = Duration.seconds(5)
    private static let longestRest = Duration.seconds(600)

    init(_ link: Link) { self.link = link }

    /// The look as it is known; nil for our own.
    var current: WebLook? { state.withLock { $0.look } }

    /// Asks for the look if it is not known, and waits for the answer.
    func update() async {
        let waiting = state.withLock { state -> Task<Void, Never>? in
            if state.asking == nil, let due = state.due, due <= .now {
                state.due = nil
                // It is for all sessions, whoever asks first.
                state.asking = Session.with(nil) { Task { await ask() } }
            }
            // Nobody waits again for one that has not answered in time.
            return state.rest == nil ? state.asking : nil
        }
        await waiting?.value
    }

    /// Asks again the next time.
    func componentsChanged() {
        state.withLock { state in
            state.due = .now
            state.rest = nil
        }
    }

    private func ask() async {
        var look: WebLook?
        var problem: String?
        var isLate = false
        do throws(LinkError) {
            (look, problem) = try await answer()
        } catch {
            problem = error.code == .classNotFound ? nil : error.message
            isLate = error.code == .deadlineExceeded || error.code == .stuck
        }
        let news = state.withLock { [look, problem, isLate] state -> String? in
            state.look = look
            state.asking = nil
            if isLate {
                let rest = min(state.rest.map { $0 * 2 } ?? LookKeeper.rest, LookKeeper.longestRest)
                state.rest = rest
                // Components may have changed meanwhile.
                if state.due == nil { state.due = .now + rest }
            } else {
                state.rest = nil
            }
            defer { state.problem = problem }
            return problem == state.problem ? nil : problem
        }
        if let news { link.log(.warning, "the look of pages is our own: \(news)") }
    }

    /// Asks the component.
    ///
    /// - Returns: The look, or what is wrong with it.
    private func answer() async throws(LinkError) -> (look: WebLook?, problem: String?) {
        let service = UIServiceClient.__service.name
        let found = try await link.call("hslink.Services", "find", ["service": .string(service)], kind: .class)
        let (name, component): (String, String)
        do {
            (name, component) = (try found.string("class"), try found.string("component"))
        } catch {
            throw LinkError(.invalidReply, message: "\(error)")
        }
        // Not by the client, whose calls have no timeout.
        let answer = try await link.call(name, "look", timeout: LookKeeper.patience)
        do {
            return (try WebLook(try answer.value()), nil)
        } catch {
            return (nil, "\(component): \(error)")
        }
    }
}
