import ComponentKit
import Foundation
import NXKit

/// The films of the library, as a list shows them.
struct FilmShelf: Hashable, Sendable {
    /// A film.
    struct Item: Hashable, Sendable {
        /// The name of its file.
        var name: String
        /// The size of its file, in bytes.
        var size: UInt64 = 0
        /// Its duration in seconds; nil if it cannot be described.
        var seconds: Double?
        /// Why it cannot be described, for people; nil if it can.
        var problem: String?
    }

    /// The films by their names.
    var items: [Item] = []
    /// What is left out; nil if nothing is.
    var remark: String?

    /// The most films in a list.
    static let mostFilms = 100
    /// The most files that are looked at, so that a folder of other files does not take long.
    static let mostFiles = 1000
    /// A list must not take long because of one film: the limits are far below those for a single film.
    static let limits = VideoLimits(boxes: 20_000, tableEntries: 1_000_000, tracks: 100)
}

extension FilmLibrary {
    /// The name of the folder in the component's data directory.
    static let folder = "films"

    /// Lists the films. Blocks. A file is a film by its content, whatever its name.
    ///
    /// - Throws: `LinkError` if the folder cannot be read, or if there is no data directory. The message does not contain
    ///   the path of the folder.
    func shelf() throws(LinkError) -> FilmShelf {
        let folder = try place()
        var shelf = FilmShelf()
        for (index, name) in try names(in: folder).enumerated() {
            guard shelf.items.count < FilmShelf.mostFilms else {
                shelf.remark = "Only the first \(FilmShelf.mostFilms) films are shown."
                break
            }
            guard index < FilmShelf.mostFiles else {
                shelf.remark = "Only the first \(FilmShelf.mostFiles) files have been looked at."
                break
            }
            if let item = item(name, in: folder) { shelf.items.append(item) }
        }
        return shelf
    }

    /// Returns the names of the files that can be shown, sorted; none if there is no folder.
    func names(in folder: String) throws(LinkError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { FilmLibrary.isName($0) && $0.isPrintable }.sorted()
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return []
        } catch {
            // The system's own message contains the path.
            let isForbidden = (error as? CocoaError)?.code == .fileReadNoPermission
            let reason = isForbidden ? "the host may not read it" : "it is not a folder, or the system cannot read it"
            throw LinkError(
                domain: "ComponentVideo", number: 2, message: "the folder of the films cannot be read: \(reason)")
        }
    }

    /// Describes a file; nil if it is not a film.
    private func item(_ name: String, in folder: String) -> FilmShelf.Item? {
        var item = FilmShelf.Item(name: name)
        do throws(FileError) {
            let path = "\(folder)/\(name)"
            item.size = try FileBytes(path: path, followingLinks: false).size
            item.seconds = try Film.read(path: path, followingLinks: false, limits: FilmShelf.limits).durationSeconds
        } catch {
            // Other files may be in the folder, and files may go while it is read.
            if [.unsupported, .notFound, .notRegularFile].contains(error.code) { return nil }
            item.problem = error.code.words
        }
        return item
    }
}

extension String {
    /// Whether views can show the text.
    var isPrintable: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}
