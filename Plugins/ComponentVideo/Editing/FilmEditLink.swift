import ComponentKit
import ComponentVideoContract

/// Edits films of the library without encoding anything anew. Each method makes a new film and keeps the others.
@LinkClass("FilmEditLink", provides: (any FilmEditService).self)
final class FilmEditLink: FilmEditService {
    private let library: FilmLibrary
    private let editor: FilmEditor

    init(_ context: ComponentContext) throws {
        library = FilmLibrary(context: context)
        editor = try ComponentVideo.editor(context)
    }

    func cut(
        name: String, from: Double, to: Double?, progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm {
        try await perform(.cut(name, from: from, to: to), progress)
    }

    func join(
        names: [String], progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm {
        try await perform(.join(names), progress)
    }

    func rotate(
        name: String, degrees: Int, progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm {
        try await perform(.rotate(name, degrees: degrees), progress)
    }

    func extract(
        name: String, track: UInt32, progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm {
        try await perform(.extract(name, track: track), progress)
    }

    func remove(name: String) throws { try editor.remove(name) }

    private func perform(
        _ edit: FilmEdit, _ progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm {
        // The editor does not wait for callers: one that is slow misses steps.
        let (steps, source) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
        return try await withThrowingTaskGroup(of: String.self) { edits in
            edits.addTask { [editor] in
                defer { source.finish() }
                return try await editor.perform(edit) { source.yield($0) }
            }
            do {
                for await step in steps { try await progress?(step) }
                try Task.checkCancellation()
            } catch {
                edits.cancelAll()
                // That may come too late, and nobody learns the name of the film.
                if let made = try? await edits.next() { try? editor.remove(made) }
                throw error
            }
            guard let made = try await edits.next() else { throw CancellationError() }
            return EditedFilm(name: made, film: VideoInfo(try library.film(named: made)))
        }
    }
}
