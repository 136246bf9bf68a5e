/// The icons that all components share: lines in a square of 24 by 24, in the colour of the text.
enum IconShape: String, CaseIterable {
    case account, guest, users, key, lock, unlock, power
    case home, settings, search, plus, minus, check, close, edit, trash, refresh, more, filter
    case warning, failure, info, help, bell, star, heart, flag, tag
    case picture, film, music, camera, play, pause, microphone
    case file, folder, download, upload, link, mail, phone, calendar, clock, place, company, cart, list
    case chart, gauge, network, server, database, component, bolt, cloud, terminal, globe, eye
    case back, left, right, up, down

    /// What is drawn, as the data of an SVG path.
    fileprivate var path: StaticString {
        switch self {
        case .account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5"
        case .guest: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.8-3.6 3.7-5.5 7.5-5.5M17 14v3l2 1M17 21h.01"
        case .users:
            """
            M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.6-3.2 3-5 6.5-5s5.9 1.8 6.5 5\
            M16 5.2a3.5 3.5 0 0 1 0 6.6M18 15c2 .7 3.2 2.3 3.5 4.5
            """
        case .key: "M8 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM11 10.5 20 4M16.5 6.5l2.5 3"
        case .lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3"
        case .unlock: "M6 11h12v9H6zM8.5 11V7a3.5 3.5 0 0 1 6.7-1.4"
        case .power: "M12 3v8M6.5 6.5a8 8 0 1 0 11 0"
        case .home: "M4 11.5 12 4l8 7.5M6 10v10h4.5v-6h3v6H18V10"
        case .settings:
            """
            M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z\
            M9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z
            """
        case .search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20"
        case .plus: "M12 5v14M5 12h14"
        case .minus: "M5 12h14"
        case .check: "m5 12.5 4.5 4.5L19 7.5"
        case .close: "m6 6 12 12M18 6 6 18"
        case .edit: "m4 20 1-4L16 5l3 3L8 19l-4 1ZM14 7l3 3"
        case .trash: "M4.5 7h15M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5"
        case .refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 4v4.5H15"
        case .more: "M6 12h.01M12 12h.01M18 12h.01"
        case .filter: "M4 5h16l-6.5 8v5L10.5 20v-7Z"
        case .warning: "M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17h.01"
        case .failure: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7.5v5.5M12 16h.01"
        case .info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 8h.01"
        case .help:
            "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5h.01"
        case .bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1h-15ZM10 20.5h4"
        case .star: "m12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8Z"
        case .heart: "M12 20C6 16 4 13 4 9.7A4.3 4.3 0 0 1 12 7.5a4.3 4.3 0 0 1 8 2.2C20 13 18 16 12 20Z"
        case .flag: "M6 21V4M6 5h12l-3 4 3 4H6"
        case .tag: "M4 4h8l8 8-8 8-8-8ZM8 8h.01"
        case .picture: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 9h.01"
        case .film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4"
        case .music:
            """
            M9 18V6l10-2v12M6.5 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z\
            M16.5 18.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z
            """
        case .camera: "M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z"
        case .play: "M7 5v14l11.5-7Z"
        case .pause: "M8 5v14M16 5v14"
        case .microphone: "M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0ZM6 11a6 6 0 0 0 12 0M12 17v3.5M8.5 20.5h7"
        case .file: "M6 3h8l4 4v14H6zM14 3v4h4"
        case .folder: "M3.5 6h6l2 2.5h9V19h-17z"
        case .download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15"
        case .upload: "M12 15.5v-11M7.5 9 12 4.5 16.5 9M4.5 20h15"
        case .link:
            "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1"
        case .mail: "M3.5 6h17v12h-17zM4 7l8 6 8-6"
        case .phone: "M7 3h10v18H7zM11 18h2"
        case .calendar: "M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4"
        case .clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2"
        case .place:
            "M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21ZM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z"
        case .company: "M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3"
        case .cart: "M3 4h2.5l2 11h10L20 7H6.2M9 19.5h.01M16 19.5h.01"
        case .list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01"
        case .chart: "M4 4v16h16M8.5 16v-4M13 16V8M17.5 16v-6"
        case .gauge: "M4.5 18a9 9 0 1 1 15 0M12 14l4-5"
        case .network:
            """
            M12 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM5.5 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z\
            M18.5 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM12 8v4M5.5 16v-4h13v4
            """
        case .server: "M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01"
        case .database:
            """
            M12 9c4.4 0 7-1.2 7-3s-2.6-3-7-3-7 1.2-7 3 2.6 3 7 3ZM5 6v12c0 1.8 2.6 3 7 3s7-1.2 7-3V6\
            M5 12c0 1.8 2.6 3 7 3s7-1.2 7-3
            """
        case .component: "M4 8h4.5a2.2 2.2 0 1 1 4 0H16v3.5a2.2 2.2 0 1 1 0 4V20H4Z"
        case .bolt: "M13 3 5 13.5h6L10 21l9-11h-6Z"
        case .cloud: "M7 18.5a4 4 0 0 1-.5-8A5.5 5.5 0 0 1 17 9.5a4.5 4.5 0 0 1 .5 9Z"
        case .terminal: "M3.5 5h17v14h-17zM7 9.5l3 2.5-3 2.5M12.5 15H17"
        case .globe:
            """
            M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18\
            M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3Z
            """
        case .eye:
            """
            M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z\
            M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z
            """
        case .back: "M20 12H4M11 5l-7 7 7 7"
        case .left: "m14.5 5-7 7 7 7"
        case .right: "m9.5 5 7 7-7 7"
        case .up: "m5 14.5 7-7 7 7"
        case .down: "m5 9.5 7 7 7-7"
        }
    }
}

extension HTMLWriter {
    /// Writes an icon as an ornament: as the look has it, or else as we draw it.
    mutating func icon(_ shape: IconShape, _ places: WebPlaces) {
        if icon(named: shape.rawValue, places) { return }
        markup(#"<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" "#)
        markup(#"stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=""#)
        markup(shape.path)
        markup("\"/></svg>")
    }

    /// Writes an icon of the look as an ornament.
    ///
    /// - Returns: False if the look has none with this name; nothing is written then.
    mutating func icon(named name: String, _ places: WebPlaces) -> Bool {
        guard let drawing = places.look()?.drawing(name) else { return false }
        append(drawing.out)
        return true
    }
}
