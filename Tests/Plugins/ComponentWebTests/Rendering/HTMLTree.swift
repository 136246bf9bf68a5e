/// An element of HTML as a browser would have it.
final class HTMLElement: Equatable, CustomStringConvertible {
    enum Node: Equatable {
        case element(HTMLElement)
        case text(String)
    }

    let name: String
    var attributes: [String: String]
    var nodes: [Node] = []

    init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    static func == (a: HTMLElement, b: HTMLElement) -> Bool {
        a.name == b.name && a.attributes == b.attributes && a.nodes == b.nodes
    }

    /// The elements directly in it.
    var children: [HTMLElement] { nodes.compactMap { if case .element(let element) = $0 { element } else { nil } } }

    /// The element and all elements in it, in the order of the document.
    var all: [HTMLElement] { [self] + children.flatMap(\.all) }

    /// All texts in it.
    var text: String {
        nodes.map { node in
            switch node {
            case .text(let text): text
            case .element(let element): element.text
            }
        }.joined()
    }

    /// The element with the views of a view, as the script finds it.
    var container: HTMLElement? { all.first { $0.attributes["data-c"] != nil } }

    /// Returns the elements in it with a name, or a class in the form `.name`.
    func find(_ selector: String) -> [HTMLElement] {
        all.filter { element in
            guard selector.hasPrefix(".") else { return element.name == selector }
            return element.attributes["class"]?.split(separator: " ").contains(selector.dropFirst()) ?? false
        }
    }

    func first(_ selector: String) -> HTMLElement? { find(selector).first }

    subscript(_ attribute: String) -> String? { attributes[attribute] }

    var description: String {
        let attributes = attributes.sorted { $0.key < $1.key }.map { " \($0)=\"\($1)\"" }.joined()
        let content = nodes.map { node in
            switch node {
            case .text(let text): text
            case .element(let element): "\(element)"
            }
        }.joined()
        return "<\(name)\(attributes)>\(content)</\(name)>"
    }
}

/// Why something is not the HTML that we write.
struct HTMLProblem: Error, CustomStringConvertible {
    let description: String
}

/// Reads HTML much more strictly than a browser: each element is closed, each attribute has quotation marks, nothing
/// stands where a browser would move it elsewhere, and only what we mean to write is allowed.
struct HTMLReader {
    private var rest: ArraySlice<Unicode.Scalar>
    private var path: [String] = []

