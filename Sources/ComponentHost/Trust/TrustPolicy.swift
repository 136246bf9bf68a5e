/// Which files a host takes components from. Code that is loaded can do all that the process can, so
/// who may write to a file decides over the process.
public struct TrustPolicy: Hashable, Sendable {
    /// Whether owners, permissions, links and search paths are looked at.
    package let isChecked: Bool

    /// Refuses a file or a directory of components that
    ///
    /// * everyone may write to, or a group other than the primary group of its owner,
    /// * belongs to neither root nor the caller (the effective user),
    /// * is reached by a symbolic link that leads out of the directory it lies in,
    /// * names a directory (`DT_RUNPATH`, `DT_RPATH`) in which others could put a library for the dynamic loader, one
    ///   relative to the working directory, or one that only the loader can read (`$LIB`, `$PLATFORM`); or needs
    ///   a library that is refused for one of these reasons.
    ///
    /// All directories above, up to the root, have to belong to root or the caller too, and others may not write to
    /// them, since who can rename a directory can replace it; others may write to one with the sticky bit, as `/tmp`.
    /// What the dynamic loader finds in the directories of the system is trusted, and so is the environment of the
    /// process (`LD_LIBRARY_PATH`, `LD_PRELOAD`).
    public static let strict = TrustPolicy(isChecked: true)

    /// Takes every file. For directories that nobody else can reach, as in a container.
    public static let unchecked = TrustPolicy(isChecked: false)
}
