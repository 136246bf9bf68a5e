/// Which files a host takes components from. Code that is loaded can do all that the process can, so
/// who may write to a file decides over the process.
public struct TrustPolicy: Hashable, Sendable {
    /// Whether owners, permissions and links are looked at.
    package let isChecked: Bool

    /// Refuses a file or a directory of components that
    ///
    /// * everyone may write to, or a group other than the primary group of its owner,
    /// * belongs to neither root nor the caller (the effective user),
    /// * is reached by a symbolic link that leads out of the directory it lies in.
    ///
    /// The directories above are refused when others may write to them, too, since who can rename a
    /// directory can replace it; one with the sticky bit, as `/tmp`, is fine. Their owners do not count:
    /// whoever owns a directory above the components is trusted with it.
    public static let strict = TrustPolicy(isChecked: true)

    /// Takes every file. For directories that nobody else can reach, as in a container.
    public static let unchecked = TrustPolicy(isChecked: false)
}
