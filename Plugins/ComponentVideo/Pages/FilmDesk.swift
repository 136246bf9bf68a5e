import ComponentKit

/// A page in a session, where a person looks at a film.
struct FilmPlace: Hashable, Sendable {
    var session: Session?
    var page: String
}

/// The edits that people have begun on pages: the last one of each page in each session.
final class FilmDesk: Sendable {
    /// How an edit is going.
    enum Status: Hashable, Sendable {
        /// So much is done, from 0 to 1.
        case running(Double)
        /// The new film has this name.
        case made(String)
        /// The new film had this name, and has been deleted.
        case undone(String)
        case cancelled
        case failed(String)
    }

    private struct Job {
        let number: Int
        var status: Status
        var task: Task<Void, Never>?
    }

    private struct State {
        var jobs: [FilmPlace: Job] = [:]
        var lastNumber = 0
    }

    private let editor: FilmEditor
    private let state = Lock(State())

    /// The most pages whose last edit is kept; then those that have ended are forgotten.
    private static let mostPages = 1000
    /// How long a person waits before the page says that the edit goes on, in hundredths of a second.
    private static let patience = 25

    init(_ editor: FilmEditor) { self.editor = editor }

    /// How the last edit on a page is going; nil if there is none.
    func status(at place: FilmPlace) -> Status? { state.withLock { $0.jobs[place]?.status } }

    /// Begins an edit. Returns once it has ended, or after a moment.
    ///
    /// - Parameters:
    ///   - edit: What is done with which film.
    ///   - place: Where it was asked for.
    ///   - changed: Is called when its status has changed, on any thread and in any session.
    /// - Throws: `LinkError` if the edit makes no sense, or if another one is running on the page.
    func begin(_ edit: FilmEdit, at place: FilmPlace, changed: @escaping @Sendable () -> Void) async throws {
        try edit.check()
        let number = try state.withLock { state throws(LinkError) in
            if case .running? = state.jobs[place]?.status {
                throw LinkError(
                    domain: "ComponentVideo", number: 5, message: "a film is being edited on this page already")
            }
            if state.jobs.count >= FilmDesk.mostPages {
                state.jobs = state.jobs.filter { if case .running = $0.value.status { true } else { false } }
            }
            state.lastNumber += 1
            state.jobs[place] = Job(number: state.lastNumber, status: .running(0))
            return state.lastNumber
        }
        let task = Task {
            let status: Status
            do {
                status = .made(
                    try await editor.perform(edit) { done in
                        self.note(.running(done), of: number, at: place)
                        changed()
                    })
            } catch is CancellationError {
                status = .cancelled
            } catch {
                status = .failed(LinkError(thrown: error).message)
            }
            note(status, of: number, at: place)
            changed()
        }
        state.withLock { state in
            if state.jobs[place]?.number == number { state.jobs[place]?.task = task }
        }
        for _ in 0..<FilmDesk.patience {
            guard case .running? = status(at: place) else { return }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Ends the edit that is running on a page, if there is one.
    func cancel(at place: FilmPlace) {
        let task = state.withLock { $0.jobs[place]?.task }
        task?.cancel()
    }

    /// Deletes the film that the last edit on a page has made. Blocks.
    ///
    /// - Returns: The name of the film.
    /// - Throws: `LinkError` if it has made none, or if the film has been changed since.
    func undo(at place: FilmPlace) throws -> String {
        guard case .made(let name)? = status(at: place) else {
            throw LinkError(domain: "ComponentVideo", number: 6, message: "there is nothing to undo on this page")
        }
        try editor.remove(name)
        state.withLock { $0.jobs[place]?.status = .undone(name) }
        return name
    }

    /// Notes how an edit is going, unless another one has begun on the page.
    private func note(_ status: Status, of number: Int, at place: FilmPlace) {
        state.withLock { state in
            if state.jobs[place]?.number == number { state.jobs[place]?.status = status }
        }
    }
}
