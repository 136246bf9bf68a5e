import ComponentKit
import Foundation
import PageKit
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Pages with values are shown to browsers", .enabled(if: WebPlace.isComplete))
struct PageValueWebTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    /// Adds an address of the guest who has the cookie, and returns its number.
    private func add(_ label: String, to cookie: String, on web: WebHost) async throws -> Int {
        let address: Payload = ["label": .string(label), "street": "Street 1", "city": "Delft"]
        // The name and the kind come before the id of the session.
        let session = try Session(id: String(try #require(cookie.split(separator: ".").dropFirst().first)))
        return try await Session.with(session) {
            try await web.host.call("OwnerLink", "addAddress", address).int("id")
        }
    }

    @Test("from the list to an address, which is changed and deleted, and back")
    func tour() async throws {
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            let id = try await add("Home", to: cookie, on: web)
            let link = "/pages/address?id=\(id)"
            let isListed = await holds {
                try await web.ask("GET", "/pages/owner", ["Cookie": cookie]).text.contains("href=\"\(link)\"")
            }
            #expect(isListed)
            let page = try await web.ask("GET", link, ["Cookie": cookie])
            #expect(page.status == 200 && page.text.contains("/pages/address%3Fid%3D\(id)/events"))
            let path = "address%3Fid%3D\(id)"
            let changed = try await web.perform(
                path, "edit", actionWith: "changeAddress", ["label": "Work", "street": "2", "city": "Turin"],
                cookie: cookie)
            #expect(changed.status == 303 && changed.headers["location"] == link)
            #expect(
                await holds {
                    try await web.ask("GET", link, ["Cookie": cookie]).text.contains("Turin")
                })
            // Without a script, the question is a page of its own.
            let question = try await web.perform(
                path, "owner.address", actionWith: "deleteAddressAndLeave", cookie: cookie, confirmed: false)
            #expect(question.status == 200 && question.text.contains("Delete the address Work?"))
            #expect(question.text.contains("href=\"\(link)\""))
            let wrong = try await web.perform(
                path, "edit", actionWith: "changeAddress", ["label": " ", "street": "2", "city": "Turin"],
                cookie: cookie)
            #expect(wrong.status == 422)
            let deleted = try await web.perform(
                path, "owner.address", actionWith: "deleteAddressAndLeave", cookie: cookie,
                ["Accept": "application/json"])
            #expect(deleted.text == #"{"page":"owner","url":"/pages/owner"}"#)
            #expect(await holds { try await web.ask("GET", link, ["Cookie": cookie]).status == 404 })
            let list = try await web.ask("GET", "/pages/owner", ["Cookie": cookie])
            #expect(list.status == 200 && !list.text.contains(link))
        }
    }

    @Test("a value that is missing, unknown or wrong is said, and one for which there is nothing is not found")
    func refused() async throws {
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            let id = try await add("Home", to: cookie, on: web)
            let own = ["Cookie": cookie]
            #expect(await holds { try await web.ask("GET", "/pages/address?id=\(id)", own).status == 200 })
            let long = String(repeating: "x", count: 3000)
            for (query, status, words) in [
                ("", 400, "id"), ("?", 400, "id"), ("?id", 400, "id"), ("?id=", 400, "id"), ("?id=x", 400, "id"),
                ("?id=\(id)&id=\(id)", 400, "id"), ("?id=\(id)&x=1", 400, "x"), ("?x=%1B%00", 400, "x"),
                ("?id=%ff", 400, "id"), ("?id=\(id)&i%64%CC%81=1", 400, "no value"), ("?id=\(long)", 400, "too long"),
                ("?id=%3Cscript%3E", 400, "id"), ("?id=4040", 404, "no such page"),
            ] {
                // A module that takes long to say so is waited for.
                let isRefused = await holds {
                    try await web.ask("GET", "/pages/address\(query)", own).status == status
                }
                #expect(isRefused, "\(query)")
                let answer = try await web.ask("GET", "/pages/address\(query)", own)
                #expect(answer.text.contains(words) && !answer.text.contains("<script>"), "\(query)")
            }
            let slash = try await web.ask("GET", "/pages/address/?id=\(id)")
            #expect(slash.headers["location"] == "/pages/address?id=\(id)")
            #expect(try await web.ask("GET", "/pages/home?x=1").status == 400)
            #expect(try await web.ask("GET", "/pages/address%3Fid%3D\(id)?x=1").status == 400)
        }
    }

    @Test("one browser may look at very many of them")
    func many() async throws {
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            var ids: [Int] = []
            for number in 0..<TestLength.rounds(150, long: 1000) {
                ids.append(try await add("a\(number)", to: cookie, on: web))
            }
            for id in ids {
                let shows = await holds {
                    try await web.ask("GET", "/pages/address?id=\(id)", ["Cookie": cookie]).status == 200
                }
                #expect(shows, "\(id)")
            }
            #expect(try await web.ask("GET", "/pages/home", ["Cookie": cookie]).status == 200)
        }
    }

    @Test(
        "people are told in a sentence why there is no such page, and programs exactly",
        arguments: [
            (PageError.unknownPage(id: "a?id=7", similar: nil), "Its address may be wrong, or it is gone."),
            (.unknownPage(id: "hom", similar: "home"), #"Did you mean "home"?"#),
            (.deleted(id: "a"), "It has just been deleted."),
            (
                .actionNotOffered(page: "a", section: "b"),
                "This button has changed meanwhile. The page is up to date now; try again."
            ),
            (
                .invalidPageValue(page: "a", value: "id", reason: "the value \"id\" is missing"),
                #"The page "a": the value "id" is missing."#
            ),
        ])
    func sentences(error: PageError, text: String) {
        let failure = WebFailure(error)
        #expect(failure.text == text)
        #expect(failure.reason == error.description)
    }

    @Test("what exactly is wrong with an action is told to nobody")
    func exact() {
        let failure = WebFailure(PageError.actionFailed(message: "/secret", forPeople: "It could not be done."))
        #expect(failure.text == "It could not be done." && failure.reason == nil)
    }

    @Test("who signs in first sees the page with its values then")
    func signIn() async throws {
        let hash = try PasswordDigest(of: "correct horse")
        try await place.withWeb(#""password": "\#(hash)""#) { web in
            let first = try await web.ask("GET", "/pages/address?id=3")
            #expect(first.status == 401 && first.text.contains("/pages/address?id=3"))
            let cookie = try #require(first.cookie)
            for (next, location) in [
                ("/pages/address?id=3", "/pages/address?id=3"),
                ("/pages/address?b=x y&a=\u{1B}", "/pages/address?a=%1B&b=x%20y"),
                ("/pages/home", "/pages/home"), ("//evil.example/pages/a?b=c", "/"), ("/?x=//evil.example", "/"),
            ] {
                let form = ["token": try #require(first.token), "secret": "correct horse", "next": next]
                let answer = try await web.ask("POST", "/sign-in", ["Cookie": cookie], body: form.urlEncoded)
                #expect(answer.status == 303 && answer.headers["location"] == location, "\(next)")
            }
        }
    }
}
