import CFFI
import ComponentKit
import Glibc
import SystemSupport

/// A loaded library, with the addresses of the functions that its description names.
@safe
// Unchecked: `releases` is written only in init, and its addresses lead to code, which is never unmapped.
final class ForeignLibrary: @unchecked Sendable {
    let description: LibraryDescription
    let interfaces = CallInterfaces()
    private let library: SharedLibrary
    /// The functions that release memory or handles.
    private var releases: [String: UnsafeRawPointer] = unsafe [:]
    private let link = Lock<Link?>(nil)
    /// Whether C may call callbacks that were passed to an earlier call.
    let hasKeptCallbacks: Bool

    /// - Parameters:
    ///   - description: The description of the library.
    ///   - folder: The directory that contains the description.
    ///   - check: Returns the path without links of the file at a path; throws the reason if it is not trusted.
    /// - Throws: `LinkError` with the code ``LinkError/Code/cannotLink`` and the loader's message if no library can be
    ///   opened.
    init(
        _ description: LibraryDescription, folder: String, check: (String) throws(LinkError) -> String
    ) throws(LinkError) {
        self.description = description
        library = try SharedLibrary.open(anyOf: description.libraries, folder: folder, check: check)
        hasKeptCallbacks = description.functions.contains { $0.arguments.contains(where: \.hasKeptCallbacks) }
        for (name, symbol) in description.releases {
            // If a release function is missing, the functions that need it are refused. "free" is always the process's
            // own: a library may define a private `free`, but returned memory comes from the process's allocator.
            if name == "free" {
                unsafe releases[name] = unsafe dlsym(nil, name).map { UnsafeRawPointer($0) }
            } else {
                unsafe releases[name] = try? library.address(of: symbol)
            }
        }
    }

    /// The values of named constants.
    var constants: [String: Int128] { description.constants }

    /// The values of named floating-point numbers.
    var numbers: [String: Double] { description.numbers }

    func address(of symbol: String) throws(LinkError) -> UnsafeRawPointer { try unsafe library.address(of: symbol) }

    /// Returns the release function with this name; nil if there is none.
    func release(_ name: String?) -> UnsafeRawPointer? { unsafe name.flatMap { unsafe releases[$0] } }

    /// Calls a function that takes only integers and pointers and returns one.
    ///
    /// - Returns: Nil if the library does not have the function.
    func call(_ function: AuxiliaryFunction, _ words: [Int128]) -> Int128? {
        guard let address = try? unsafe library.address(of: function.symbol) else { return nil }
        var words = words.map { Int64(truncatingIfNeeded: $0) }
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
            unsafe bytes.baseAddress.map { unsafe function.result.number($0) }
        }
    }

    /// The link to the host of the library's component; nil before the first call.
    var owner: Link? { link.withLock { $0 } }

    func start(_ link: Link) { self.link.withLock { $0 = link } }

    /// Writes a warning to the host's log.
    func log(_ message: String) { owner?.backend.log(.warning, message) }
}

extension ArgumentPlan {
    fileprivate var hasKeptCallbacks: Bool {
        if case .callback(_, let life) = mode { life != .call } else { mode.writtenForm?.holdsKeptCallbacks ?? false }
    }
}

/// A library that the dynamic loader has opened. It is never closed, because its code may be running, and pointers that
/// it has returned may stay in use forever.
@safe
// Unchecked: the loader's handle may be used from any thread.
private struct SharedLibrary: @unchecked Sendable {
    /// The name as passed to the loader.
    let name: String
    private let handle: UnsafeMutableRawPointer

    /// Opens the first of `names` that can be opened.
    ///
    /// - Parameters:
    ///   - names: Names of libraries ("libz.so.1"), absolute paths, or paths relative to `folder` that begin with "./".
    ///   - folder: An absolute path.
    ///   - check: Returns the path without links of the file at a path; throws the reason if it is not trusted.
    /// - Throws: `LinkError` with the code ``LinkError/Code/cannotLink`` and, for each name, the loader's message or
    ///   the reason that `check` threw.
    static func open(
        anyOf names: [String], folder: String, check: (String) throws(LinkError) -> String
    ) throws(LinkError) -> SharedLibrary {
        var reasons: [String] = []
        for name in names {
            var path = name.hasExactPrefix("./") ? "\(folder)/\(name.without(exactPrefix: "./"))" : name
            if path.hasExactPrefix("/") {
                do throws(LinkError) {
                    // The loader is given what was checked.
                    path = try check(path)
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
        throw LinkError(.cannotLink, message: "no library can be opened: \(reasons.joined(separator: "; "))")
    }

    /// Returns the address of a function.
    ///
    /// - Throws: `LinkError` with the loader's message.
    func address(of symbol: String) throws(LinkError) -> UnsafeRawPointer {
        guard let address = unsafe dlsym(handle, symbol) else {
            throw LinkError(
                .selectorNotFound, message: "the dynamic loader cannot find the function: \(SharedLibrary.lastError())")
        }
        return UnsafeRawPointer(address)
    }

    private static func lastError() -> String {
        guard let text = unsafe dlerror() else { return "it gave no reason" }
        return unsafe String(cString: text)
    }
}
