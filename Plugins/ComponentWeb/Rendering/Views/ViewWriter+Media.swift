import ComponentKit
import PageKit

extension ViewWriter {
    mutating func image(_ content: ImageContent, _ node: ViewNode) {
        guard let action = node.action else { return picture(content.source, content.description, class: "image") }
        control(action, class: "plain picture") { writer in
            // A button needs a name even if its picture is an ornament.
            let name = content.description.isEmpty ? action.name : content.description
            writer.picture(content.source, name, class: "image", isInControl: true)
        }
    }

    /// Writes the small picture at the beginning of a row, which its title describes.
    mutating func thumbnail(_ source: ImageSource) { picture(source, "", class: "thumbnail", isInControl: true) }

    /// Writes a picture; where there is none to be shown, what is to be seen on it.
    ///
    /// - Parameter isInControl: Whether the place takes no link.
    private mutating func picture(
        _ source: ImageSource, _ description: String, class name: StaticString, isInControl: Bool = false
    ) {
        var start = HTMLWriter(capacity: 0)
        switch source {
        case .resource(let resource, let component):
            guard let owner = component ?? place.component, let url = places.resource(resource, of: owner) else {
                break
            }
            start.attribute("src", url)
        case .bytes(let bytes, let type):
            guard let type = ImageSource.shownTypes[type] else { break }
            start.attribute("src", picture: bytes, type: type)
        case .url(let url):
            // Nothing is loaded from other servers: that would tell them who reads the page.
            if isInControl { break }
            return external(url, description.isEmpty ? url : description)
        }
        guard !start.bytes.isEmpty else {
            out.markup(#"<span class="missing">"#)
            out.text(description)
            out.markup("</span>")
            return
        }
        out.markup(#"<img class=""#)
        out.markup(name)
        out.markup("\"")
        out.append(start)
        out.attribute("alt", description)
        out.markup(#" loading="lazy" decoding="async">"#)
    }

    mutating func icon(_ content: IconContent, _ node: ViewNode) {
        guard let action = node.action else { return icon(content, label: content.label) }
        control(action, class: "plain icon-button") { writer in
            writer.icon(content, label: content.label.isEmpty ? action.name : content.label)
        }
    }

    private mutating func icon(_ content: IconContent, label: String) {
        out.markup(#"<span class="icon-box">"#)
        if !out.icon(named: content.name, places) {
            guard let shape = IconShape(rawValue: content.name) else {
                out.text(label)
                return out.markup("</span>")
            }
            out.icon(shape, places)
        }
        if !label.isEmpty {
            out.markup(#"<span class="unseen">"#)
            out.text(label)
            out.markup("</span>")
        }
        out.markup("</span>")
    }

    mutating func player(_ content: PlayerContent) {
        out.markup(#"<figure class="player">"#)
        var url: WebURL?
        var name = ""
        switch content.source {
        case .resource(let resource, let component):
            name = resource
            url = (component ?? place.component).flatMap { places.resource(resource, of: $0) }
        case .file(let path, let component):
            name = path
            url = (component ?? place.component).flatMap { places.media(path, of: $0) }
        case .url(let address): external(address, content.title)
        }
        if let url {
            let isSound = name.isNameOfSound
            out.markup(isSound ? #"<audio controls preload="metadata""# : #"<video controls preload="metadata""#)
            out.attribute("src", url)
            out.attribute("aria-label", content.title)
            if !isSound { poster(content.poster) }
            out.markup(isSound ? "></audio>" : "></video>")
        }
        out.markup("<figcaption>")
        out.text(content.title)
        if let duration = content.duration, let clock = duration.clock {
            out.markup(#" <span class="caption">"#)
            out.text(clock)
            out.markup("</span>")
        }
        out.markup("</figcaption></figure>")
    }

    private mutating func poster(_ source: ImageSource?) {
        switch source {
        case .resource(let name, let component):
            guard let owner = component ?? place.component, let url = places.resource(name, of: owner) else { return }
            out.attribute("poster", url)
        case .bytes(let bytes, let type):
            if let type = ImageSource.shownTypes[type] { out.attribute("poster", picture: bytes, type: type) }
        case .url, nil: break
        }
    }
}

extension ImageSource {
    /// The media types that a browser shows as pictures without running anything in them.
    fileprivate static let shownTypes: [String: StaticString] = [
        "image/png": "image/png", "image/jpeg": "image/jpeg", "image/gif": "image/gif", "image/webp": "image/webp",
    ]
}

extension String {
    fileprivate var isNameOfSound: Bool {
        let ending = utf8.lastIndex(of: UInt8(ascii: ".")).map { self[index(after: $0)...].lowercased() } ?? ""
        return ["mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac", "weba"].contains(ending)
    }
}

extension Double {
    /// A duration in seconds as in `1:02:03`; nil if it is not one.
    fileprivate var clock: String? {
        guard isFinite, (0...1e9).contains(self) else { return nil }
        let seconds = Int(rounded())
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        guard seconds >= 3600 else { return "\(seconds / 60):\(padded(seconds % 60))" }
        return "\(seconds / 3600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    }
}
