import ComponentKit
import SystemSupport

/// Visits views from the outermost one on.
struct ViewCheck {
    private let limits: ViewLimits
    private var (views, bytes, values) = (0, 0, 0)
    private(set) var nodes = 0
    /// The actions of forms.
    private var formActions: Set<Action> = []
    /// The kinds and keys of the views around the one that is visited, outermost first, and of that one.
    private var path: [(kind: String, key: String)] = []
    /// How many of them are forms.
    private var forms = 0

    /// What a string, an action or another part counts beyond its own bytes, so that empty ones are limited, too.
    private static let overhead = 16

    init(_ limits: ViewLimits) { self.limits = limits }

    private func failure(_ reason: String) -> ViewError {
        let place = path.map { $0.key.isEmpty ? $0.kind : "\($0.kind) \($0.key.quoted())" }
        return ViewError(place: place.joined(separator: " › "), reason: reason)
    }

    mutating func visit(_ node: ViewNode, in parent: ViewContent?) throws(ViewError) {
        let isForm = if case .form = node.content { true } else { false }
        path.append((node.content.kind, node.key))
        forms += isForm ? 1 : 0
        views += 1
        try countNodes(20)
        guard views <= limits.views else { throw failure("there are more than \(limits.views) views") }
        guard path.count <= limits.depth else {
            throw failure("views are nested more than \(limits.depth) deep")
        }
        try text(node.key, "key", lines: false)
        try place(node.content, in: parent)
        try content(node)
        if let action = node.action {
            try self.action(action)
            if isForm, !formActions.insert(action).inserted { throw failure("another form has the same action") }
        }
        for action in node.sideActions { try self.action(action) }
        var keys: Set<String> = []
        for child in node.children {
            guard child.key.isEmpty || keys.insert(child.key).inserted else {
                throw failure("two of its views have the key \(child.key.quoted())")
            }
            try visit(child, in: node.content)
        }
        forms -= isForm ? 1 : 0
        path.removeLast()
    }

    /// Checks a text and counts its bytes.
    private mutating func text(_ text: String?, _ name: String, lines: Bool = true) throws(ViewError) {
        guard let text else { return }
        try count(text.utf8.count + ViewCheck.overhead)
        if let scalar = text.firstControl(lines: lines) {
            throw failure("its \(name) contains the control character U+\(String(scalar, radix: 16, uppercase: true))")
        }
    }

    private mutating func count(_ size: Int) throws(ViewError) {
        bytes += size
        guard bytes <= limits.bytes else { throw failure("the views have more than \(limits.bytes) bytes") }
    }

    /// Counts the bytes of a value of a field or an action.
    private mutating func value(_ value: Payload) throws(ViewError) {
        let size: Int
        let count: Int
        do throws(PayloadError) {
            // With the views around it and the page, it is less deep than a payload may be.
            size = try value.cbor(limits: PayloadLimits(depth: 5, nodes: 10_000, bytes: limits.bytes)).count
            count = try value.count
        } catch {
            throw failure("one of its values cannot be sent: \(error)")
        }
        try self.count(size)
        try countNodes(count)
    }

    /// Counts what the view is as payload.
    private mutating func countNodes(_ count: Int) throws(ViewError) {
        nodes += count
        guard nodes <= limits.nodes else { throw failure("the views are more than \(limits.nodes) values") }
    }

    /// Checks what only the whole view tells: a person who fills in a form needs to be understood as such.
    func end(_ root: ViewNode) throws(ViewError) {
        guard !formActions.isEmpty, let action = root.otherAction(in: formActions) else { return }
        throw ViewError(
            place: "",
            reason: "a form and another view have the same action\(action.title.map { " \($0.quoted())" } ?? "")")
    }

    /// Whether the view that is visited is in a form.
    private var isInForm: Bool { forms > 0 }

    /// Whether the key of the view that is visited is that of a part of a page frame.
    private var isFramePart: Bool { path.last.flatMap { FramePart(rawValue: $0.key) } != nil }

    private mutating func countValues(_ count: Int) throws(ViewError) {
        values += count
        try countNodes(count)
        guard values <= limits.values else { throw failure("the charts have more than \(limits.values) values") }
    }
}

