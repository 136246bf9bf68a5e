import Glibc
import SystemSupport

extension Terminal {
    /// - Parameters:
    ///   - width: the number of columns; nil if lines may have any length.
    ///   - hasColor: whether to use colour.
    init(width: Int?, hasColor: Bool) {
        self.width = width
        self.hasColor = hasColor
    }

    /// The number of lines of the terminal at standard output.
    static var height: Int {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
        return Int(size.ws_row)
    }

    /// Whether standard output is a terminal on which a text can take the place of another one.
    static var canRedraw: Bool {
        let type = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? ""
        return isatty(STDOUT_FILENO) == 1 && !type.isEmpty && type != "dumb"
    }
}
