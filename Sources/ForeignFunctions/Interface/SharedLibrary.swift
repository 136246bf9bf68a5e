import ComponentKit
import Glibc

/// A library that the dynamic loader has opened. It is never closed: code may be running in it, and what it gave
/// out may be used for ever.
@safe
// Unchecked: the loader's handle may be used from any thread.
struct SharedLibrary: @unchecked Sendable {
    /// As it was given to the loader.
    let name: String
    private let handle: UnsafeMutableRawPointer

    /// Opens the first of `names` that can be opened.
    ///
    /// - Parameters:
    ///   - names: as a library is asked for ("libz.so.1"), or a path that begins with "/", or with "./" for one
    ///     relative to `folder`.
    ///   - folder: absolute.
    ///   - check: whether the file at a path is trusted; throws why not.
    /// - Throws: ``LinkError/Code/cannotLink`` with the loader's words about each.
    static func open(
        anyOf names: [String], folder: String, check: (String) throws(LinkError) -> Void
    ) throws(LinkError) -> SharedLibrary {
        var reasons: [String] = []
        for name in names {
            let path = name.hasPrefix("./") ? "\(folder)/\(name.dropFirst(2))" : name
            if path.hasPrefix("/") {
                do throws(LinkError) {
                    try check(path)
                } catch {
                    reasons.append("\(path): \(error.message)")
                    continue
                }
            }
            if let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) {
                return unsafe SharedLibrary(name: name, handle: handle)
            }
            reasons.append(lastError())
        }
        throw LinkError(.cannotLink, message: "the dynamic loader refused it: \(reasons.joined(separator: "; "))")
    }

    /// The address of a function.
    ///
    /// - Throws: the loader's words.
    func address(of symbol: String) throws(LinkError) -> UnsafeRawPointer {
        guard let address = unsafe dlsym(handle, symbol) else {
            throw LinkError(
                .selectorNotFound, message: "the dynamic loader does not find it: \(SharedLibrary.lastError())")
        }
        return UnsafeRawPointer(address)
    }

    private static func lastError() -> String {
        guard let text = unsafe dlerror() else { return "it gave no reason" }
        return unsafe String(cString: text)
    }
}