// What each kind of view may contain.
extension ViewCheck {
    /// Checks that a view is where it belongs.
    private func place(_ content: ViewContent, in parent: ViewContent?) throws(ViewError) {
        switch (content, parent) {
        case (.tab, .tabs), (.tableRow, .table): break
        case (.tab, _): throw failure("a tab belongs in tabs")
        case (.tableRow, _): throw failure("a row with cells belongs in a table")
        case (_, .tabs): throw failure("tabs contain only tabs")
        case (_, .table): throw failure("a table contains only rows with cells")
        case (.floating, .some): throw failure("a floating view cannot be inside another view")
        case (.frame, .some): throw failure("a page frame cannot be inside another view")
        case (_, .frame): try part(content)
        default: break
        }
        if case .tableRow(let row) = content, case .table(let table) = parent, row.cells.count != table.columns.count {
            throw failure("it has \(row.cells.count) cells, and the table has \(table.columns.count) columns")
        }
    }

    /// Checks that the visited view is a part of the page frame that it is in.
    private func part(_ content: ViewContent) throws(ViewError) {
        guard case .stack = content, isFramePart else {
            throw failure("a page frame contains only its navigation, header and footer")
        }
    }

    /// Checks what a view shows.
    private mutating func content(_ node: ViewNode) throws(ViewError) {
        switch node.content {
        case .text(let content): try text(content.text, "text")
        case .badge(let content): try text(content.text, "text", lines: false)
        case .image(let content):
            try source(content.source)
            try text(content.description, "description")
        case .icon(let content):
            try text(content.name, "name", lines: false)
            try text(content.label, "label", lines: false)
        case .hyperlink(let content):
            try text(content.title, "title", lines: false)
            try url(content.url, content.height == nil ? ["http", "https", "mailto"] : ["http", "https"])
            if let height = content.height { try number(Double(height), "height", in: 4...100) }
        case .button(let content):
            try text(content.title, "title", lines: false)
            if node.action == nil { throw failure("it has no action") }
        case .list(let content):
            try text(content.title, "title", lines: false)
            try text(content.empty, "text")
        case .row(let content):
            try text(content.title, "title", lines: false)
            try text(content.detail, "detail")
            try text(content.badge, "badge", lines: false)
            if let image = content.image { try source(image) }
        case .table(let content):
            guard (1...64).contains(content.columns.count) else { throw failure("a table has 1 to 64 columns") }
            try countNodes(content.columns.count * 3)
            for column in content.columns { try text(column.title, "title", lines: false) }
        case .tableRow(let content):
            try countNodes(content.cells.count + content.styles.count * 3)
            for cell in content.cells { try text(cell, "cell") }
            try styles(content)
        case .grid(let content):
            guard (1...12).contains(content.columns) else { throw failure("a grid has 1 to 12 columns") }
        case .card(let content):
            try text(content.title, "title", lines: false)
            try text(content.subtitle, "subtitle")
            if content.isFolded != nil, content.title?.isEmpty ?? true {
                throw failure("a card that can be folded has a title")
            }
        case .stack, .tabs: break
        case .tab(let content): try text(content.title, "title", lines: false)
        case .floating(let content): try number(content.offset, "offset", in: 0...100)
        case .form(let content):
            try text(content.title, "title", lines: false)
            try text(content.submit, "text", lines: false)
            try form(node)
        case .field(let content): try field(content)
        case .progress(let content):
            try text(content.label, "label", lines: false)
            if let fraction = content.fraction { try number(fraction, "fraction", in: 0...1) }
        case .stat(let content):
            for (value, name) in [
                (content.label, "label"), (content.value, "value"), (content.unit, "unit"), (content.change, "change"),
            ] as [(String?, String)] { try text(value, name, lines: false) }
        case .chart(let content): try chart(content)
        case .player(let content): try player(content)
        case .placeholder(let content): try text(content.text, "text")
        case .frame(let content): try text(content.title, "title", lines: false)
        case .failure(let content):
            try text(content.message, "message")
            try text(content.advice, "advice")
            try text(content.detail, "detail")
        }
    }

