import Glibc

extension FileError {
    /// The error for a failed system call on `path`, with the system's own words.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - action: What was tried, as in "opened".
    ///   - number: The value of `errno` right after the call.
    init(path: String, notBeing action: String, errno number: CInt) {
        let code: Code
        let advice: String
        switch number {
        case ENOENT, ENOTDIR: (code, advice) = (.notFound, "check the path")
        case EACCES, EPERM: (code, advice) = (.permissionDenied, "ask its owner for permission to read it")
        default: (code, advice) = (.inputOutput, "see errno \(number)")
        }
        // The result belongs to the C library: a constant, or for an unknown number a buffer of this thread.
        let words = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "unknown error"
        self.init(code, path: path, "it cannot be \(action): \(words); \(advice)")
    }
}
