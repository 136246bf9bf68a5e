import ComponentKit

/// The program's side of the bridge.
@LinkClass
// Unchecked: adds no state to its superclass.
final class CinemaLink: HSLinkClass, @unchecked Sendable {
    // MARK: - Requiring

    /// Whether there is a component that has pages of videos. Loads nothing.
    var hasVideos: Bool { isAvailable(className: "VideoLink", selector: "categoryPage") }

    /// Returns the page of a category of videos; nil if there is no such component or category.
    func categoryPage(category: String) async -> String? {
        await withCheckedContinuation { page in
            hsObjectMethod(
                className: "VideoLink", performSelectorStr: "categoryPage", param: ["category": .string(category)]
            ) { returnValue, performSuccess, classIsLoad in
                page.resume(returning: try? returnValue?.string())
            }
        }
    }

    // MARK: - Providing

    /// The name of the person who is signed in.
    @Selector func viewerName() -> String { "Ada" }
}
