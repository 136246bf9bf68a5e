import Glibc

/// The entries of a directory, in the order of the file system, without "." and "..".
///
/// An entry is read when it is asked for, so a directory with very many entries needs no memory. Call
/// ``checkComplete()`` after the last one: a file system may fail in the middle.
///
///     let entries = try DirectoryEntries(path)
///     for entry in entries { … }
///     try entries.checkComplete()
@safe
package final class DirectoryEntries: Sequence, IteratorProtocol {
    /// An entry of a directory.
    package struct Entry: Sendable {
        /// The name. If it is not UTF-8, it is repaired to be shown, and no file can be opened by it.
        package let name: String
        /// Whether the name is UTF-8.
        package let isText: Bool
        /// The type as far as the file system reports it without opening the entry.
        package let kind: Kind
    }

    /// The type of an entry.
    package enum Kind: Sendable {
        case file, directory, link
        /// A socket, a pipe or a device.
        case special
        /// The file system does not report types.
        case unknown

        fileprivate init(_ type: UInt8) {
            self =
                switch Int(type) {
                case Int(DT_REG): .file
                case Int(DT_DIR): .directory
                case Int(DT_LNK): .link
                case Int(DT_UNKNOWN): .unknown
                default: .special
                }
        }
    }

    /// The reason why a directory cannot be read.
    package struct Failure: Error {
        /// The value of `errno`.
        package let number: Int32
    }

    private let stream: OpaquePointer
    /// The value of `errno` with which reading ended early; 0 if it did not.
    package private(set) var failure: Int32 = 0

    /// Opens the directory at a path.
    ///
    /// - Throws: The system's error.
    package convenience init(_ path: String) throws(Failure) {
        try self.init(open: unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK))
    }

    /// Opens an open directory again, so that its descriptor keeps its position.
    ///
    /// - Throws: The system's error.
    package convenience init(of descriptor: Int32) throws(Failure) {
        try self.init(open: unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// - Parameter descriptor: The open directory, which this object closes.
    private init(open descriptor: Int32) throws(Failure) {
        guard descriptor >= 0, let stream = unsafe fdopendir(descriptor) else {
            let number = errno
            if descriptor >= 0 { close(descriptor) }
            throw Failure(number: number)
        }
        unsafe self.stream = unsafe stream
        DirectoryReading.current?.count()
    }

    deinit { unsafe closedir(stream) }

    /// Throws the error with which reading ended early; does nothing after the last entry.
    package func checkComplete() throws(Failure) { if failure != 0 { throw Failure(number: failure) } }

    /// Reads the next entry; nil at the end.
    package func next() -> Entry? {
        while failure == 0 {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                failure = errno
                return nil
            }
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if bytes == [UInt8(ascii: ".")] || bytes == [UInt8(ascii: "."), UInt8(ascii: ".")] { continue }
            let kind = unsafe Kind(entry.pointee.d_type)
            if let name = String(validating: bytes, as: UTF8.self) {
                return Entry(name: name, isText: true, kind: kind)
            }
            return Entry(name: String(decoding: bytes, as: UTF8.self), isText: false, kind: kind)
        }
        return nil
    }
}

/// Counts the directories that are read. Tests show with it that the work does not grow with the square of the number of
/// files.
///
// Unchecked: a test uses one counter in one task, which does not share it.
package final class DirectoryReading: @unchecked Sendable {
    @TaskLocal fileprivate static var current: DirectoryReading?

    private var directories = 0

    private init() {}

    fileprivate func count() { directories += 1 }

    /// Returns how many directories `body` read, as far as it did so in this task.
    package static func count(during body: () -> Void) -> Int {
        let reading = DirectoryReading()
        $current.withValue(reading, operation: body)
        return reading.directories
    }
}
