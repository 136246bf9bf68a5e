/// What a ``TrustChecker`` has found out about the libraries of components: many components need the same ones, and
/// are searched in the same directories.
struct LibraryMemory {
    /// What decides about the libraries of a file.
    struct Question: Hashable {
        /// The directory of the file.
        let origin: String
        let dynamic: ElfDynamic

        init(_ dynamic: ElfDynamic, origin: String) {
            self.origin = origin
            self.dynamic = dynamic.librariesOnly
        }
    }

    /// The answers; nil when the libraries are fine.
    var answers: [Question: ComponentFileError?] = [:]
    /// Where the loader looks when a search path has a directory, by its path as it is written there.
    var searchDirectories: [String: Result<[String], ComponentFileError>] = [:]
    /// What libraries need themselves, by their path without links; nil for those that the loader passes over.
    var contents: [String: ElfDynamic?] = [:]
    let buffers = ElfFile.Buffers()
}

extension ElfDynamic {
    /// What has to do with libraries that are needed.
    fileprivate var librariesOnly: ElfDynamic {
        var dynamic = ElfDynamic()
        dynamic.needed = needed
        dynamic.filtered = filtered
        dynamic.runPath = runPath
        dynamic.hasRunPath = hasRunPath
        return dynamic
    }
}
