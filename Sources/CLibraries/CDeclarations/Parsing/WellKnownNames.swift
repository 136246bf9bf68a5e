/// Predeclared type names, with the types that C and POSIX headers give them on 64-bit Linux.
enum WellKnownNames {
    /// Returns the type of a predeclared name, or nil for any other name.
    static func type(named name: String, in scope: inout Scope) -> CType? {
        if let scalar = scalars[name] { return CType(.scalar(scalar), alias: name) }
        if let unsupported = unsupported[name] { return CType(.unsupported(unsupported), alias: name) }
        switch name {
        case "wchar_t": return CType(.scalar(scope.target.wideCharacter), alias: name)
        case "nlink_t": return CType(.scalar(scope.target == .amd64 ? .unsignedLong : .unsignedInt), alias: name)
        case "blksize_t": return CType(.scalar(scope.target == .amd64 ? .long : .int), alias: name)
        case "FILE":
            return scope.record(tag: "_IO_FILE", isUnion: false).map { CType(.record($0), alias: name) }
        case "va_list", "__builtin_va_list", "__gnuc_va_list":
            let layout = CLayout(size: scope.target == .amd64 ? 24 : 32, alignment: 8)
            let reason = "only a compiler can create a va_list"
            return CType(.unsupported(UnsupportedType("va_list", reason: reason, layout: layout)), alias: name)
        default: return nil
        }
    }

    private static let scalars: [String: CScalar] = [
        "bool": .bool,
        "int8_t": .signedChar, "uint8_t": .unsignedChar, "int16_t": .short, "uint16_t": .unsignedShort,
        "int32_t": .int, "uint32_t": .unsignedInt, "int64_t": .long, "uint64_t": .unsignedLong,
        "int_least8_t": .signedChar, "uint_least8_t": .unsignedChar, "int_least16_t": .short,
        "uint_least16_t": .unsignedShort, "int_least32_t": .int, "uint_least32_t": .unsignedInt,
        "int_least64_t": .long, "uint_least64_t": .unsignedLong,
        "int_fast8_t": .signedChar, "uint_fast8_t": .unsignedChar, "int_fast16_t": .long,
        "uint_fast16_t": .unsignedLong, "int_fast32_t": .long, "uint_fast32_t": .unsignedLong,
        "int_fast64_t": .long, "uint_fast64_t": .unsignedLong,
        "intmax_t": .long, "uintmax_t": .unsignedLong, "intptr_t": .long, "uintptr_t": .unsignedLong,
        "size_t": .unsignedLong, "ssize_t": .long, "ptrdiff_t": .long,
        "wint_t": .unsignedInt, "char8_t": .unsignedChar, "char16_t": .unsignedShort, "char32_t": .unsignedInt,
        "off_t": .long, "off64_t": .long, "loff_t": .long, "time_t": .long, "clock_t": .long, "clockid_t": .int,
        "suseconds_t": .long, "useconds_t": .unsignedInt, "pid_t": .int, "uid_t": .unsignedInt,
        "gid_t": .unsignedInt, "id_t": .unsignedInt, "mode_t": .unsignedInt, "dev_t": .unsignedLong,
        "ino_t": .unsignedLong, "blkcnt_t": .long, "key_t": .int, "socklen_t": .unsignedInt,
        "sa_family_t": .unsignedShort, "in_addr_t": .unsignedInt, "in_port_t": .unsignedShort,
        "u_char": .unsignedChar, "u_short": .unsignedShort, "u_int": .unsignedInt, "u_long": .unsignedLong,
        "u_int8_t": .unsignedChar, "u_int16_t": .unsignedShort, "u_int32_t": .unsignedInt,
        "u_int64_t": .unsignedLong, "ushort": .unsignedShort, "uint": .unsignedInt, "ulong": .unsignedLong,
    ]

    private static let unsupported: [String: UnsupportedType] = {
        let floats = [
            "_Float16": 2, "__fp16": 2, "__bf16": 2, "_Float32": 4, "_Float32x": 8, "_Float64": 8, "_Float64x": 16,
            "_Float128": 16, "__float128": 16, "_Decimal32": 4, "_Decimal64": 8, "_Decimal128": 16,
            "__int128_t": 16, "__uint128_t": 16,
        ]
        return Dictionary(
            uniqueKeysWithValues: floats.map { name, size in
                (name, UnsupportedType.notPassed(name, CLayout(size: size, alignment: size)))
            })
    }()
}
