import Foundation
import Glibc

/// Overwrites a file in place, and restores its times.
///
/// - Parameters:
///   - path: The path of the file.
///   - change: Changes the bytes without changing their number.
public func rewrite(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    var bytes = try Array(Data(contentsOf: URL(filePath: path)))
    change(&bytes)
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
    let times = [status.st_atim, status.st_mtim]
    guard unsafe utimensat(AT_FDCWD, path, times, 0) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
