import Glibc
import SystemSupport

/// The files that a component in another language than Swift is compiled against: the headers of the contract, and the
/// same in Rust.
struct ContractFiles {
    /// Absolute paths.
    let headers: [String]
    /// The absolute path of hslink.rs.
    let rust: String

    /// - Parameter package: a directory of the package; nil for where the program lies.
    /// - Throws: where they were looked for.
    init(package: String?, _ place: ProgramPlace = .current) throws(ScaffoldError) {
        let (directory, rust): (String, String)
        switch (package, place) {
        case (.some(let package), _), (nil, .package(let package)):
            (directory, rust) = ("\(package)/Sources/CHSLink/include", "\(package)/Sources/CHSLink/hslink.rs")
        case (nil, .installed(let contract)):
            (directory, rust) = (contract, "\(contract)/hslink.rs")
        case (nil, .alone):
            throw ScaffoldError(
                "the headers of the contract lie neither in ../include/hslink beside this program nor in a package above "
                    + "it; pass --hslink PATH with a directory of the HSLink package")
        }
        headers = try ContractFiles.names(in: directory).filter { $0.hasSuffix(".h") }.map { "\(directory)/\($0)" }
        self.rust = rust
    }

    private static func names(in directory: String) throws(ScaffoldError) -> [String] {
        guard let stream = unsafe opendir(directory) else {
            throw ScaffoldError("\(directory.escaped): cannot be read: \(systemMessage(errno))")
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.sorted()
    }
}
