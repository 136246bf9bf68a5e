import ComponentKit

/// Videos, and the pages that show them.
@Component(version: "1.0.0")
struct Video {}

/// The component's side of the bridge.
@LinkClass
// Unchecked: adds no state to its superclass.
final class VideoLink: HSLinkClass, @unchecked Sendable {
    // MARK: - Providing

    /// The page of a category of videos, for the person who is signed in to the program.
    @Selector func categoryPage(category: String) async throws -> String {
        guard let videos = VideoLink.videos[category] else { throw VideoError.noCategory(category) }
        let name = await viewerName() ?? "a guest"
        return "\(category) for \(name): \(videos.joined(separator: ", "))"
    }

    private static let videos = ["comedy": ["Playtime", "Sherlock Jr."], "western": ["Rio Bravo"]]

    // MARK: - Requiring

    /// Returns the name of the person who is signed in to the program; nil if the program does not know one.
    func viewerName() async -> String? {
        await withCheckedContinuation { name in
            hsObjectMethod(className: "CinemaLink", performSelectorStr: "viewerName") {
                returnValue, performSuccess, classIsLoad in
                name.resume(returning: try? returnValue?.string())
            }
        }
    }
}

/// Why there is no page.
enum VideoError: Error {
    case noCategory(String)
}
