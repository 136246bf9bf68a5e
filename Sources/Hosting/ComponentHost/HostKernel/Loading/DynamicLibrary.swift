import CGlibc
import CHSLink
import ComponentCatalog
import ComponentKit
import Glibc
import SystemSupport

/// Opens plugin files with the dynamic loader. They are never closed, because unmapping a Swift image breaks the caches
/// of the Swift runtime.
enum DynamicLibrary {
    /// The files that have been mapped, by path. For a known path the loader returns what it mapped first, even if the
    /// file has been replaced. Shared by the whole process, like the loader itself.
    private static let mapped = Lock<[ExactText: Mapped]>([:])

    private struct Mapped {
        let identity: FileIdentity
        let content: ContentDigest

        /// Whether this is the same file, even if its permissions, owner, name or links have changed since.
        func isSame(_ identity: FileIdentity, _ content: ContentDigest) -> Bool {
            self.identity == identity
                || self.identity.differsOnlyInChangeTime(from: identity) && self.content == content
        }
    }

    /// Maps the file with its dependencies, and returns its entry function.
    ///
    /// - Parameters:
    ///   - path: the canonical path, so that the loader resolves `$ORIGIN` and recognises the file.
    ///   - identity: the identity of the file that was checked.
    ///   - content: the digest of that file.
    /// - Throws: `LinkError` with code ``LinkError/Code/cannotLink`` and the loader's message if the loader refuses the
    ///   file; with code ``LinkError/Code/missingEntry`` if the entry is absent or belongs to a dependency; with code
    ///   ``LinkError/Code/fileChanged`` if another file was mapped from this path before.
    static func entry(
        of path: String, _ identity: FileIdentity, _ content: ContentDigest
    ) throws(LinkError) -> hslink_component_function {
        guard mapped.withLock({ $0[ExactText(path)]?.isSame(identity, content) ?? true }) else {
            throw LinkError(
                .fileChanged,
                message: "another file was loaded from this path before and stays in memory; "
                    + "restart the host to use this one")
        }
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw LinkError(.cannotLink, message: "the dynamic loader refused it: \(lastError())")
        }
        mapped.withLock { $0[ExactText(path)] = Mapped(identity: identity, content: content) }
        guard let symbol = unsafe dlsym(handle, "hslink_component") else {
            throw LinkError(
                .missingEntry,
                message: "it does not export hslink_component; link it with ComponentKit, or define it in C")
        }
        let origin = unsafe hslink_file_of(symbol).map { unsafe String(cString: $0) } ?? ""
        // dlsym returns a dependency's symbol for a file that has none of its own.
        guard FileIdentity(path: origin).map({ $0 == FileIdentity(path: path) }) ?? false else {
            throw LinkError(
                .missingEntry, message: "its hslink_component belongs to a library that it depends on: \(origin)")
        }
        return unsafe unsafeBitCast(symbol, to: hslink_component_function.self)
    }

    /// Returns the loader's message about its last failure.
    private static func lastError() -> String {
        guard let text = unsafe dlerror() else { return "it gave no reason" }
        return unsafe String(cString: text)
    }
}
