import PageKit

extension ViewWriter {
    mutating func text(_ content: TextContent, _ node: ViewNode, in context: ViewContext) {
        func words(_ writer: inout ViewWriter) {
            if let action = node.action {
                writer.control(action, class: "plain") { $0.out.text(content.text) }
            } else {
                writer.out.text(content.text)
            }
        }
        switch content.style {
        case .title: heading(class: "text title", in: context, words)
        case .heading: heading(class: "text heading", in: context, words)
        case .body: paragraph("<p class=\"text\">", words)
        case .caption: paragraph("<p class=\"text caption\">", words)
        case .code:
            out.markup(#"<pre class="code"><code>"#)
            words(&self)
            out.markup("</code></pre>")
        case .success: paragraph("<p class=\"text note success\">", icon: .check, says: "Done:", words)
        case .warning: paragraph("<p class=\"text note warning\">", icon: .warning, says: "Warning:", words)
        case .failure: paragraph("<p class=\"text note failure\">", icon: .failure, says: "Error:", words)
        }
    }

    private mutating func paragraph(_ start: StaticString, _ words: (inout ViewWriter) -> Void) {
        out.markup(start)
        words(&self)
        out.markup("</p>")
    }

    /// Writes a remark. Its meaning is in a sign and in a word for people who see neither that nor its colour.
    private mutating func paragraph(
        _ start: StaticString, icon: IconShape, says word: StaticString, _ words: (inout ViewWriter) -> Void
    ) {
        out.markup(start)
        out.icon(icon)
        out.markup(#"<span><span class="unseen">"#)
        out.markup(word)
        out.markup(" </span>")
        words(&self)
        out.markup("</span></p>")
    }

    mutating func hyperlink(_ content: HyperlinkContent) {
        external(content.url, content.title)
    }

    /// Writes a link to the web; only its title if the URL is not valid.
    mutating func external(_ address: String, _ title: String) {
        guard let url = WebURL(web: address) else {
            out.markup(#"<span class="text">"#)
            out.text(title)
            out.markup("</span>")
            return
        }
        out.markup(#"<a class="external" rel="external noopener noreferrer""#)
        out.attribute("href", url)
        out.markup(">")
        out.text(title)
        out.markup("</a>")
    }

    mutating func button(_ content: ButtonContent, _ node: ViewNode) {
        guard let action = node.action else {
            out.markup(#"<button class="button" type="button" disabled>"#)
            out.text(content.title)
            out.markup("</button>")
            return
        }
        let name: StaticString =
            switch content.role {
            case .normal: "button"
            case .primary: "button primary"
            case .destructive: "button destructive"
            }
        control(action, class: name) { $0.out.text(content.title) }
    }

    mutating func placeholder(_ content: PlaceholderContent) {
        out.markup(
            content.isLoading ? #"<p class="placeholder loading" aria-busy="true">"# : #"<p class="placeholder">"#)
        out.text(content.text)
        out.markup("</p>")
    }

    mutating func failure(_ content: FailureContent) {
        out.markup(#"<div class="note failure" role="alert">"#)
        out.icon(.failure)
        out.markup("<div><p>")
        out.text(content.message)
        out.markup("</p>")
        if let advice = content.advice {
            out.markup(#"<p class="caption">"#)
            out.text(advice)
            out.markup("</p>")
        }
        out.markup("</div></div>")
    }
}
