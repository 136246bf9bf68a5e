import SystemSupport

/// Paths that operators configure.
public enum FilePath {
    /// Returns the path itself if it is absolute or empty, otherwise the path below the current directory, which code of
    /// others may change later. If the path of that directory is not UTF-8, nothing can be found at what is returned.
    public static func absolute(_ path: String) -> String { AbsolutePath.of(path) }
}
