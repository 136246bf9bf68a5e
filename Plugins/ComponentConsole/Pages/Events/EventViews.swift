import ComponentKit
import HostContract
import PageKit

/// How events look.
enum EventViews {
    /// Events with those who post and handle them.
    static func events(_ events: [EventRow], most: Int = 300, empty: String) -> LongTable {
        LongTable(
            ["Event", "Posted by", "Handled by", "Problems"], events, most: most, empty: empty, key: \.name
        ) { event in
            return TableRow([
                event.name.oneLine(), event.posters.listed(), event.handlers.map(text).listed(),
                event.problems.prefix(5).joined(separator: "; ").oneLine(500),
            ])
        }
    }

    private static func text(_ handler: EventHandlerRow) -> String {
        let marks = (handler.loads ? ["loads"] : []) + (handler.priority == 0 ? [] : ["priority \(handler.priority)"])
        return "\(handler.class).\(handler.selector) of \(handler.component)"
            + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
    }

    /// What was posted last.
    static func posts(_ list: PostList) -> some View {
        Stack {
            LongTable(
                ["Time (UTC)", "Event", TableColumn("Handlers", alignment: .trailing), "Kept"], list.posts, most: 100,
                empty: "Nothing has been posted since this page was first shown.", key: \.number.description
            ) { post in
                TableRow([
                    post.time.clockText, post.event.oneLine(), "\(post.handlers)", post.isSticky ? "yes" : "",
                ])
            }.key("posts")
            Text(
                "\(PostList.leftOut), which tells pages to ask again, is left out. The values of events are not shown.",
                style: .caption
            ).key("remark")
        }
    }
}
