import Glibc

/// The program that this process runs.
package enum RunningProgram {
    /// The absolute path of its file with symbolic links resolved, even if the file has since been replaced; nil if the
    /// system does not report it, or if it is not UTF-8.
    package static var path: String? {
        let target = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let length = unsafe readlink("/proc/self/exe", start, buffer.count)
            // Another program may have the path that a repair would make.
            let bytes = unsafe buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
            return String(validating: bytes, as: UTF8.self) ?? ""
        }
        return path(ofLink: target) { path in unsafe access(path, F_OK) == 0 }
    }

    /// Returns the value of an environment variable; nil if it is not set.
    package static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// Removes the " (deleted)" that the kernel appends to the path of a file that no longer exists at that path.
    static func path(ofLink target: String, exists: (String) -> Bool) -> String? {
        let mark = " (deleted)"
        guard target.hasExactPrefix("/") else { return nil }
        return target.hasSuffix(mark) && !exists(target) ? String(target.dropLast(mark.count)) : target
    }
}
