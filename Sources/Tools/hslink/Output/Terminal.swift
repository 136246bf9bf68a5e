import Glibc
import SystemSupport

/// The properties of the terminal at standard output, if there is one.
struct Terminal {
    /// The number of columns; nil if standard output is not a terminal, so lines may have any length.
    let width: Int?
    /// Whether to use colour.
    let hasColor: Bool

    /// Inspects standard output. `COLUMNS` takes precedence over the terminal's own width. `NO_COLOR` (no-color.org)
    /// and `dumb` terminals disable colour.
    init() {
        guard isatty(STDOUT_FILENO) == 1 else {
            width = nil
            hasColor = false
            return
        }
        let given = Terminal.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = given ?? Terminal.windowWidth() ?? 80
        hasColor = SystemSupport.hasColor(STDOUT_FILENO)
    }

    private static func windowWidth() -> Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
