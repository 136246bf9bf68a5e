/// The arithmetic types of C.
package enum CScalar: String, Sendable, Hashable, CaseIterable {
    case bool = "_Bool"
    /// Plain `char`: a distinct type, whose signedness depends on the target.
    case char
    case signedChar = "signed char"
    case unsignedChar = "unsigned char"
    case short
    case unsignedShort = "unsigned short"
    case int
    case unsignedInt = "unsigned int"
    case long
    case unsignedLong = "unsigned long"
    case longLong = "long long"
    case unsignedLongLong = "unsigned long long"
    case float
    case double
    /// 80 bits in 16 bytes on x86_64, 128 bits on aarch64.
    case longDouble = "long double"

    /// The size in bytes, which is also the alignment.
    package var size: Int {
        switch self {
        case .bool, .char, .signedChar, .unsignedChar: 1
        case .short, .unsignedShort: 2
        case .int, .unsignedInt, .float: 4
        case .long, .unsignedLong, .longLong, .unsignedLongLong, .double: 8
        case .longDouble: 16
        }
    }

    /// Whether it is `float`, `double` or `long double`.
    package var isFloating: Bool { self == .float || self == .double || self == .longDouble }

    /// Whether it is an integer, a character or `_Bool`.
    package var isInteger: Bool { !isFloating }

    /// Returns whether the type can represent negative numbers.
    package func isSigned(on target: CTarget) -> Bool {
        switch self {
        case .char: target.hasSignedChar
        case .signedChar, .short, .int, .long, .longLong, .float, .double, .longDouble: true
        case .bool, .unsignedChar, .unsignedShort, .unsignedInt, .unsignedLong, .unsignedLongLong: false
        }
    }
}

/// A supported architecture of Linux. Both have 64-bit pointers and a 64-bit `long`.
package enum CTarget: Sendable, Hashable, CaseIterable {
    /// x86_64.
    case amd64
    /// aarch64.
    case arm64

    /// The target for which this code was compiled.
    package static var current: CTarget {
        #if arch(arm64)
            .arm64
        #else
            .amd64
        #endif
    }

    /// Whether plain `char` can represent negative numbers.
    package var hasSignedChar: Bool { self == .amd64 }

    /// The type of `wchar_t`.
    package var wideCharacter: CScalar { self == .amd64 ? .int : .unsignedInt }
}
