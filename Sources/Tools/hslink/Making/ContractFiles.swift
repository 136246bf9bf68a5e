import SystemSupport

/// The files of the contract that components in C, C++ and Rust are compiled against.
struct ContractFiles {
    /// The absolute paths of the C headers.
    let headers: [String]
    /// The absolute path of hslink.rs.
    let rust: String

    /// Locates the files.
    ///
    /// - Parameters:
    ///   - package: the directory of the HSLink package; nil to search from this program's location.
    ///   - place: the location of this program.
    /// - Throws: a ``ScaffoldError`` if they were not found.
    init(package: String?, _ place: ProgramPlace = .current) throws(ScaffoldError) {
        let (directory, rust): (String, String)
        switch (package, place) {
        case (.some(let package), _), (nil, .package(let package)):
            let contract = "\(package)/Sources/Boundary/CHSLink"
            (directory, rust) = ("\(contract)/include", "\(contract)/hslink.rs")
        case (nil, .installed(let contract)):
            (directory, rust) = (contract, "\(contract)/hslink.rs")
        case (nil, .alone):
            throw ScaffoldError(
                "the contract's headers were found neither in include/hslink next to this program's folder nor in a "
                    + "package above it; pass --hslink DIR with a checkout of the HSLink package")
        }
        headers = try ContractFiles.names(in: directory).filter { $0.hasExactSuffix(".h") }.map { "\(directory)/\($0)" }
        self.rust = rust
    }

    private static func names(in directory: String) throws(ScaffoldError) -> [String] {
        do throws(DirectoryEntries.Failure) {
            let entries = try DirectoryEntries(directory)
            let names = entries.filter(\.isText).map(\.name)
            try entries.checkComplete()
            return names.sortedExactly()
        } catch {
            throw ScaffoldError("\(directory.escaped): cannot be read: \(systemMessage(error.number))")
        }
    }
}