    private static let void: Set = ["meta", "link", "input", "img"]
    private static let elements: Set = [
        "html", "head", "meta", "title", "link", "noscript", "script", "body", "header", "nav", "main", "footer",
        "section", "div",
        "h1", "h2", "h3", "h4", "h5", "h6", "p", "span", "a", "ul", "li", "table", "thead", "tbody", "tr", "th", "td",
        "form", "input", "label", "select", "option", "textarea", "button", "figure", "figcaption", "iframe", "details",
        "summary", "progress", "video", "audio", "img", "pre", "code", "svg", "path", "g", "rect", "desc",
        "circle", "polygon", "time",
    ]
    private static let attributes: Set = [
        "http-equiv",
        "class", "id", "for", "name", "value", "type", "form", "method", "action", "href", "src", "poster", "alt",
        "role", "tabindex", "autofocus", "disabled", "required", "checked", "selected", "hidden", "open", "colspan",
        "data-label", "data-role", "datetime", "dir",
        "scope", "rows", "min", "max", "step", "maxlength", "inputmode", "autocomplete", "spellcheck", "autocapitalize",
        "lang", "charset", "content", "rel", "defer", "controls", "preload", "loading", "decoding", "data-c",
        "data-view", "data-section", "data-state", "data-inset", "data-columns", "data-offset",
        "data-header", "data-more", "data-open", "data-submits",
        "sandbox", "referrerpolicy", "title", "data-item-space", "data-line-space", "data-series",
        "data-confirm", "data-page", "data-revision", "data-site", "data-events", "viewBox", "width", "height", "fill",
        "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "preserveAspectRatio", "vector-effect", "d", "x",
        "y", "aria-hidden", "aria-label", "aria-labelledby", "aria-describedby", "aria-invalid", "aria-busy",
        "aria-current", "aria-live", "cx", "cy", "r", "rx", "points", "fill-rule", "stroke-dasharray",
    ]
    /// What a browser ends a paragraph at, or does not take into a button or heading.
    private static let blocks: Set = [
        "div", "p", "ul", "li", "table", "form", "figure", "details", "pre", "h1", "h2", "h3", "h4", "h5", "h6",
        "section", "main", "header", "footer", "nav",
    ]
    private static let phrasing: Set = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "button", "a", "span", "label", "code", "time",
    ]

    /// Returns the only element of a text.
    static func element(_ html: String) throws -> HTMLElement {
        let elements = try elements(html)
        guard elements.count == 1 else { throw HTMLProblem(description: "\(elements.count) elements: \(html)") }
        return elements[0]
    }

    /// Returns the elements of a text, with no text between them.
    static func elements(_ html: String) throws -> [HTMLElement] {
        var reader = HTMLReader(rest: Array(html.unicodeScalars)[...])
        let root = HTMLElement(name: "", attributes: [:])
        do {
            try reader.content(of: root)
            guard reader.rest.isEmpty else { throw reader.problem("an end tag too many") }
        } catch let error as HTMLProblem {
            throw HTMLProblem(description: "\(error) in \(html.prefix(20_000))")
        }
        guard root.children.count == root.nodes.count else { throw reader.problem("text between elements") }
        return root.children
    }

    /// Returns the root of a document.
    static func document(_ html: String) throws -> HTMLElement {
        let start = "<!DOCTYPE html>\n"
        guard html.hasPrefix(start), html.hasSuffix("\n") else { throw HTMLProblem(description: "no document") }
        return try element(String(html.dropFirst(start.count).dropLast()))
    }

    private func problem(_ text: String) -> HTMLProblem {
        HTMLProblem(
            description:
                "\(path.joined(separator: " ")): \(text), before: \(String(String.UnicodeScalarView(rest.prefix(60))))")
    }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    private mutating func word(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        let word = rest.prefix(while: isPart)
        rest = rest.dropFirst(word.count)
        return String(String.UnicodeScalarView(word))
    }

    private mutating func content(of element: HTMLElement) throws {
        while let next = rest.first {
            if next != "<" {
                element.nodes.append(.text(try text(until: "<")))
            } else if rest.starts(with: "</".unicodeScalars) {
                return
            } else {
                element.nodes.append(.element(try tag()))
            }
        }
    }

    private mutating func tag() throws -> HTMLElement {
        _ = skip("<")
        let name = word { ("a"..."z").contains($0) || ("0"..."9").contains($0) }
        guard HTMLReader.elements.contains(name) else { throw problem("the element \(name)") }
        try checkPlace(of: name)
        let element = HTMLElement(name: name, attributes: [:])
        path.append(name)
        defer { path.removeLast() }
        while skip(" ") {
            let attribute = word { $0 != "=" && $0 != ">" && $0 != " " && $0 != "/" && $0 != "\"" }
            guard HTMLReader.attributes.contains(attribute) else { throw problem("the attribute \(attribute)") }
            guard element.attributes[attribute] == nil else { throw problem("twice the attribute \(attribute)") }
            element.attributes[attribute] = ""
            if skip("=") {
                guard skip("\"") else { throw problem("no quotation mark") }
                element.attributes[attribute] = try text(until: "\"")
                guard skip("\"") else { throw problem("no quotation mark") }
            }
        }
        try checkURLs(of: element)
        if skip("/>") {
            guard ["path", "rect", "circle", "polygon"].contains(name) else { throw problem("closes itself") }
            return element
        }
        guard skip(">") else { throw problem("no end of the tag") }
        guard !HTMLReader.void.contains(name) else { return element }
        // HTML leaves out one line break here.
        if name == "textarea" { _ = skip("\n") }
        try content(of: element)
        guard skip("</\(name)>") else { throw problem("not closed") }
        if name == "script", !element.nodes.isEmpty { throw problem("a script in the document") }
        return element
    }

    /// Checks that a browser leaves an element where it is.
    private func checkPlace(of name: String) throws {
        if HTMLReader.blocks.contains(name), let outer = path.first(where: HTMLReader.phrasing.contains) {
            throw problem("\(name) in \(outer)")
        }
        if ["a", "button", "form", "label"].contains(name), path.contains(name) { throw problem("\(name) in another") }
        if ["a", "button"].contains(name), path.contains(where: { $0 == "a" || $0 == "button" }) {
            throw problem("\(name) in a control")
        }
        let parents: [String: Set<String>] = [
            "li": ["ul", ""], "tr": ["thead", "tbody", ""], "td": ["tr"], "th": ["tr"], "option": ["select"],
            "thead": ["table"], "tbody": ["table"], "summary": ["details"], "figcaption": ["figure"],
        ]
        if let allowed = parents[name], !allowed.contains(path.last ?? "") { throw problem("\(name) is misplaced") }
        let inner: [String: Set<String>] = [
            "ul": ["li"], "table": ["thead", "tbody"], "tbody": ["tr"], "thead": ["tr"], "tr": ["td", "th"],
            "select": ["option"],
        ]
        if let parent = path.last, let allowed = inner[parent], !allowed.contains(name) {
            throw problem("\(name) is misplaced")
        }
    }

    private func checkURLs(of element: HTMLElement) throws {
        for name in ["href", "src", "poster", "action"] {
            guard let url = element[name] else { continue }
            let isOurs = url.hasPrefix("/") && !url.hasPrefix("//") && !url.contains("/../") && !url.contains("\\")
            let isPicture = name != "href" && name != "action" && url.hasPrefix("data:image/")
            let isWeb =
                element.name == "a" && ["http://", "https://", "mailto:"].contains { url.lowercased().hasPrefix($0) }
            let isEmbedded = element.name == "iframe" && url.hasPrefix("https://maps.example/")
            let isHere = url == "#main"
            guard isOurs || isPicture || isWeb || isEmbedded || isHere else { throw problem("\(name) \(url)") }
            guard url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { throw problem("\(name) \(url)") }
        }
    }

    /// Reads text with character references up to a character.
    private mutating func text(until end: Unicode.Scalar) throws -> String {
        var text = ""
        while let scalar = rest.first, scalar != end {
            rest = rest.dropFirst()
            switch scalar {
            case "<", ">", "\"", "'": throw problem("\(scalar) in text")
            case "&":
                let name = word { $0 != ";" && $0 != "&" && $0 != "<" }
                let references = [
                    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "#x2028": "\u{2028}",
                    "#x2029": "\u{2029}",
                ]
                guard skip(";"), let character = references[name] else { throw problem("the reference \(name)") }
                text += character
            default:
                let isControl = scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
                guard !isControl else { throw problem("a control character") }
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
