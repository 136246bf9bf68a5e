import Glibc
import SystemSupport

/// A component's file as it was found.
public struct ComponentFile: Hashable, Sendable {
    /// Absolute, without links; what is loaded.
    public var path: String
    /// The directory of components that it was found in, absolute, without links.
    public var directory: String
    /// The libraries that the file names as needed.
    public var neededLibraries: [String]
    /// Whether it uses the Swift runtime of this process: then its compiler has to be the host's.
    public var sharesSwiftRuntime: Bool { neededLibraries.contains("libswiftCore.so") }

    /// What was looked at: compared before and after loading, and with what lies there later.
    package var identity: FileIdentity

    package init(path: String, directory: String, neededLibraries: [String], identity: FileIdentity) {
        self.path = path
        self.directory = directory
        self.neededLibraries = neededLibraries
        self.identity = identity
    }
}

/// The one rule for the names of component files, for all who look into a directory of them: what package managers,
/// editors and people lay aside beside a file (`libA.so.bak`, `libA.so.dpkg-old`) is none, whatever is in it.
enum PluginFileName {
    /// What the names of shared objects end with.
    private static let library = ".so"

    /// Whether a file of this name is a component's.
    static func isPlugin(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(library) || name.hasSuffix(DescriptionFile.suffix))
    }

    /// Why a file of another name is none.
    static var refusal: ComponentFileError {
        ComponentFileError(
            code: .ignoredName,
            message: "not the name of a plugin file, which ends in \(library) or \(DescriptionFile.suffix) and does not"
                + " begin with a dot; rename it to use it")
    }
}

/// Why a file is no component that this host can use, or why a directory is not searched.
///
/// `message` is for people: what was expected, what was there and, where there is something to do, what
/// to do. It does not repeat the path of the file it is about.
public struct ComponentFileError: Error, Hashable, Sendable {
    /// The kind of reason, for programs.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name used in the JSON output of the command line; stable.
        public let description: String

        init(_ description: String) { self.description = description }

        /// There is no such file or directory, or a link leads nowhere.
        public static let notFound = Code("notFound")
        /// The system refused to open or read it; the message has the system's words.
        public static let notReadable = Code("notReadable")
        /// A directory was expected.
        public static let notADirectory = Code("notADirectory")
        /// A regular file was expected.
        public static let notAFile = Code("notAFile")
        /// The name begins with a dot, or ends in neither `.so` nor `.hslink.json`: such files are not opened.
        public static let ignoredName = Code("ignoredName")
        /// The file does not begin as ELF files do.
        public static let notElf = Code("notElf")
        /// The file ends before what its own headers promise.
        public static let truncated = Code("truncated")
        /// ELF of 32 bits, or of the other byte order.
        public static let wrongFormat = Code("wrongFormat")
        /// ELF for another kind of processor.
        public static let wrongMachine = Code("wrongMachine")
        /// ELF, but no shared object.
        public static let notASharedObject = Code("notASharedObject")
        /// The headers contradict themselves, or ask for more than a sound file needs.
        public static let malformed = Code("malformed")
        /// A shared object without the note of a component.
        public static let noManifest = Code("noManifest")
        /// More than one component note in one file.
        public static let severalManifests = Code("severalManifests")
        /// The text of a note is not JSON, or says something else than a manifest may say.
        public static let invalidManifest = Code("invalidManifest")
        /// Everyone may write to it.
        public static let worldWritable = Code("worldWritable")
        /// A group other than the owner's own may write to it.
        public static let groupWritable = Code("groupWritable")
        /// It belongs to neither root nor the caller.
        public static let foreignOwner = Code("foreignOwner")
        /// A symbolic link that leads out of the directory it lies in.
        public static let linkOutside = Code("linkOutside")
        /// Libraries are searched in a directory relative to the working directory, or in one that only the dynamic
        /// loader knows (`$LIB`, `$PLATFORM`).
        public static let untrustedSearchPath = Code("untrustedSearchPath")
        /// Another file than the one that was looked at lies there now.
        public static let changed = Code("changed")
    }

    /// The kind of reason.
    public var code: Code
    /// What was expected, what was there, what to do next.
    public var message: String

    /// - Parameters:
    ///   - code: the kind of reason.
    ///   - message: a sentence that may follow a path and a colon.
    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

extension ComponentFileError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension ComponentFileError {
    /// What the system says about `errno` after `action` failed, as in "open".
    static func system(_ error: Int32, while action: String) -> ComponentFileError {
        let code: Code =
            switch error {
            case ENOENT: .notFound
            case ENOTDIR: .notADirectory
            default: .notReadable
            }
        return ComponentFileError(
            code: code, message: "the system could not \(action) it: \(systemMessage(error))")
    }
}