    private mutating func action(_ action: Action) throws(ViewError) {
        try count(ViewCheck.overhead)
        try countNodes(9)
        try text(action.title, "title of an action", lines: false)
        try text(action.confirmation, "question")
        if let parts = action.parts {
            guard action.effect == .refresh else { throw failure("only an action that refreshes asks for more parts") }
            guard (2...Action.mostParts).contains(parts) else {
                throw failure("an action asks for \(parts) parts, expected 2 to \(Action.mostParts)")
            }
        }
        switch action.effect {
        case .open(let url):
            try text(url, "URL", lines: false)
            // Routes have schemes of their own; these make a browser run or show what the URL contains.
            guard !["javascript", "data", "vbscript"].contains(url.scheme) else {
                throw failure("its URL begins with \(url.scheme)")
            }
        case .call(let selector, let parameters):
            try text(selector, "selector", lines: false)
            if selector.isEmpty { throw failure("an action calls a selector without a name") }
            if !parameters.isEmpty { try value(parameters.payload) }
        case .show(let page): try text(page, "page", lines: false)
        case .refresh: break
        }
    }

    // MARK: - Parts

    /// Checks that the cells of a row have as many styles, or none, and that times are times.
    private func styles(_ row: TableRowContent) throws(ViewError) {
        guard !row.styles.isEmpty else { return }
        guard row.styles.count == row.cells.count else {
            throw failure("it has \(row.styles.count) styles for \(row.cells.count) cells")
        }
        for (cell, style) in zip(row.cells, row.styles) where style == .time && !cell.isEmpty {
            guard Timestamp(rfc3339: cell) != nil else {
                throw failure("its cell \(cell.quoted()) is not a time in RFC 3339 format")
            }
        }
    }

    private func number(_ value: Double, _ name: String, in range: ClosedRange<Double>) throws(ViewError) {
        guard range.contains(value) else {
            throw failure("its \(name) is \(value), expected \(range.lowerBound) to \(range.upperBound)")
        }
    }

    private mutating func url(_ url: String, _ schemes: [String]) throws(ViewError) {
        try text(url, "URL", lines: false)
        guard url.hasASCII(":"), schemes.contains(url.scheme) else {
            throw failure("its URL does not begin with any of \(schemes.joined(separator: ", "))")
        }
        // Browsers take much else for an absolute URL, or for one of the page's own host.
        let rest = url.utf8.dropFirst(url.scheme.utf8.count + 1)
        let isAbsolute =
            url.scheme == "mailto"
            ? !rest.isEmpty
            : rest.starts(with: "//".utf8) && !(rest.dropFirst(2).first.map("/?#".utf8.contains) ?? true)
        guard isAbsolute, !url.hasASCII("\\"), !url.hasASCII(" ") else { throw failure("its URL is not absolute") }
    }

