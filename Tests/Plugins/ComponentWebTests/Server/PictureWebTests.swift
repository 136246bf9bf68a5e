import Foundation
import TestSupport
import Testing

@Suite(
    "The pages of pictures are shown to browsers",
    .enabled(
        if: WebPlace.isComplete
            && FileManager.default.fileExists(atPath: BuiltProducts.component("ComponentImage").path)))
struct PictureWebTests {
    let place: WebPlace

    private static let description = BuiltProducts.packageDirectory.appending(
        path: "Plugins/ComponentImage/gd.hslink.json")

    private static let hasLibrary = ["x86_64-linux-gnu", "aarch64-linux-gnu"].contains {
        FileManager.default.fileExists(atPath: "/usr/lib/\($0)/libgd.so.3")
    }

    init() throws {
        place = try WebPlace()
        try place.directory.makeDirectory("data/ComponentImage/pictures")
        try place.directory.setMode(0o700, of: "data/ComponentImage")
        let picture = try Samples.bytes(of: "rgb8.png")
        for name in ["a.png", "<b>&\"c\".png", "e\u{301}.png"] {
            try place.directory.write(picture, to: "data/ComponentImage/pictures/\(name)")
        }
    }

    @Test("from the gallery to a picture, whatever its name, and to nothing else")
    func pictures() async throws {
        try await place.withWeb(others: WebPlace.others + ["ComponentImage"]) { web in
            let cookie = try await web.newCookie()
            let links = ["a.png", "%3Cb%3E%26%22c%22.png", "e%CC%81.png"].map { "/pages/picture?name=\($0)" }
            for link in links {
                let isListed = await holds {
                    try await web.ask("GET", "/pages/gallery", ["Cookie": cookie]).text.contains("href=\"\(link)\"")
                }
                #expect(isListed, "\(link)")
                let isShown = await holds {
                    let page = try await web.ask("GET", link, ["Cookie": cookie])
                    return page.status == 200 && page.text.contains("37 × 23 pixels") && !page.text.contains("<b>&")
                }
                #expect(isShown, "\(link)")
            }
            for name in ["missing.png", "%C3%A9.png", "..", "%2Fetc%2Fpasswd", ".a.png"] {
                let isMissing = await holds {
                    try await web.ask("GET", "/pages/picture?name=\(name)", ["Cookie": cookie]).status == 404
                }
                #expect(isMissing, "\(name)")
            }
            for query in ["", "?x=1", "?name=a.png&name=b"] {
                let answer = try await web.ask("GET", "/pages/picture\(query)", ["Cookie": cookie])
                #expect(answer.status == 400, "\(query)")
            }
        }
    }

    @Test("a picture is edited in a form, and the edit is undone", .enabled(if: hasLibrary, "libgd is needed"))
    func edit() async throws {
        try await place.withWeb(others: WebPlace.others + ["ComponentImage"]) { web in
            try web.plugins.add(file: PictureWebTests.description)
            web.host.rescan()
            let cookie = try await web.newCookie()
            let json = ["Accept": "application/json"]
            let page = "picture%3Fname%3Da.png"
            func crop(width: String) async throws -> HTTPAnswer {
                let fields = ["x": "1", "y": "2", "width": width, "height": "4"]
                return try await web.perform(page, "edit", actionWith: "\"crop\"", fields, cookie: cookie, json)
            }
            for width in ["", "0", "x", "37"] { #expect(try await crop(width: width).status == 422, "\(width)") }
            let new = "/pages/picture?name=a-crop.png"
            #expect(try await crop(width: "3").text == #"{"page":"picture?name=a-crop.png","url":"\#(new)"}"#)
            let isShown = await holds {
                try await web.ask("GET", new, ["Cookie": cookie]).text.contains("3 × 4 pixels")
            }
            #expect(isShown)
            let undone = try await web.perform(
                "picture%3Fname%3Da-crop.png", "image.picture", actionWith: "\"undo\"", cookie: cookie, json)
            #expect(undone.text == #"{"page":"picture?name=a.png","url":"/pages/picture?name=a.png"}"#)
            #expect(await holds { try await web.ask("GET", new, ["Cookie": cookie]).status == 404 })
        }
    }
}
