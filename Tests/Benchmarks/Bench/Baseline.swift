import Glibc

/// The same calls without HSLink, in C++: `Baseline.cpp`, which `scripts/bench` compiles.
@safe
// Unchecked: the handle of a library that is never closed.
struct Baseline: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    struct Missing: Error {
        let message: String
    }

    /// - Parameter path: The path of the compiled file.
    init(_ path: String) throws {
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw Missing(message: unsafe dlerror().map { unsafe String(cString: $0) } ?? path)
        }
        unsafe self.handle = unsafe handle
    }

    /// The names of the rows, which the goals of other rows refer to.
    static let (bound, named, built) = ("C++, bound", "C++, by name", "C++, by name, map built per call")
    static let (missingClass, missingSelector) = ("C++, missing class", "C++, missing selector")

    /// Returns a row for one of its functions.
    func row(_ function: String, _ name: String) throws -> Row {
        typealias Calls = @convention(c) (Int64) -> Int64
        guard let symbol = unsafe dlsym(handle, "baseline_\(function)") else {
            throw Missing(message: "baseline_\(function)")
        }
        let calls = unsafe unsafeBitCast(symbol, to: Calls.self)
        return Row("cpp-\(function.replacing("_", with: "-"))", name, count: 1_000_000) { _ = calls(Int64($0)) }
    }
}
