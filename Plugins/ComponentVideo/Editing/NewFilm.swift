import ComponentKit
import Glibc
import NXKit

/// A file that is written from the beginning to the end. It has its name only once it is complete, and is removed if it
/// never is.
///
/// Not for several threads at a time.
final class NewFilm {
    private let path: String
    private let folder: String
    private let descriptor: CInt
    private let control: EditControl
    /// The number of bytes that will be written.
    private let size: UInt64
    private var written: UInt64 = 0
    private var reported: UInt64 = 0

    /// How many bytes are copied at a time.
    private static let piece = UInt64(FileBytes.largestRead)
    /// How many names are tried for a new film.
    private static let mostNames = 1000

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - folder: The folder that the file is put into. One file at a time is written there; what is left of one that
    ///     has been cut short, as by a crash, is removed.
    ///   - size: The number of bytes that will be written.
    ///   - control: Ends the edit early.
    /// - Throws: `FileError` if the file cannot be created.
    init(in folder: String, size: UInt64, control: EditControl) throws(FileError) {
        self.folder = folder
        self.size = size
        self.control = control
        // Not a name of a film, as it begins with a dot.
        path = "\(folder)/.edit.part"
        _ = unsafe unlink(path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path, notBeing: "written", errno: errno) }
        self.descriptor = descriptor
    }

    deinit {
        if isInPlace { _ = unsafe unlink(path) }
        close(descriptor)
    }

    /// Whether the file at the path is still this one. A component that has been loaded anew may have begun a film there
    /// while an edit of the one before it was about to end.
    private var isInPlace: Bool {
        var (own, other) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &other) == 0 else { return false }
        return own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    /// Writes bytes at the end.
    ///
    /// - Throws: `FileError` if the system fails to write, as when there is no more space; `CancellationError`.
    func write(_ bytes: [UInt8]) throws {
        try control.check()
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError(path: path, notBeing: "written", errno: errno) }
            done += count
        }
        written += UInt64(bytes.count)
        let percent = size == 0 ? 100 : UInt64(Double(written) / Double(size) * 100)
        if percent > reported {
            reported = percent
            control.done(written, of: size)
        }
    }

    /// Copies bytes of another file to the end, piece by piece.
    ///
    /// - Throws: `FileError` if they cannot be read, or if the file has become shorter, or as ``write(_:)``.
    func copy(_ file: borrowing FileBytes, from offset: UInt64, count: UInt64) throws {
        var done: UInt64 = 0
        while done < count {
            let bytes = try file.read(at: offset + done, count: Int(min(count - done, NewFilm.piece)))
            try write(bytes)
            done += UInt64(bytes.count)
        }
    }

    /// Gives the complete file its name. It is on the disk then, and no file is replaced.
    ///
    /// - Parameter names: Returns the name for each attempt, which is counted from 1.
    /// - Returns: The first name that no other file has.
    /// - Throws: `FileError` if the system fails; `CancellationError`.
    func finish(_ names: (Int) -> String) throws -> String {
        try control.check()
        guard fsync(descriptor) == 0 else { throw FileError(path: path, notBeing: "written", errno: errno) }
        // Not the path, where another file may be by now; see ``isInPlace``.
        let file = "/proc/self/fd/\(descriptor)"
        for attempt in 1...NewFilm.mostNames {
            let name = names(attempt)
            if unsafe linkat(AT_FDCWD, file, AT_FDCWD, "\(folder)/\(name)", AT_SYMLINK_FOLLOW) == 0 { return name }
            guard errno == EEXIST else { throw FileError(path: path, notBeing: "given its name", errno: errno) }
        }
        throw FileError(.limitExceeded, path: names(1), "there are too many films with this name")
    }
}

extension NewFilm {
    /// Removes a film.
    ///
    /// - Throws: `LinkError` if the system fails, without the path of the folder.
    static func remove(_ name: String, in folder: String) throws(LinkError) {
        let path = "\(folder)/\(name)"
        guard unsafe unlink(path) == 0 else {
            let error = FileError(path: path, notBeing: "deleted", errno: errno)
            throw LinkError(domain: "ComponentVideo", number: 6, message: error.reason)
        }
    }
}

extension FilmPlan {
    /// Writes the film.
    ///
    /// - Parameters:
    ///   - folder: The folder for the file.
    ///   - control: Ends the edit early, and is told how far it has come.
    ///   - names: As for ``NewFilm/finish(_:)``.
    /// - Returns: The name of the file.
    /// - Throws: Those of ``NewFilm``; `limitExceeded`.
    func write(in folder: String, control: EditControl, names: (Int) -> String) throws -> String {
        let layout = try layout()
        let size = layout.pieces.reduce(UInt64(layout.start.count)) { $0 + $1.length }
        let file = try NewFilm(in: folder, size: size, control: control)
        try file.write(layout.start)
        // Pieces that follow each other are copied as one: chunks may be small.
        var pending: Piece?
        for piece in layout.pieces {
            if let last = pending, last.source == piece.source, last.offset + last.length == piece.offset {
                pending?.length += piece.length
                continue
            }
            try copy(pending, to: file)
            pending = piece
        }
        try copy(pending, to: file)
        return try file.finish(names)
    }

    private func copy(_ piece: Piece?, to file: NewFilm) throws {
        guard let piece else { return }
        try file.copy(sources[Int(piece.source)].file, from: piece.offset, count: piece.length)
    }
}
