import Crypto
import Foundation
import NXKit
import NXUIContract

/// The look of pages, as another component has described it: a style sheet of our own, and icons.
///
/// What is described becomes part of CSS and HTML, so nothing of it is passed on as it is: colours and sizes are read as
/// numbers, names of fonts have letters, digits, spaces and dashes only, and icons are written anew.
struct WebLook: Sendable {
    /// What comes after the style sheet of pages.
    let styleSheet: [UInt8]
    /// A hash of everything, which is in the address of the style sheet.
    let version: String
    /// The icons, by the bytes of their names.
    private let drawings: [[UInt8]: IconDrawing]

    private static let mostFonts = 20
    private static let mostIcons = 200
    private static let sizes = 0...64
    /// The contrast that texts need, at least those in large letters (WCAG 2.2, 1.4.3).
    private static let leastContrast = 3.0

    /// Checks what a component has described.
    ///
    /// - Throws: what is wrong with it, and then nothing of it is used.
    init(_ look: Look) throws(LookProblem) {
        let style = look.style
        for (name, size) in [("spacing", style.spacing), ("cornerRadius", style.cornerRadius)] {
            guard WebLook.sizes.contains(size) else {
                throw LookProblem(name, expected: "0 to 64", found: "\(size)")
            }
        }
        let common = [
            "font-family: \(try WebLook.fonts(style.fonts))", "--gap: \(style.spacing)px",
            "--radius: \(style.cornerRadius)px", "--small-radius: \(style.cornerRadius * 2 / 3)px",
        ]
        let light = try WebLook.variables(style.light, "light")
        let dark = try WebLook.variables(style.dark, "dark")
        let css = """
            :root { \((common + light).joined(separator: "; ")) }
            @media (prefers-color-scheme: dark) { :root { \(dark.joined(separator: "; ")) } }

            """
        styleSheet = Array(css.utf8)
        drawings = try WebLook.drawings(look.icons)
        var hash = SHA256()
        hash.update(data: styleSheet)
        for (name, drawing) in drawings.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            hash.update(data: name + [0] + drawing.out.bytes + [0])
        }
        version = String(Data(hash.finalize()).base64URL.prefix(16))
    }

    /// Returns the drawing of an icon; nil if it is not among those of the component.
    func drawing(_ name: String) -> IconDrawing? { drawings[Array(name.utf8)] }

    private static let genericFonts = [
        "serif", "sans-serif", "monospace", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded",
    ]

    private static func fonts(_ names: [String]) throws(LookProblem) -> String {
        guard (1...mostFonts).contains(names.count) else {
            throw LookProblem("fonts", expected: "1 to \(mostFonts)", found: "\(names.count)")
        }
        var fonts: [String] = []
        for font in names {
            let isName = font.utf8.allSatisfy { $0.isLetterOrDigit || " -".utf8.contains($0) }
            guard isName, (1...64).contains(font.utf8.count) else {
                throw LookProblem("fonts", expected: "up to 64 letters, digits, spaces and dashes", found: font)
            }
            fonts.append(genericFonts.contains(font) ? font : "\"\(font)\"")
        }
        return (fonts + ["sans-serif"]).joined(separator: ", ")
    }

    /// The variables of the style sheet of pages, as far as they are colours.
    private static func variables(_ palette: Palette, _ name: String) throws(LookProblem) -> [String] {
        func color(_ path: KeyPath<Palette, String>, _ key: String) throws(LookProblem) -> RGBColor {
            guard let color = RGBColor(palette[keyPath: path]) else {
                throw LookProblem("\(name).\(key)", expected: "a colour as #RRGGBB", found: palette[keyPath: path])
            }
            return color
        }
        let (ground, surface) = (try color(\.background, "background"), try color(\.surface, "surface"))
        let (text, muted) = (try color(\.text, "text"), try color(\.muted, "muted"))
        let (accent, onAccent) = (try color(\.accent, "accent"), try color(\.onAccent, "onAccent"))
        let (success, failure) = (try color(\.success, "success"), try color(\.danger, "danger"))
        func check(_ key: String, _ front: RGBColor, on back: RGBColor) throws(LookProblem) {
            guard front.contrast(with: back) < leastContrast else { return }
            throw LookProblem("\(name): \(key)", expected: "a contrast of 3 or more", found: "\(front) on \(back)")
        }
        for (key, front) in [
            ("text", text), ("muted", muted), ("accent", accent), ("success", success), ("danger", failure),
        ] {
            try check("\(key) on background", front, on: ground)
            try check("\(key) on surface", front, on: surface)
        }
        try check("onAccent on accent", onAccent, on: accent)
        let variables = [
            ("ground", ground), ("surface", surface), ("raised", text.mixed(6, with: surface)), ("text", text),
            ("muted", muted), ("line", try color(\.border, "border")), ("edge", muted.mixed(75, with: surface)),
            ("accent", accent), ("accent-strong", accent.mixed(75, with: text)), ("on-accent", onAccent),
            ("accent-soft", accent.mixed(10, with: surface)), ("success", success),
            ("success-soft", success.mixed(10, with: surface)), ("failure", failure),
            ("failure-soft", failure.mixed(10, with: surface)), ("s1", accent),
        ]
        return variables.map { "--\($0.0): \($0.1)" }
    }

    private static func drawings(_ icons: [Icon]) throws(LookProblem) -> [[UInt8]: IconDrawing] {
        guard icons.count <= mostIcons else {
            throw LookProblem("icons", expected: "at most \(mostIcons)", found: "\(icons.count)")
        }
        var drawings: [[UInt8]: IconDrawing] = [:]
        for icon in icons {
            let name = Array(icon.name.utf8)
            let isName = name.allSatisfy { $0.isLetterOrDigit || "_.-".utf8.contains($0) }
            guard isName, (1...64).contains(name.count) else {
                throw LookProblem(
                    "icons", expected: "names of up to 64 letters, digits, \"_\", \".\" or \"-\"", found: icon.name)
            }
            guard drawings[name] == nil else {
                throw LookProblem("icons", expected: "each name once", found: icon.name)
            }
            guard let drawing = IconDrawing(svg: icon.data) else {
                throw LookProblem(
                    "icons", expected: "an SVG of at most \(IconDrawing.mostBytes) bytes with shapes only",
                    found: icon.name)
            }
            drawings[name] = drawing
        }
        return drawings
    }
}

extension RGBColor {
    /// Returns the colour between this one and another, of which the rest is made.
    ///
    /// - Parameter percent: how much of this colour is in it.
    fileprivate func mixed(_ percent: Int, with other: RGBColor) -> RGBColor {
        func part(_ one: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Int(one) * percent + Int(other) * (100 - percent) + 50) / 100)
        }
        return RGBColor(red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue))
    }
}

/// What is wrong with a look.
struct LookProblem: Error, Hashable, CustomStringConvertible {
    /// What is wrong, with what was expected.
    let description: String

    init(_ place: String, expected: String, found: String) {
        // Scalars are counted, since a single character may have any number of marks.
        let shown = String(found.unicodeScalars.prefix(60))
        description = "\(place): expected \(expected), found \(shown.debugDescription)"
    }
}
