import Glibc
import SystemSupport

/// The properties of the terminal at standard output, if there is one.
struct Terminal {
    /// The number of columns; nil if standard output is not a terminal, so lines may have any length.
    let width: Int?
    /// Whether to use colour.
    let hasColor: Bool
}

extension Terminal {
    /// Inspects standard output. `COLUMNS` takes precedence over the terminal's own width. `NO_COLOR` (no-color.org)
    /// and `dumb` terminals disable colour.
    init() {
        guard isatty(STDOUT_FILENO) == 1 else {
            self.init(width: nil, hasColor: false)
            return
        }
        let given = RunningProgram.variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let columns = Int(Terminal.size.ws_col)
        self.init(
            width: given ?? (columns > 0 ? columns : 80), hasColor: SystemSupport.hasColor(STDOUT_FILENO))
    }

    /// The size of the terminal at standard output; zero if it is unknown.
    private static var size: winsize {
        var size = winsize()
        return unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? size : winsize()
    }

    /// The number of lines of the terminal at standard output.
    static var height: Int {
        let rows = Int(size.ws_row)
        return rows > 0 ? rows : 24
    }

    /// Draws lines over what is on the terminal, in one piece so that it does not flicker.
    static func draw(_ lines: [String]) throws {
        var lines = lines
        // A line more would move everything up.
        let most = max(height - 1, 1)
        if lines.count > most {
            let rest = lines.count - most + 1
            lines = Array(lines.prefix(most - 1)) + ["… \(rest) more lines"]
        }
        // Each line is cleared before it is written: the cursor stays on the last column of one that is full. The last
        // one clears what is below, too.
        let text = lines.dropLast().map { "\u{1B}[K\($0)\n" }.joined() + "\u{1B}[J" + (lines.last ?? "")
        // The cursor is hidden only meanwhile, so it is visible whenever and however the process ends.
        try Output.result("\u{1B}[?25l\u{1B}[H\(text)\u{1B}[?25h")
    }

    /// Whether standard output is a terminal on which a text can take the place of another one.
    static var canRedraw: Bool { SystemSupport.canRedraw(STDOUT_FILENO) }
}
