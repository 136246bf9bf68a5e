import Glibc

/// The program that this process runs.
package enum RunningProgram {
    /// Its absolute path without links, also when the file has been replaced since; nil when the system does not tell.
    package static var path: String? {
        let target = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let length = unsafe readlink("/proc/self/exe", start, buffer.count)
            return unsafe String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return path(ofLink: target) { path in unsafe access(path, F_OK) == 0 }
    }

    /// The kernel adds " (deleted)" to the path of a file that is not there under it any more.
    static func path(ofLink target: String, exists: (String) -> Bool) -> String? {
        let mark = " (deleted)"
        guard target.hasPrefix("/") else { return nil }
        return target.hasSuffix(mark) && !exists(target) ? String(target.dropLast(mark.count)) : target
    }
}