    /// Checks a path that begins in a directory of a component.
    private mutating func relativePath(_ path: String, _ name: String) throws(ViewError) {
        try text(path, name, lines: false)
        let parts = path.exactParts(between: "/", omittingEmpty: false)
        guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
            throw failure("its \(name) \(path.quoted()) is not a path inside a directory")
        }
    }

    private mutating func source(_ source: ImageSource) throws(ViewError) {
        switch source {
        case .resource(let name, let component):
            try relativePath(name, "resource")
            try text(component, "component", lines: false)
        case .url(let url): try self.url(url, ["http", "https"])
        case .bytes(let bytes, let type):
            try count(bytes.count)
            guard ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(type) else {
                throw failure("a picture is of the type image/png, image/jpeg, image/gif or image/webp")
            }
        }
    }

    private mutating func player(_ content: PlayerContent) throws(ViewError) {
        try text(content.title, "title", lines: false)
        if let poster = content.poster { try source(poster) }
        if let duration = content.duration { try number(duration, "duration", in: 0...1e9) }
        switch content.source {
        case .resource(let name, let component), .file(let name, let component):
            try relativePath(name, "source")
            try text(component, "component", lines: false)
        case .url(let url): try self.url(url, ["http", "https"])
        }
    }

    private mutating func chart(_ content: ChartContent) throws(ViewError) {
        try text(content.title, "title", lines: false)
        try countValues(content.labels.count + content.series.count)
        for label in content.labels { try text(label, "label", lines: false) }
        for series in content.series {
            try text(series.name, "name", lines: false)
            try countValues(series.values.count)
            guard series.values.count == content.labels.count else {
                throw failure("a series has \(series.values.count) values for \(content.labels.count) labels")
            }
            guard series.values.allSatisfy(\.isFinite) else { throw failure("a value is not finite") }
        }
    }

    /// Checks that a form has an action, and that no two of its fields have the same name.
    private func form(_ node: ViewNode) throws(ViewError) {
        guard let action = node.action else { throw failure("it has no action") }
        var names: Set<String> = []
        if case .call(_, let parameters) = action.effect { names = Set(parameters.keys) }
        var rest = node.children
        while let next = rest.popLast() {
            if case .form = next.content { throw failure("a form is inside another form") }
            if case .field(let field) = next.content, !names.insert(field.name).inserted {
                throw failure("two of its values are called \(field.name.quoted())")
            }
            rest += next.children
        }
    }

    private mutating func field(_ content: FieldContent) throws(ViewError) {
        guard isInForm else { throw failure("a field belongs in a form") }
        try text(content.name, "name", lines: false)
        if content.name.isEmpty { throw failure("it has no name") }
        try text(content.label, "label", lines: false)
        try text(content.help, "help")
        try text(content.problem, "problem")
        switch content.kind {
        case .text(let longest), .lines(let longest):
            if longest < 1 { throw failure("it takes no characters") }
        case .integer(let least, let most): if least > most { throw failure("its range is empty") }
        case .number(let least, let most):
            if !(least <= most) || !least.isFinite || !most.isFinite { throw failure("its range is empty or endless") }
        case .choice(let choices):
            if choices.isEmpty { throw failure("there is nothing to choose from") }
            try countNodes(choices.count * 3)
            for choice in choices {
                try text(choice.value, "value", lines: false)
                try text(choice.title, "title", lines: false)
            }
        case .password, .email, .toggle, .date: break
        }
        try initial(content)
    }

    /// Checks what is in a field first: it need not be complete, but it is of the field's kind.
    private mutating func initial(_ content: FieldContent) throws(ViewError) {
        guard !content.value.isNull else { return }
        var isOfKind = true
        switch content.kind {
        case .integer: isOfKind = (try? content.value.int()) != nil
        case .number: isOfKind = (try? content.value.double())?.isFinite ?? false
        case .toggle: isOfKind = (try? content.value.bool()) != nil
        case .password: throw failure("the value of a password field is never sent to a page")
        case .text, .lines, .email, .date, .choice:
            guard let value = try? content.value.string() else {
                isOfKind = false
                break
            }
            if case .lines = content.kind { try text(value, "value") } else { try text(value, "value", lines: false) }
        }
        guard isOfKind else { throw failure("its value is of another kind") }
    }
}

extension ViewNode {
    /// Returns an action of a set that something other than a form has.
    fileprivate func otherAction(in forms: Set<Action>) -> Action? {
        let isForm = if case .form = content { true } else { false }
        if !isForm, let action, forms.contains(action) { return action }
        if let action = sideActions.first(where: forms.contains) { return action }
        for child in children {
            if let found = child.otherAction(in: forms) { return found }
        }
        return nil
    }
}

extension Payload {
    /// How many values it is, with those in it.
    fileprivate var count: Int {
        get throws(PayloadError) {
            var count = 1
            switch kind {
            case .array: for item in try items() { count += try item.count }
            case .map: for entry in try entries() { count += try entry.value.count }
            default: break
            }
            return count
        }
    }
}

extension String {
    /// The first control character that no text of a view has; nil if there is none. Characters that change the writing
    /// direction are left to renderers, which know how to keep a text apart from its neighbours.
    ///
    /// - Parameter lines: Whether line breaks and tabs are allowed.
    func firstControl(lines: Bool) -> UInt32? {
        // Of the general category Cc are the characters below U+0020 and those from U+007F to U+009F, and these are
        // stable: their UTF-8 is one byte, or C2 and another one.
        var former: UInt8 = 0
        for byte in utf8 {
            if byte < 0x20 {
                guard lines, byte == 0x0A || byte == 0x09 else { return UInt32(byte) }
            } else if byte == 0x7F || (former == 0xC2 && byte < 0xA0) {
                return UInt32(byte)
            }
            former = byte
        }
        return nil
    }

    /// The text before the first colon, in lower case.
    fileprivate var scheme: String { String(self[..<(utf8.firstIndex(of: 0x3A) ?? endIndex)]).lowercased() }
}
