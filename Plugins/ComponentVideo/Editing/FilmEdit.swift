import ComponentKit
import NXKit

/// A change of films of the library, which makes a new film. Nothing is encoded anew.
enum FilmEdit: Hashable, Sendable {
    /// The part between two times in seconds, or up to the end.
    case cut(String, from: Double, to: Double?)
    /// Films one after the other.
    case join([String])
    /// The film turned clockwise, by a multiple of 90 degrees.
    case rotate(String, degrees: Int)
    /// One track only.
    case extract(String, track: UInt32)

    /// The fewest and most films that are joined.
    static let joinable = 2...100

    /// Checks what can be checked without the film.
    ///
    /// - Throws: `LinkError` with the code `payloadMismatch`, naming the parameter.
    func check() throws(LinkError) {
        switch self {
        case .cut(_, let from, let to):
            guard from.isFinite, from >= 0 else {
                throw LinkError(.payloadMismatch, message: "from: expected a time of at least 0 seconds, found \(from)")
            }
            if let to, !(to.isFinite && to > from) {
                throw LinkError(.payloadMismatch, message: "to: expected a time after \(from) seconds, found \(to)")
            }
        case .join(let names):
            guard FilmEdit.joinable.contains(names.count) else {
                let expected = "\(FilmEdit.joinable.lowerBound) to \(FilmEdit.joinable.upperBound) films"
                throw LinkError(.payloadMismatch, message: "names: expected \(expected), found \(names.count)")
            }
        case .rotate(_, let degrees):
            guard degrees.isMultiple(of: 90) else {
                throw LinkError(
                    .payloadMismatch, message: "degrees: expected a multiple of 90, found \(degrees)")
            }
        case .extract: break
        }
    }

    /// The name of the film that the new one is called after, and what is added to it.
    fileprivate var naming: (original: String, word: String) {
        switch self {
        case .cut(let name, _, _): (name, "cut")
        case .join(let names): (names.first ?? "", "joined")
        case .rotate(let name, _): (name, "rotated")
        case .extract(let name, let track): (name, "track \(track)")
        }
    }

    /// Returns a name for the new film, as in "clip cut.mp4", and "clip cut 2.mp4" for the second attempt.
    func newName(attempt: Int) -> String {
        let (original, word) = naming
        let scalars = original.unicodeScalars
        var end = original.utf8.lastIndex(of: UInt8(ascii: ".")) ?? scalars.endIndex
        // A longer one is no ending of a name.
        if original.utf8.distance(from: end, to: original.utf8.endIndex) > 20 { end = scalars.endIndex }
        var name = ""
        // The names of files have at most 255 bytes.
        for scalar in scalars[..<end] where name.utf8.count < 200 { name.unicodeScalars.append(scalar) }
        name += attempt == 1 ? " \(word)" : " \(word) \(attempt)"
        return name + String(scalars[end...])
    }
}

extension FilmEdit {
    /// Makes the new film. Blocks.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder with the films.
    ///   - control: Ends the edit early, and is told how far it has come.
    /// - Returns: The name of the new film.
    /// - Throws: `LinkError` that says which film cannot be edited and why, without the path of the folder; `FileError`
    ///   if the new film cannot be written; `CancellationError`.
    func make(in folder: String, control: EditControl) throws -> String {
        switch self {
        case .cut(let name, let from, let to):
            let plan = try FilmEdit.reading(name) { () throws(FileError) in
                let film = try EditableFilm.read(try FilmEdit.open(name, in: folder)).refined()
                return try FilmPlan(film, part: try film.times(from: from, to: to))
            }
            guard !plan.tracks.isEmpty else { throw FilmEdit.refusal(name, "it shows nothing in this part") }
            return try plan.write(in: folder, control: control, names: newName)
        case .join(let names):
            var plan: FilmPlan?
            for name in names {
                try control.check()
                try FilmEdit.reading(name) { () throws(FileError) in
                    let film = try EditableFilm.read(try FilmEdit.open(name, in: folder))
                    if plan == nil { plan = try FilmPlan(film) } else { try plan?.append(film) }
                }
            }
            guard let plan else { throw FilmEdit.refusal(newName(attempt: 1), "there is nothing to join") }
            return try plan.write(in: folder, control: control, names: newName)
        case .rotate(let name, let degrees):
            let rotation = try FilmEdit.reading(name) { () throws(FileError) in
                let quarters = (degrees / 90 % 4 + 4) % 4
                let rotation = try FilmRotation(try FilmEdit.open(name, in: folder), quarters: quarters)
                // A rotation copies all but the matrices, so it would pass on damage anywhere else.
                _ = try Film.read(try FilmEdit.open(name, in: folder))
                return rotation
            }
            return try rotation.write(in: folder, control: control, names: newName)
        case .extract(let name, let track):
            let plan = try FilmEdit.reading(name) { () throws(FileError) in
                try FilmPlan(try EditableFilm.read(try FilmEdit.open(name, in: folder)), tracks: [track])
            }
            guard !plan.tracks.isEmpty else {
                throw FilmEdit.refusal(name, "it has no track \(track) with samples")
            }
            return try plan.write(in: folder, control: control, names: newName)
        }
    }

    private static func open(_ name: String, in folder: String) throws(FileError) -> BoxFile {
        guard FilmLibrary.isName(name), name.isPrintable else {
            throw FileError(.notFound, path: name, "this is not a name of a film")
        }
        return BoxFile(try FileBytes(path: "\(folder)/\(name)", followingLinks: false), limits: .standard)
    }

    /// Calls `body`, whose errors are about the film with a name.
    private static func reading<Value>(
        _ name: String, _ body: () throws(FileError) -> Value
    ) throws(LinkError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            guard error.code != .notFound, error.code != .notRegularFile else {
                throw refusal(name, "the library has no such film")
            }
            throw refusal(name, error.reason)
        }
    }

    private static func refusal(_ name: String, _ reason: String) -> LinkError {
        let shown = name.isPrintable ? name : "?"
        return LinkError(domain: "ComponentVideo", number: 3, message: "\(shown): \(reason)")
    }
}

extension EditableFilm {
    /// Returns the times between two moments in seconds, in the movie's timescale; the second one is moved to the end if
    /// it is nil or later.
    ///
    /// - Throws: `unsupported` if nothing is between them.
    fileprivate func times(from: Double, to: Double?) throws(FileError) -> Range<UInt64> {
        let start = time(from)
        let end = min(to.map(time) ?? duration, duration)
        guard start < end else {
            let seconds = Double(duration) / Double(timescale)
            throw boxes.file.error(.unsupported, "nothing is left: it is \(seconds) seconds long")
        }
        return start..<end
    }

    private func time(_ seconds: Double) -> UInt64 {
        UInt64(min((seconds * Double(timescale)).rounded(), Double(UInt64.longestTime)))
    }
}
