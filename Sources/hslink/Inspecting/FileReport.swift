import ComponentHost

/// What can be said about a file without running anything of it.
struct FileReport {
    /// Absolute, without links; as it was given when there is no such file.
    private(set) var path: String
    /// Bytes; nil when the file could not be opened, as everything else.
    private(set) var size: Int64?
    /// In hexadecimal digits.
    private(set) var sha256: String?
    /// Why a host would not take the file for who could change it, or the libraries that it needs; nil when it would.
    private(set) var distrust: ComponentFileError?
    /// What the file says to the dynamic loader; nil when it is no shared object.
    private(set) var dynamic: ElfDynamic?
    private(set) var exportedSymbols: [String]?
    private(set) var manifest: Manifest?
    /// Why it is no component.
    private(set) var error: ComponentFileError?

    /// Reads the file.
    init(_ path: String) {
        self.path = path
        do throws(ComponentFileError) {
            try read(try open(path))
        } catch {
            self.error = error
        }
    }

    /// Opens the file whether it is trusted or not, and remembers the verdict.
    private mutating func open(_ path: String) throws(ComponentFileError) -> OpenFile {
        var strict = TrustChecker(policy: .strict)
        do throws(ComponentFileError) {
            return try strict.openFile(path: path)
        } catch {
            var any = TrustChecker(policy: .unchecked)
            // A file that cannot be opened at all says so here; the verdict is for the others.
            let file = try any.openFile(path: path)
            distrust = error
            return file
        }
    }

    private mutating func read(_ file: consuming OpenFile) throws(ComponentFileError) {
        path = file.path
        size = file.identity.size
        sha256 = try FileDigest.sha256(of: file)
        if path.hasSuffix(DescriptionFile.suffix) {
            (_, manifest) = try DescriptionFile.read(file)
            return
        }
        do throws(ComponentFileError) {
            let inspection = try ComponentFileReader().inspect(file)
            manifest = inspection.manifest
            dynamic = inspection.dynamic
            exportedSymbols = inspection.exportedSymbols
        } catch {
            readLibrary(file)
            checkLibraries(file)
            throw error
        }
        checkLibraries(file)
    }

    /// Remembers what a host would say about the libraries that the file needs.
    private mutating func checkLibraries(_ file: borrowing OpenFile) {
        guard distrust == nil, let dynamic else { return }
        var strict = TrustChecker(policy: .strict)
        do throws(ComponentFileError) {
            try strict.checkLibraries(dynamic, of: file.path)
        } catch {
            distrust = error
        }
    }

    /// What a shared object says that is no component, as far as it can be read.
    private mutating func readLibrary(_ file: borrowing OpenFile) {
        guard let elf = try? ElfFile(descriptor: file.descriptor, size: file.identity.size),
            let dynamic = try? elf.dynamic()
        else { return }
        self.dynamic = dynamic
        exportedSymbols = try? elf.exportedSymbols(dynamic)
    }
}
