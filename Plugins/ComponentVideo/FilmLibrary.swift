import ComponentKit
import NXKit

/// The films that web links may open: the files in the folder `films` of the component's data directory.
struct FilmLibrary: Sendable {
    let context: ComponentContext

    /// Reads a film. Blocks.
    ///
    /// - Parameter name: The name of its file. It may come from a stranger.
    /// - Throws: `RouteDeclined` if there is no such file; `LinkError` if it is no film, without the path of the file,
    ///   or if there is no data directory.
    func film(named name: String) throws -> Film {
        guard FilmLibrary.isName(name) else {
            throw RouteDeclined("a film's name has no slash and does not begin with a dot")
        }
        let place = try place()
        do throws(FileError) {
            // A link may lead anywhere, and is not played either.
            return try Film.read(path: "\(place)/\(name)", followingLinks: false)
        } catch {
            guard error.code != .notFound, error.code != .notRegularFile else {
                throw RouteDeclined("the library has no such film")
            }
            throw LinkError(.methodFailed, message: "the film cannot be described: \(error.code.rawValue)")
        }
    }

    /// Returns the path of the folder, which need not exist.
    ///
    /// - Throws: `LinkError` if there is no data directory.
    func place() throws(LinkError) -> String { "\(try context.dataDirectory())/\(FilmLibrary.folder)" }

    /// Whether a text can be the name of a film. A slash, or the name "..", would lead out of the folder. Bytes are
    /// compared, because a slash with a combining accent is another character than a slash.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return first != UInt8(ascii: ".") && !text.utf8.contains(UInt8(ascii: "/"))
    }
}
