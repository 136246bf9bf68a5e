import CFFI
import ComponentKit
import Glibc

/// A library in memory, with the addresses of what its description names.
@safe
// Unchecked: addresses of code, which stays.
final class ForeignLibrary: @unchecked Sendable {
    let description: LibraryDescription
    let interfaces = CallInterfaces()
    private let library: SharedLibrary
    /// Of functions that release something.
    private var releases: [String: UnsafeRawPointer] = unsafe [:]
    private let link = Lock<Link?>(nil)
    /// Whether callbacks may come that no running call knows of.
    let hasKeptCallbacks: Bool

    /// - Parameters:
    ///   - description: what to open.
    ///   - folder: that the description lies in.
    ///   - check: whether the file at a path is trusted.
    /// - Throws: ``LinkError/Code/cannotLink`` with the loader's message.
    init(
        _ description: LibraryDescription, folder: String, check: (String) throws(LinkError) -> Void
    ) throws(LinkError) {
        self.description = description
        library = try SharedLibrary.open(anyOf: description.libraries, folder: folder, check: check)
        hasKeptCallbacks = description.functions.contains { $0.arguments.contains(where: \.hasKeptCallbacks) }
        for name in description.releases {
            // The functions that need one that is missing are refused. A library may have a `free` for itself; memory
            // that it gives out is the process's.
            if name == "free" {
                unsafe releases[name] = unsafe dlsym(nil, name).map { UnsafeRawPointer($0) }
            } else {
                unsafe releases[name] = try? library.address(of: name)
            }
        }
    }

    /// The names of numbers.
    var constants: [String: Int64] { description.constants }

    func address(of symbol: String) throws(LinkError) -> UnsafeRawPointer { try unsafe library.address(of: symbol) }

    /// The function of this name that releases something; nil for none.
    func release(_ name: String?) -> UnsafeRawPointer? { unsafe name.flatMap { unsafe releases[$0] } }

    /// Calls a function of integers and pointers.
    ///
    /// - Returns: nil when the library does not have it.
    func call(_ function: AuxiliaryFunction, _ words: [Int64]) -> Int64? {
        guard let address = try? unsafe library.address(of: function.symbol) else { return nil }
        var words = words
        var result: (Int64, Int64) = (0, 0)
        unsafe words.withUnsafeMutableBytes { bytes in
            var places: [UnsafeMutableRawPointer?] = unsafe []
            for index in function.arguments.indices {
                unsafe places.append(bytes.baseAddress.map { unsafe $0 + index * 8 })
            }
            unsafe places.withUnsafeMutableBufferPointer { places in
                unsafe withUnsafeMutableBytes(of: &result) { result in
                    var none: UnsafeMutableRawPointer?
                    guard let memory = result.baseAddress else { return }
                    unsafe withUnsafeMutablePointer(to: &none) { none in
                        unsafe function.interface.call(address, result: memory, arguments: places.baseAddress ?? none)
                    }
                }
            }
        }
        return unsafe withUnsafeBytes(of: &result) { bytes in
            unsafe bytes.baseAddress.map { unsafe function.result.load($0) }
        }
    }

    /// The way to the host that the library's component belongs to; nil before the first call.
    var owner: Link? { link.withLock { $0 } }

    func start(_ link: Link) { self.link.withLock { $0 = link } }

    /// Writes a warning to the host's log.
    func log(_ message: String) { owner?.backend.log(.warning, message) }
}

extension ArgumentPlan {
    fileprivate var hasKeptCallbacks: Bool {
        switch mode {
        case .callback(_, let life): life != .call
        case .plain(let form), .value(let form, _): form.hasKeptCallbacks
        default: false
        }
    }
}

extension ValueForm {
    fileprivate var hasKeptCallbacks: Bool {
        switch self {
        case .callback(_, let life): life != .call
        case .record(let record): record.fields.contains { $0.form.hasKeptCallbacks }
        case .array(let element, _, _): element.hasKeptCallbacks
        default: false
        }
    }
}

/// A library that the dynamic loader has opened. It is never closed: code may be running in it, and what it gave
/// out may be used for ever.
@safe
// Unchecked: the loader's handle may be used from any thread.
private struct SharedLibrary: @unchecked Sendable {
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
    /// - Throws: ``LinkError/Code/cannotLink`` with the loader's message about each.
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
    /// - Throws: the loader's message.
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
