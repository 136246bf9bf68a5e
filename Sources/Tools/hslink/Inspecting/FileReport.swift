import ComponentHost
import SystemSupport

/// The contents of a file, determined without running any of its code.
struct FileReport {
    /// The absolute path with symbolic links resolved; the given path if there is no such file.
    private(set) var path: String
    /// The size in bytes; nil, like all properties but the path and the error, if the file could not be opened.
    private(set) var size: Int64?
    /// The digest as hexadecimal digits.
    private(set) var sha256: String?
    /// Why a host would not trust the file: other users can modify it or its libraries; nil if a host would trust it.
    private(set) var distrust: ComponentFileError?
    /// The dynamic section; nil if the file is not a shared object.
    private(set) var dynamic: ElfDynamic?
    private(set) var exportedSymbols: [String]?
    /// The variables that the component shares with others.
    private(set) var sharedVariables: [String] = []
    private(set) var manifest: Manifest?
    /// The component's resources; nil if it has none.
    private(set) var resources: ResourceListing?
    /// Why the file is not a component; nil if it is one.
    private(set) var error: ComponentFileError?

    /// Reads the file.
    ///
    /// - Parameter bundles: the resources beside the files of a report.
    init(_ path: String, _ bundles: ResourceBundles = ResourceBundles()) {
        self.path = path
        do throws(ComponentFileError) {
            try read(try open(path))
        } catch {
            self.error = error
        }
        if let manifest { resources = ResourceListing(ResourcePlace(of: manifest, at: path), bundles: bundles) }
    }

    /// Opens the file even if it is not trusted, and records why it is not.
    private mutating func open(_ path: String) throws(ComponentFileError) -> OpenFile {
        var strict = TrustChecker(policy: .strict)
        do throws(ComponentFileError) {
            let file = try strict.openFile(path: path)
            try TrustChecker.refuseLoaderTokens(in: file.path)
            return file
        } catch {
            var any = TrustChecker(policy: .unchecked)
            // Throws if the file cannot be opened at all, which is not a matter of trust.
            let file = try any.openFile(path: path)
            distrust = error
            return file
        }
    }

    private mutating func read(_ file: consuming OpenFile) throws(ComponentFileError) {
        path = file.path
        size = file.identity.size
        sha256 = try FileDigest.sha256(of: file)
        if path.hasExactSuffix(DescriptionFile.suffix) {
            (_, manifest) = try DescriptionFile.read(file)
            return
        }
        do throws(ComponentFileError) {
            let inspection = try ComponentFileReader().inspect(file)
            manifest = inspection.manifest
            dynamic = inspection.dynamic
            exportedSymbols = inspection.exportedSymbols
            sharedVariables = inspection.sharedVariables
        } catch {
            readLibrary(file)
            checkLibraries(file)
            throw error
        }
        checkLibraries(file)
    }

    /// Records whether a host would trust the libraries that the file needs.
    private mutating func checkLibraries(_ file: borrowing OpenFile) {
        guard distrust == nil, let dynamic else { return }
        var strict = TrustChecker(policy: .strict)
        do throws(ComponentFileError) {
            try strict.checkLibraries(dynamic, of: file.path)
        } catch {
            distrust = error
        }
    }

    /// Reads what is readable in a shared object that is not a component.
    private mutating func readLibrary(_ file: borrowing OpenFile) {
        guard let elf = try? ElfFile(descriptor: file.descriptor, size: file.identity.size),
            let dynamic = try? elf.dynamic()
        else { return }
        self.dynamic = dynamic
        exportedSymbols = try? elf.exportedSymbols(dynamic)
    }
}
