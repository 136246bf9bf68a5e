import ComponentKit
import PageKit

/// The rows for views: finding what has changed in a list, and making the change.
enum PageRows {
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
