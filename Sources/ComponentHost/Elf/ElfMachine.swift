import Glibc

/// The kind of processor that an ELF file is for (`e_machine`).
struct ElfMachine: Equatable, CustomStringConvertible {
    let rawValue: UInt16

    /// The one that this process runs on.
    static var current: ElfMachine {
        #if arch(x86_64)
            ElfMachine(rawValue: 62)
        #elseif arch(arm64)
            ElfMachine(rawValue: 183)
        #else
            #error("HSLink runs on x86-64 and aarch64")
        #endif
    }

    /// The usual name of the machine, or its number.
    var description: String {
        switch rawValue {
        case 3: "i386"
        case 8: "MIPS"
        case 20: "PowerPC"
        case 21: "PowerPC64"
        case 22: "S/390"
        case 40: "ARM"
        case 62: "x86-64"
        case 183: "aarch64"
        case 243: "RISC-V"
        case 258: "LoongArch"
        default: "machine \(rawValue)"
        }
    }
}
