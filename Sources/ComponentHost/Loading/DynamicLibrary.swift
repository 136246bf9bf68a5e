import CGlibc
import CHSLink
import ComponentKit
import Glibc

/// Opens plugin files with the dynamic loader. What was opened is never closed: unmapping a Swift image
/// breaks the runtime's caches.
enum DynamicLibrary {
    /// What has been mapped, by path: for a path that it knows, the loader answers with what it mapped then, whatever
    /// lies there now. Of the whole process, as the loader is.
    private static let mapped = Lock<[String: Mapped]>([:])

    private struct Mapped {
        let identity: FileIdentity
        let content: ContentDigest

        /// Whether it is this file, whatever was done to its permissions, owner, name or links since.
        func isSame(_ identity: FileIdentity, _ content: ContentDigest) -> Bool {
            self.identity == identity
                || self.identity.differsOnlyInChangeTime(from: identity) && self.content == content
        }
    }

    /// Maps the file with everything it needs, and finds its entry.
    ///
    /// - Parameters:
    ///   - path: canonical, so that the loader resolves `$ORIGIN` and knows the file again.
    ///   - identity: of the file that was looked at.
    ///   - content: of that file.
    /// - Throws: ``LinkError/Code/cannotLink`` in the loader's words; ``LinkError/Code/missingEntry`` when the
    ///   entry is absent or belongs to one of its dependencies; ``LinkError/Code/fileChanged`` when another file was
    ///   mapped from there before.
    static func entry(
        of path: String, _ identity: FileIdentity, _ content: ContentDigest
    ) throws(LinkError) -> hslink_component_function {
        guard mapped.withLock({ $0[path]?.isSame(identity, content) ?? true }) else {
            throw LinkError(
                .fileChanged,
                message: "another file was loaded from there before, and stays in memory; "
                    + "restart the host to use this one")
        }
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw LinkError(.cannotLink, message: "the dynamic loader refused it: \(lastError())")
        }
        mapped.withLock { $0[path] = Mapped(identity: identity, content: content) }
        guard let symbol = unsafe dlsym(handle, "hslink_component") else {
            throw LinkError(
                .missingEntry,
                message: "it does not export hslink_component; link it with ComponentKit, or define it in C")
        }
        let origin = unsafe hslink_file_of(symbol).map { unsafe String(cString: $0) } ?? ""
        // dlsym answers with a dependency's symbol for a file that has none of its own.
        guard FileIdentity(path: origin).map({ $0 == FileIdentity(path: path) }) ?? false else {
            throw LinkError(
                .missingEntry, message: "its hslink_component belongs to a library that it depends on: \(origin)")
        }
        return unsafe unsafeBitCast(symbol, to: hslink_component_function.self)
    }

    /// The loader's own words about its last failure.
    private static func lastError() -> String {
        guard let text = unsafe dlerror() else { return "it gave no reason" }
        return unsafe String(cString: text)
    }
}
