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
