import ComponentHost
import ComponentKit
import PageKit

/// The rows for views and pages: finding what has changed in a list, making the change, and composing pages.
enum PageRows {
    /// The rows for whole pages: asking all modules, decoding what they answer, and finding what has changed.
    /// None if the component that composes pages is missing.
    static func pages(_ host: LinkHost) throws -> [AwaitedRow] {
        guard host.provides(PageServiceClient.self) else { return [] }
        let pages = try host.service(PageServiceClient.self)
        return [
            AwaitedRow(
                "page-six", "page of six sections with 20 rows each", count: 100, goal: .nanoseconds(1_000_000)
            ) { count in
                // A revision that the page has never had: the page as it is, without asking its modules.
                for _ in 0..<count {
                    guard try await pages.page(id: "bench-six", after: 0).sections.count == 6 else { return }
                }
            },
            AwaitedRow("page-six-anew", "the same, all modules asked", count: 100) { count in
                for _ in 0..<count {
                    guard try await pages.page(id: "bench-six", after: nil).sections.count == 6 else { return }
                }
            },
            AwaitedRow("page-six-payload", "the same, not decoded", count: 100) { count in
                for _ in 0..<count { _ = try await host.call("PagesLink", "page", ["id": "bench-six"]) }
            },
            AwaitedRow("page-thousand", "page with a list of 1,000 rows, one changed", count: 20) { count in
                for _ in 0..<count { _ = try await host.call("PagesLink", "page", ["id": "bench-thousand"]) }
            },
        ]
    }

    static func rows() -> [Row] {
        let old = list(changed: nil)
        let new = list(changed: 500)
        let patch = ViewPatch(from: old, to: new)
        return [
            Row("view-patch", "patch for one changed row of 1,000", count: 100, goal: .nanoseconds(200_000)) { calls in
                for _ in 0..<calls { guard ViewPatch(from: old, to: new).changes.count == 1 else { return } }
            },
            Row("view-apply", "applying it", count: 100) { calls in
                for _ in 0..<calls {
                    var view = old
                    try view.apply(patch)
                }
            },
            Row("view-check", "checking the list", count: 100) { calls in
                for _ in 0..<calls { try new.check() }
            },
        ]
    }

    private static func list(changed: Int?) -> ViewNode {
        List(0..<1_000) { number in
            PageKit.Row(number == changed ? "changed" : "row \(number)", detail: "a city")
                .key(number)
                .action(.open("studio://owner/address/\(number)"))
        }.node
    }
}
