/// The rule for the files from which a host loads components. Loaded code can do everything that the process can, so
/// anyone who may write to a file controls the process.
public struct TrustPolicy: Hashable, Sendable {
    /// Whether owners, permissions, links and search paths are checked.
    package let isChecked: Bool

    /// Refuses a file or a directory of components that
    ///
    /// * is writable by everyone, or by a group other than the primary group of its owner,
    /// * belongs to neither root nor the caller (the effective user),
    /// * is reached by a symbolic link that leads out of the directory that contains it,
    /// * names a library search directory (`DT_RUNPATH`, `DT_RPATH`) that other users could put a library into, that is
    ///   relative to the working directory, or that only the dynamic loader can resolve (`$LIB`, `$PLATFORM`); or needs
    ///   a library that is refused for one of these reasons.
    ///
    /// All parent directories up to the root must also belong to root or the caller, and must not be writable by
    /// others, because anyone who can rename a directory can replace it. A parent with the sticky bit, such as `/tmp`,
    /// may be writable by others. Libraries that the dynamic loader finds in system directories are trusted, and so is
    /// the environment of the process (`LD_LIBRARY_PATH`, `LD_PRELOAD`).
    public static let strict = TrustPolicy(isChecked: true)

    /// Accepts every file. Use it for directories that no other user can reach, as in a container.
    public static let unchecked = TrustPolicy(isChecked: false)
}
