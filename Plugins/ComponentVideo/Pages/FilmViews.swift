import ComponentKit
import ComponentVideoContract
import NXKit
import PageKit

/// How films look.
enum FilmViews {
    /// The films of the library.
    ///
    /// - Parameter shown: the name of the film that the player on the page shows; nil if there is none.
    static func library(_ shelf: FilmShelf, on page: String, shown: String?) -> some View {
        List(empty: "There are no films yet.") {
            for (item, key) in zip(shelf.items, shelf.items.map(\.name).uniqueKeys) {
                row(item, on: page).key(key).current(shown.map { $0.utf8.elementsEqual(item.name.utf8) } ?? false)
            }
            // No file has a name with a slash.
            if let remark = shelf.remark { Text(remark, style: .caption).key("/remark") }
        }
    }

    private static func row(_ item: FilmShelf.Item, on page: String) -> Row {
        if let problem = item.problem {
            return Row(
                item.name, detail: "It cannot be played: \(problem). \(item.size.fileSize)", badge: "unreadable",
                tone: .failure)
        }
        let detail = [item.seconds?.clock, item.size.fileSize].compactMap(\.self).joined(separator: ", ")
        return Row(item.name, detail: detail).action(
            .call("show", ["name": .string(item.name), "page": .string(page)], title: "Show"))
    }

    /// A film of the library, and its tracks.
    static func player(_ film: Film, name: String) -> some View {
        Stack {
            MediaPlayer(
                .file(path: "\(FilmLibrary.folder)/\(name)", component: nil), title: name,
                duration: film.durationSeconds.isPlayable ? film.durationSeconds : nil)
            if !film.isComplete { Text("The file is cut off: the end of the film is missing.", style: .warning) }
            if !film.tracks.isEmpty {
                Table(["Track", "Kind", "Codec", "Properties", TableColumn("Duration", alignment: .trailing)]) {
                    for track in film.tracks { TableRow(cells(track)) }
                }
            }
        }
    }

    private static func cells(_ track: Track) -> [TableCell] {
        var properties: [String] = []
        if let width = track.displayWidth, let height = track.displayHeight {
            properties.append("\(width) × \(height)")
        }
        if let rotation = track.rotation, rotation != 0 { properties.append("rotated by \(rotation)°") }
        if let rate = track.frameRate {
            properties.append("\(((rate.value * 100).rounded() / 100).writtenText) frames/s")
        }
        if let rate = track.sampleRate { properties.append("\(rate) Hz") }
        if let channels = track.channels { properties.append(channels == 1 ? "1 channel" : "\(channels) channels") }
        if let language = track.language { properties.append(language) }
        if track.isEncrypted { properties.append("encrypted") }
        let coding = track.codecString ?? track.codec ?? "–"
        return [
            "\(track.id)", TableCell(track.kind.rawValue), .code(coding), TableCell(properties.joined(separator: ", ")),
            TableCell(track.duration.seconds.clock),
        ]
    }
}

extension Double {
    /// Whether a player can have this duration. Files may claim any.
    var isPlayable: Bool { (0...1e9).contains(self) }

    /// A duration in seconds, as in "1:02:03" or "2:03".
    fileprivate var clock: String {
        guard isPlayable else { return "?" }
        let seconds = Int(rounded())
        let last = "\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        guard seconds >= 3600 else { return "\(seconds / 60):\(last)" }
        let minutes = seconds / 60 % 60
        return "\(seconds / 3600):\(minutes < 10 ? "0" : "")\(minutes):\(last)"
    }
}

extension UInt64 {
    /// The size of a file in words, as in "1.2 MB".
    fileprivate var fileSize: String {
        let units: [(UInt64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
        guard let (unit, name) = units.first(where: { self >= $0.0 }) else { return "\(self) bytes" }
        return "\(self / unit).\(self % unit * 10 / unit) \(name)"
    }
}
