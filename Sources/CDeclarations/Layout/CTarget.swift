/// A machine that Linux runs on; both have 64-bit pointers and `long`.
package enum CTarget: Sendable, Hashable, CaseIterable {
    /// x86_64.
    case amd64
    /// aarch64.
    case arm64

    /// The one this was compiled for.
    package static var current: CTarget {
        #if arch(arm64)
            .arm64
        #else
            .amd64
        #endif
    }

    /// Whether plain `char` holds negative numbers.
    package var hasSignedChar: Bool { self == .amd64 }

    /// What `wchar_t` is.
    package var wideCharacter: CScalar { self == .amd64 ? .int : .unsignedInt }
}
