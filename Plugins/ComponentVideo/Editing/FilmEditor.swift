import ComponentKit
import Dispatch
import NXKit

/// Edits films of the library, one after the other, on a thread of its own. The films that are edited are kept.
final class FilmEditor: Sendable {
    /// What tells whether a file is still the one that an edit has made.
    private struct Stamp: Hashable {
        var size: UInt64
        var modified: Duration
    }

    private struct State {
        var controls: [Int: EditControl] = [:]
        var lastNumber = 0
        var isEnded = false
        /// The films that edits have made, by the bytes of their names.
        var results: [[UInt8]: Stamp] = [:]
    }

    private let library: FilmLibrary
    // A serial queue, because concurrent ones take threads from Swift's cooperative thread pool.
    private let queue = DispatchQueue(label: "films.edit")
    private let state = Lock(State())

    /// The most edits that run or wait.
    static let mostEdits = 20

    init(_ library: FilmLibrary) { self.library = library }

    /// Makes a new film in the library. May be called from any thread.
    ///
    /// When the task is cancelled, the edit ends soon, and nothing is left of the new film.
    ///
    /// - Parameters:
    ///   - edit: What is done with which films.
    ///   - report: Is called with how much is done, from 0 to 1, on a thread of the editor.
    /// - Returns: The name of the new film.
    /// - Throws: `LinkError` if the edit makes no sense, if a film cannot be edited, if there are too many edits or films,
    ///   or if the new film cannot be written; `CancellationError`, also when the component stops.
    func perform(_ edit: FilmEdit, report: @escaping @Sendable (Double) -> Void = { _ in }) async throws -> String {
        try edit.check()
        let control = EditControl(report)
        let number = try begin(control)
        defer { state.withLock { _ = $0.controls.removeValue(forKey: number) } }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: Result { try self.make(edit, control) }) }
            }
        } onCancel: {
            control.cancel()
        }
        return try result.get()
    }

    private func begin(_ control: EditControl) throws -> Int {
        let number = try state.withLock { state throws(CancellationError) -> Int? in
            if state.isEnded { throw CancellationError() }
            guard state.controls.count < FilmEditor.mostEdits else { return nil }
            state.lastNumber += 1
            state.controls[state.lastNumber] = control
            return state.lastNumber
        }
        guard let number else { throw FilmEditor.refusal(5, "too many films are being edited; try again later") }
        return number
    }

    private func make(_ edit: FilmEdit, _ control: EditControl) throws -> String {
        try control.check()
        let folder = try library.place()
        guard try library.names(in: folder).count < FilmShelf.mostFiles else {
            throw FilmEditor.refusal(5, "the library is full: it has \(FilmShelf.mostFiles) files")
        }
        do {
            let name = try edit.make(in: folder, control: control)
            if let stamp = stamp(of: name, in: folder) { state.withLock { $0.results[Array(name.utf8)] = stamp } }
            return name
        } catch let error as FileError {
            throw FilmEditor.refusal(4, "the new film: \(error.reason)")
        }
    }

    private func stamp(of name: String, in folder: String) -> Stamp? {
        guard let file = try? FileBytes(path: "\(folder)/\(name)", followingLinks: false) else { return nil }
        return Stamp(size: file.size, modified: file.modified)
    }

    /// Deletes a film that an edit has made since the component was loaded, which undoes the edit. Blocks.
    ///
    /// - Throws: `LinkError` if no edit has made it, or if it has been changed since.
    func remove(_ name: String) throws {
        let folder = try library.place()
        guard let stamp = state.withLock({ $0.results.removeValue(forKey: Array(name.utf8)) }) else {
            throw FilmEditor.refusal(6, "no edit has made this film")
        }
        guard stamp == self.stamp(of: name, in: folder) else {
            throw FilmEditor.refusal(6, "the film has been changed since it was made")
        }
        try NewFilm.remove(name, in: folder)
    }

    /// Ends all edits.
    func end() {
        let controls = state.withLock { state in
            state.isEnded = true
            return Array(state.controls.values)
        }
        for control in controls { control.cancel() }
    }

    private static func refusal(_ number: Int32, _ message: String) -> LinkError {
        LinkError(domain: "ComponentVideo", number: number, message: message)
    }
}
