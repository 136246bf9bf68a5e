import ComponentKit
import ComponentOwnerContract
import Foundation
import NXKit
import NXUIContract

/// Paints portraits, with the colours and icons of NXUI if it is there.
struct PortraitPainter: Sendable {
    private let ui: ServiceFinder<UIServiceClient>

    private static let mediaType = "image/svg+xml"

    init(_ link: Link) { ui = ServiceFinder(link) }

    /// Returns the portrait of an owner. Never fails: a component that is missing or broken costs its part only.
    func portrait(of owner: Owner) async -> Portrait {
        do {
            let client = try await ui.client()
            if owner.isGuest {
                let icon = try await client.icon(name: "guest")
                return Portrait(mediaType: icon.mediaType, data: icon.data)
            }
            let colors = try await client.style().light
            return portrait(owner.name, background: colors.accent, text: colors.onAccent)
        } catch {
            ui.forget()
            return portrait(owner.name, background: "#555555", text: "#FFFFFF")
        }
    }

    private func portrait(_ name: String, background: String, text: String) -> Portrait {
        let initials = name.split(whereSeparator: \.isWhitespace).prefix(2).compactMap(\.first).map { $0.uppercased() }
        let picture = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img">
            <rect width="48" height="48" rx="24" fill="\(background.xmlEscaped)"/>
            <text x="24" y="24" fill="\(text.xmlEscaped)" font-family="sans-serif" font-size="20"
            text-anchor="middle" dominant-baseline="central">\(initials.joined().xmlEscaped)</text>
            </svg>

            """
        return Portrait(mediaType: PortraitPainter.mediaType, data: Data(picture.utf8))
    }
}

extension String {
    /// The text as XML, also between quotation marks.
    fileprivate var xmlEscaped: String {
        var escaped = ""
        for character in unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
