import Glibc

/// The machine and the system that the process runs on.
public struct SystemInfo: Hashable, Sendable {
    /// The kernel and its release, as in "Linux 6.1.0-13-amd64".
    public let kernel: String
    /// The architecture, as in "x86_64".
    public let architecture: String
    /// The distribution, as in "Debian GNU/Linux 12 (bookworm)"; nil if the system does not say.
    public let distribution: String?
    /// How many processors are online. A control group may let the process use fewer.
    public let processors: Int
    /// The memory of the machine, in bytes. A control group may let the process use less.
    public let memory: Int

    /// What the system said when it was asked first. The first request reads a file.
    public static let current = SystemInfo()

    private init() {
        var names = utsname()
        unsafe uname(&names)
        kernel = "\(SystemInfo.text(names.sysname)) \(SystemInfo.text(names.release))"
        architecture = SystemInfo.text(names.machine)
        distribution = SystemInfo.readDistribution()
        processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        memory = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The system in one line, as in "Linux 6.1.0-13-amd64 on x86_64, Debian GNU/Linux 12 (bookworm), 2 processors,
    /// 3924 MB".
    public var summary: String {
        let system = "\(kernel) on \(architecture)" + (distribution.map { ", \($0)" } ?? "")
        return "\(system), \(processors) \(processors == 1 ? "processor" : "processors"), \(memory >> 20) MB"
    }

    /// Returns the text in a field of `utsname`, an array of characters that ends with a null.
    private static func text<Field>(_ field: Field) -> String {
        unsafe withUnsafeBytes(of: field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func readDistribution() -> String? {
        (try? FileBytes(path: "/etc/os-release").read(at: 0, upTo: 1 << 16)).flatMap { distribution(in: $0) }
    }

    /// Returns the name in the text of an os-release file, which consists of assignments of the shell.
    static func distribution(in bytes: [UInt8]) -> String? {
        let key = Array("PRETTY_NAME=".utf8)
        guard let line = bytes.split(separator: UInt8(ascii: "\n")).last(where: { $0.starts(with: key) }) else {
            return nil
        }
        var value = line.dropFirst(key.count)
        // Between these, a backslash is only a backslash.
        let isLiteral = value.first == UInt8(ascii: "'")
        if let quote = value.first, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote), value.count > 1,
            value.last == quote
        {
            value = value.dropFirst().dropLast()
        }
        var name: [UInt8] = []
        var isEscaped = false
        for byte in value {
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped && !isLiteral
            if !isEscaped { name.append(byte) }
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}
