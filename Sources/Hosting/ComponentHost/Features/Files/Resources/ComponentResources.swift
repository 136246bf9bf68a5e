import ComponentCatalog
import ComponentKit
import Glibc
import SystemSupport

/// What decides which resources a host finds for its components.
struct ResourceSearch: Sendable {
    let trust: TrustPolicy
    /// In order of preference.
    let languages: [String]
    /// The directory of the program, in which are those of components that are linked into it.
    let programDirectory: String?
}

/// Finds and opens the resources of one component. Nothing is kept between requests.
struct ComponentResources: ResourceSource {
    let place: ResourcePlace
    let search: ResourceSearch

    var component: String { place.component }

    /// The number of files in one folder at which it is not listed.
    private static let maximumNames = 65_536

    /// The longest name in bytes.
    private static let maximumLength = 1024

    func directory() throws(ResourceError) -> String {
        var checker = TrustChecker(policy: search.trust)
        guard let root = try open(&checker, for: "") else { throw missing("") }
        return root.path
    }

    func open(_ name: String, languages: [String]?) throws(ResourceError) -> OpenResource {
        let names = try parts(of: name)
        guard !names.isEmpty else { throw error(.invalidName, name, reason: "expected a name, found an empty one") }
        var checker = TrustChecker(policy: search.trust)
        guard let root = try open(&checker, for: name) else { throw missing(name) }
        for folder in ResourceLanguages.folders(for: languages ?? search.languages) {
            do throws(ComponentFileError) {
                return try checker.openResource(folder.isEmpty ? names : [folder] + names, in: root)
            } catch {
                guard error.meansMissing else { throw self.error(error, name) }
            }
        }
        throw error(.notFound, name, reason: "there is no such file in \(root.path)")
    }

    func names(in folder: String, languages: [String]?) throws(ResourceError) -> [String] {
        let names = try parts(of: folder)
        var checker = TrustChecker(policy: search.trust)
        guard let root = try open(&checker, for: folder) else {
            guard !folder.isEmpty else { return [] }
            throw missing(folder)
        }
        var isFound = names.isEmpty
        var found: Set<ExactText> = []
        for language in ResourceLanguages.folders(for: languages ?? search.languages) {
            let way = language.isEmpty ? names : [language] + names
            var isComplete = true
            do throws(ComponentFileError) {
                if way.isEmpty {
                    isComplete = try ComponentResources.list(way, in: root, root: root, checker: &checker, into: &found)
                } else {
                    let directory = try checker.openResources(way, in: root)
                    isComplete = try ComponentResources.list(
                        way, in: directory, root: root, checker: &checker, into: &found)
                }
                isFound = true
            } catch {
                guard error.meansMissing else { throw self.error(error, folder) }
            }
            guard isComplete, found.count <= ComponentResources.maximumNames else {
                throw error(.tooLarge, folder, reason: "there are more than \(ComponentResources.maximumNames) files")
            }
        }
        guard isFound else { throw error(.notFound, folder, reason: "there is no such folder in \(root.path)") }
        return found.sorted().map(\.text)
    }

    /// Adds the names of the regular files in `directory`, and of links that lead to one.
    ///
    /// - Parameter way: the path of the directory from `root`.
    /// - Returns: whether these are all; false if there are too many.
    private static func list(
        _ way: [String], in directory: borrowing OpenDirectory, root: borrowing OpenDirectory,
        checker: inout TrustChecker, into names: inout Set<ExactText>
    ) throws(ComponentFileError) -> Bool {
        var others: [String] = []
        try directory.forEachEntry { entry in
            guard entry.isText else { return true }
            switch entry.kind {
            case .file: names.insert(ExactText(entry.name))
            case .link, .unknown: others.append(entry.name)
            case .directory, .special: break
            }
            return names.count + others.count <= maximumNames
        }
        guard names.count + others.count <= maximumNames else { return false }
        for name in others where isFile(way + [name], in: root, &checker) { names.insert(ExactText(name)) }
        return true
    }

