package import ComponentKit
import Glibc
import SystemSupport

/// A component's file, as the scan found it.
public struct ComponentFile: Hashable, Sendable {
    /// The absolute path without links. This is the path that is loaded.
    public var path: String
    /// The absolute path, without links, of the directory of components in which the file was found.
    public var directory: String
    /// The libraries that the file lists as needed.
    public var neededLibraries: [String]
    /// Whether the file uses this process's Swift runtime. Its compiler must then be the same as the host's.
    public var sharesSwiftRuntime: Bool { neededLibraries.containsExactly("libswiftCore.so") }

    /// The identity of the file that was checked. It is compared before and after loading, and with the file that is at
    /// the path later.
    package var identity: FileIdentity

    /// How the file is read; nil for a shared object.
    package private(set) var format: ComponentFormat?

    /// Returns whether both are the same file in the same state, found at the same path, byte for byte.
    public static func == (left: ComponentFile, right: ComponentFile) -> Bool {
        left.identity == right.identity && left.path.isExactly(right.path) && left.directory.isExactly(right.directory)
            && left.neededLibraries.elementsEqual(right.neededLibraries) { $0.isExactly($1) }
    }

    /// Hashes the path and the state.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(path))
        hasher.combine(identity)
    }
}

/// The reason why this host cannot use a file as a component, or does not search a directory.
///
/// `message` is human-readable: what was expected, what was found and, where something can be done, what to do. It does
/// not repeat the path of the file or directory.
public struct ComponentFileError: Error, Hashable, Sendable {
    /// The machine-readable kind of reason.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name used in the JSON output of the command line; stable.
        public let description: String

        init(_ description: String) { self.description = description }

        /// No such file or directory exists, or a link leads nowhere.
        public static let notFound = Code("notFound")
        /// The file or directory could not be opened or read, has a name that is not UTF-8, or has too many entries.
        public static let notReadable = Code("notReadable")
        /// A directory was expected.
        public static let notADirectory = Code("notADirectory")
        /// A regular file was expected.
        public static let notAFile = Code("notAFile")
        /// The name begins with a dot, or ends in neither `.so` nor `.hslink.json`: such files are not opened, except through
        /// a link with a name that is right.
        public static let ignoredName = Code("ignoredName")
        /// The file does not begin with the ELF magic number.
        public static let notElf = Code("notElf")
        /// The file is shorter than its headers describe.
        public static let truncated = Code("truncated")
        /// The ELF file is 32-bit, or has the wrong byte order.
        public static let wrongFormat = Code("wrongFormat")
        /// The ELF file is for a different processor architecture.
        public static let wrongMachine = Code("wrongMachine")
        /// The ELF file is not a shared object.
        public static let notASharedObject = Code("notASharedObject")
        /// The headers are inconsistent, or exceed the limits for a valid file.
        public static let malformed = Code("malformed")
        /// The shared object has no component note.
        public static let noManifest = Code("noManifest")
        /// The file has more than one component note.
        public static let severalManifests = Code("severalManifests")
        /// A note is not JSON, or is not a valid manifest.
        public static let invalidManifest = Code("invalidManifest")
        /// Everyone may write to the file or directory.
        public static let worldWritable = Code("worldWritable")
        /// A group other than the owner's primary group may write to the file or directory.
        public static let groupWritable = Code("groupWritable")
        /// The file or directory belongs to neither root nor the caller.
        public static let foreignOwner = Code("foreignOwner")
        /// A symbolic link leads out of the directory that contains it.
        public static let linkOutside = Code("linkOutside")
        /// A library search path has a directory that is relative to the working directory, or one that only the
        /// dynamic loader can resolve (`$LIB`, `$PLATFORM`).
        public static let untrustedSearchPath = Code("untrustedSearchPath")
        /// The path has `$ORIGIN`, `$LIB` or `$PLATFORM`, which the dynamic loader replaces, so it would open another file.
        public static let loaderToken = Code("loaderToken")
        /// The file is not the same as the one that was checked.
        public static let changed = Code("changed")
    }

    /// The kind of reason.
    public var code: Code
    /// What was expected, what was found, and what to do.
    public var message: String
    /// Whether the file is a description whose content is wrong.
    package let isAboutDescription: Bool

    /// - Parameters:
    ///   - code: The kind of reason.
    ///   - message: A phrase that can follow a path and a colon.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        isAboutDescription = false
    }

    /// - Parameter error: What is wrong in a description.
    package init(inDescription error: PayloadError) {
        code = .invalidManifest
        message = "the description is invalid: \(error.text(root: nil))"
        isAboutDescription = true
    }
}

extension ComponentFileError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension ComponentFileError {
    /// Returns the error for an action, such as "open", that failed with `error` as `errno`.
    static func system(_ error: Int32, while action: String) -> ComponentFileError {
        let code: Code =
            switch error {
            case ENOENT: .notFound
            case ENOTDIR: .notADirectory
            default: .notReadable
            }
        return ComponentFileError(code, "the system could not \(action) it: \(systemMessage(error))")
    }
}
