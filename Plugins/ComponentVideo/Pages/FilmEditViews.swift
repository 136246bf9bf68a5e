import ComponentKit
import PageKit

/// How the tools for editing a film look.
enum FilmEditViews {
    /// - Parameters:
    ///   - film: The film that is edited.
    ///   - name: The name of its file.
    ///   - page: The page, to which the actions belong.
    ///   - status: How the last edit on the page is going; nil if there is none.
    static func editor(_ film: Film, name: String, page: String, status: FilmDesk.Status?) -> some View {
        let seconds = film.durationSeconds
        return Stack {
            if let status { outcome(status, on: page) }
            if !isRunning(status) {
                if seconds > 0, seconds.isPlayable, !film.isFragmented {
                    Form("Trim", .call("trim", ["name": .string(name), "page": .string(page)])) {
                        Field("from", "From (seconds)", .number(least: 0, most: seconds), value: .double(0)).required()
                        Field("to", "To (seconds)", .number(least: 0, most: seconds), value: .double(seconds))
                            .required().help("The part becomes a film of its own. This film is kept.")
                    }
                    .key("trim")
                }
                if film.tracks.contains(where: { $0.kind == .video }) {
                    Stack(.horizontal) {
                        Button("Rotate left", rotation(of: name, on: page, by: 270))
                        Button("Rotate right", rotation(of: name, on: page, by: 90))
                    }
                    .key("rotate")
                }
            }
        }
    }

    private static func rotation(of name: String, on page: String, by degrees: Int) -> Action {
        .call("rotate", ["name": .string(name), "page": .string(page), "degrees": Payload(degrees)])
    }

    private static func isRunning(_ status: FilmDesk.Status?) -> Bool {
        if case .running? = status { true } else { false }
    }

    /// How an edit is going, and what can be done about it.
    private static func outcome(_ status: FilmDesk.Status, on page: String) -> some View {
        Stack {
            switch status {
            case .running(let done):
                ProgressBar("The film is being written", fraction: done)
                Button("Cancel", .call("cancelEdit", ["page": .string(page)]))
            case .made(let name):
                Text("The new film is \(name).", style: .success)
                Stack(.horizontal) {
                    Button("Show", .call("show", ["name": .string(name), "page": .string(page)]), role: .primary)
                    Button(
                        "Undo", .call("undoEdit", ["page": .string(page)], confirm: "Delete \(name)?"),
                        role: .destructive)
                }
            case .undone(let name): Text("The film \(name) has been deleted.")
            case .cancelled: Text("The edit was cancelled. There is no new film.")
            case .failed(let reason): Text("There is no new film: \(reason)", style: .failure)
            }
        }
        .key("outcome")
    }
}