    private static func isFile(
        _ names: [String], in root: borrowing OpenDirectory, _ checker: inout TrustChecker
    ) -> Bool {
        do throws(ComponentFileError) {
            _ = try checker.openResource(names, in: root)
            return true
        } catch {
            return false
        }
    }

    /// Opens the directory of the component's resources; nil if it has none.
    private func open(_ checker: inout TrustChecker, for name: String) throws(ResourceError) -> OpenDirectory? {
        do throws(ComponentFileError) {
            return try place.open(&checker)
        } catch {
            throw ResourceError(
                error.resourceCode, component: component, name: name,
                reason: "the resources \(place.expectedPath) cannot be used: \(error.message)")
        }
    }

    /// Splits a name into its parts.
    private func parts(of name: String) throws(ResourceError) -> [String] {
        guard name.utf8.count <= ComponentResources.maximumLength else {
            let length = "it has \(name.utf8.count) bytes"
            throw error(.invalidName, name, reason: "\(length); a name has at most \(ComponentResources.maximumLength)")
        }
        guard !name.isEmpty else { return [] }
        guard !name.utf8.contains(0) else { throw error(.invalidName, name, reason: "a name contains no NUL") }
        // By bytes, as the system does: a slash before a combining mark is another character.
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw error(
                .invalidName, name,
                reason: "expected a path below the directory of resources, without \".\", \"..\" and empty parts")
        }
        return parts
    }

    private func missing(_ name: String) -> ResourceError {
        error(.notFound, name, reason: "the component has no resources; expected a directory \(place.expectedPath)")
    }

    private func error(_ code: ResourceError.Code, _ name: String, reason: String) -> ResourceError {
        ResourceError(code, component: component, name: name, reason: reason)
    }

    private func error(_ error: ComponentFileError, _ name: String) -> ResourceError {
        self.error(error.resourceCode, name, reason: error.message)
    }
}

extension ComponentFileError {
    /// Whether there is nothing at the path.
    fileprivate var meansMissing: Bool { code == .notFound || code == .notADirectory }

    fileprivate var resourceCode: ResourceError.Code {
        switch code {
        case .notFound: .notFound
        case .notADirectory, .notAFile: .notAFile
        case .linkOutside: .outside
        case .worldWritable, .groupWritable, .foreignOwner: .untrusted
        default: .system
        }
    }
}

extension ComponentResources {
    /// - Returns: nil for the program's own classes.
    init?(of unit: ComponentUnit, _ search: ResourceSearch) {
        let folder: String
        switch unit.source {
        case .file: folder = unit.directory
        case .builtIn:
            folder = search.programDirectory ?? RunningProgram.path.map { $0.splitPath.directory } ?? ""
        case .host: return nil
        }
        self.init(
            place: ResourcePlace(component: unit.name, module: unit.manifest.module, folder: folder), search: search)
    }

    /// Why the directory cannot be used; nil if it can, or if there is none.
    ///
    /// - Parameter bundles: the bundles beside the components of a list.
    func problem(_ bundles: ResourceBundles) -> String? {
        var checker = TrustChecker(policy: search.trust)
        do throws(ComponentFileError) {
            _ = try place.open(&checker, bundles)
            return nil
        } catch {
            return "its resources cannot be used: \(error.message)"
        }
    }
}

/// The resources of a component as code of the program sees them. Each request finds the component anew, because a
/// rescan may have replaced it.
struct HostResources: ResourceSource {
    let component: String
    let core: HostCore
    let search: ResourceSearch

    func directory() throws(ResourceError) -> String { try current("").directory() }

    func open(_ name: String, languages: [String]?) throws(ResourceError) -> OpenResource {
        try current(name).open(name, languages: languages)
    }

    func names(in folder: String, languages: [String]?) throws(ResourceError) -> [String] {
        try current(folder).names(in: folder, languages: languages)
    }

    private func current(_ name: String) throws(ResourceError) -> ComponentResources {
        guard let unit = core.registry.unit(named: component),
            let resources = ComponentResources(of: unit, search)
        else {
            throw ResourceError(
                .notFound, component: component, name: name, reason: "no component \(component) was found")
        }
        return resources
    }
}
