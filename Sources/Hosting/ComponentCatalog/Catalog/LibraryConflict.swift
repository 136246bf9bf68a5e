import ComponentKit
import Glibc

extension Catalog {
    /// Two components that bring different files under one name. A process has one library of each name: the loader uses
    /// the one that it has loaded first for both.
    package struct LibraryConflict: Hashable, Sendable {
        /// A component, and the file that it brings.
        package struct Side: Hashable, Sendable {
            /// The name of the component.
            package var component: String
            /// The absolute path of the library, without links.
            package var path: String
            /// Whether the component is a description of this library, and so uses this file in any case.
            package var isDescribed = false
        }

        /// The name that both need.
        package var library: String
        /// The component that comes first in the catalog.
        package var first: Side
        /// The other component.
        package var second: Side

        /// What to do about it.
        package static let advice = "give one of them another soname, or link it statically"

        /// The conflict from the view of one of the components, without its name.
        package func message(for component: String) -> String {
            let (own, other) = component == first.component ? (first, second) : (second, first)
            let users = own.isDescribed ? "\(other.component) uses" : other.isDescribed ? "it uses" : "both use"
            return "its library \(library) (\(own.path)) is not the one of \(other.component) (\(other.path)), and"
                + " \(users) whichever is loaded first; \(LibraryConflict.advice)"
        }
    }
}

extension Catalog {
    /// Returns the conflicts about libraries that a component brings.
    package func libraryConflicts(of component: String) -> [LibraryConflict] {
        (libraryConflictsByComponent[component] ?? []).map { libraryConflicts[$0] }
    }

    /// Describes the conflicts about libraries that a component brings; empty if there are none.
    package func libraryProblem(of component: String) -> String {
        let conflicts = libraryConflicts(of: component)
        // The first of many copies has a conflict with each other one.
        let shown = 3
        let rest = conflicts.count > shown ? ["and \(conflicts.count - shown) more conflicts about libraries"] : []
        return (conflicts.prefix(shown).map { $0.message(for: component) } + rest).joined(separator: "; ")
    }
}

/// Finds the libraries of one name of which components bring different files.
struct LibraryConflicts {
    private struct Owner {
        let component: String
        let library: BroughtLibrary
    }

    /// In the order of the components that come second.
    private(set) var all: [Catalog.LibraryConflict] = []
    /// The positions of the conflicts of each component.
    private(set) var byComponent: [String: [Int]] = [:]
    /// The first library of each name. Names are bytes, as for the loader.
    private var owners: [[UInt8]: Owner] = [:]
    /// Bytes of files that may still be compared.
    private var budget = 64 << 20

    /// Adds the libraries of the next component.
    mutating func add(_ libraries: [BroughtLibrary], of component: String) {
        for library in libraries {
            let name = Array(library.name.utf8)
            if let owner = owners[name], owner.component != component,
                !(owner.library.isDescribed && library.isDescribed), isOther(library, than: owner.library)
            {
                for name in [owner.component, component] { byComponent[name, default: []].append(all.count) }
                all.append(
                    Catalog.LibraryConflict(
                        library: library.name,
                        first: .init(
                            component: owner.component, path: owner.library.path,
                            isDescribed: owner.library.isDescribed),
                        second: .init(component: component, path: library.path, isDescribed: library.isDescribed)))
            }
            for name in [library.name, library.soname ?? library.name] where owners[Array(name.utf8)] == nil {
                owners[Array(name.utf8)] = Owner(component: component, library: library)
            }
        }
    }

    /// Returns whether two files differ. Two copies of one file do not matter.
    private mutating func isOther(_ library: BroughtLibrary, than other: BroughtLibrary) -> Bool {
        let (left, right) = (library.identity, other.identity)
        if left.device == right.device && left.inode == right.inode { return false }
        if left.size != right.size { return true }
        // Many files of the same size are many copies.
        guard left.size <= budget else { return false }
        budget -= Int(left.size)
        return LibraryConflicts.bytes(of: library.path) != LibraryConflicts.bytes(of: other.path)
    }

    private static func bytes(of path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, TrustChecker.fileFlags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        var buffer = FileBuffer(capacity: max(Int(status.st_size), 1))
        guard (try? buffer.fill(Int(status.st_size), at: 0, from: descriptor)) != nil else { return nil }
        return unsafe [UInt8](buffer.bytes)
    }
}
