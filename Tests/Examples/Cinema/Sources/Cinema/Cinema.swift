import ComponentHost
import ComponentKit

/// Goes to the page of a category of videos. The components are in the directories named on the command line.
@main
struct Cinema {
    static func main() async {
        let host = LinkHost(
            components: Array(CommandLine.arguments.dropFirst()), provides: [ProvidedClass(CinemaLink.self)])
        let cinema = CinemaLink.shareObject(host.link)
        print(cinema.hasVideos ? "There are videos." : "There are no videos.")
        await goToVideos(of: "comedy", through: cinema)
        await goToVideos(of: "opera", through: cinema)
        await host.stop()
    }

    /// Shows a page, or says that there is none.
    static func goToVideos(of category: String, through cinema: CinemaLink) async {
        if let page = await cinema.categoryPage(category: category) {
            print(page)
        } else if cinema.isLoaded(className: "VideoLink") {
            print("There is no page of \(category).")
        } else {
            print("The videos are not loaded.")
        }
    }
}
