import ComponentKit
import FilmContract
import GRDB
import NXKit
import NXStorage

/// Keeps the films of the studio.
@Component(version: "1.0.0", layer: .business)
struct Film {}

/// The films in a database.
@LinkClass(provides: (any FilmService).self)
final class FilmLink: FilmService {
    func length(name: String) throws -> Int {
        let seconds = try openDatabase().read { try Int.fetchOne($0, sql: "SELECT 90") }
        return Length(seconds: seconds ?? 0).seconds
    }
}
