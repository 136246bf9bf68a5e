import ComponentHost
import ComponentKit
import FilmContract

/// Prints the length of a film.
@main
struct Studio {
    static func main() throws {
        let host = LinkHost(components: ["components"])
        print(try host.service(FilmServiceClient.self).length(name: "clip"))
    }
}
