import PageKit

/// How the parts look that all pages share. These functions do not know where the pages come from.
enum UIViews {
    /// - Parameter navigation: what leads to other pages; nil if that is not known.
    static func frame(_ navigation: PageNavigation?) -> some View {
        PageFrame {
            if let parent = navigation?.parent { back(to: parent) }
            for page in navigation?.pages ?? [] { Button(page.title, .show(page: page.id)).key(page.id) }
        }
    }

    /// The way back to the page above.
    private static func back(to page: PageLink) -> some View {
        // No page has a slash in its name.
        Icon("back", label: "Back to \(page.title)").action(.show(page: page.id)).key("/back")
    }

    /// Something to say, and the buttons that lead on.
    static func dialog(_ dialog: DialogOptions, with buttons: [DialogButton]) -> some View {
        Card(dialog.title) {
            if let icon = dialog.icon { Icon(icon) }
            if !dialog.message.isEmpty { Text(dialog.message) }
            if !buttons.isEmpty {
                Stack(.horizontal) {
                    for (index, button) in buttons.enumerated() {
                        Button(button.title, .show(page: button.page), role: index == 0 ? .primary : .normal)
                    }
                }
            }
        }
    }
}
