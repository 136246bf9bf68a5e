import ComponentKit
import NIOCore
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Passwords that are tried")
struct SignInGateTests {
    private final class SetClock: Sendable {
        let now = Lock(ContinuousClock.now)

        func pass(_ time: Duration) { now.withLock { $0 += time } }
    }

    private let clock = SetClock()
    private static let digest = Result { try PasswordDigest(of: "correct horse") }

    private func gate() throws -> SignInGate {
        SignInGate(try SignInGateTests.digest.get(), now: { [clock] in clock.now.withLock { $0 } })
    }

    private func address(_ text: String) throws -> Guesser {
        .stranger(ClientAddress(try SocketAddress(ipAddress: text, port: 1)))
    }

    @Test("after four wrong ones the next one has to wait, even if it is right")
    func waiting() async throws {
        let gate = try gate()
        for guesser in [Guesser.stranger(nil), .known(browser: "a"), try address("192.0.2.1")] {
            func attempt(_ password: String) async throws -> SignInGate.Answer {
                try await gate.attempt(password, from: guesser)
            }
            for _ in 0..<4 { #expect(try await attempt("wrong") == .wrong) }
            #expect(try await attempt("correct horse") == .wait(seconds: 1))
            clock.pass(.milliseconds(999))
            #expect(try await attempt("correct horse") == .wait(seconds: 1))
            clock.pass(.milliseconds(1))
            #expect(try await attempt("correct horse") == .right)
            #expect(try await attempt("wrong") == .wrong)
            #expect(try await attempt("correct horse") == .right)
        }
    }

    @Test("wrong ones of others keep out neither a known browser nor another address")
    func others() async throws {
        let gate = try gate()
        let (attacker, other) = (try address("192.0.2.1"), try address("192.0.2.2"))
        for _ in 0..<4 { _ = try await gate.attempt("wrong", from: attacker) }
        #expect(try await gate.attempt("correct horse", from: attacker) == .wait(seconds: 1))
        for guesser in [other, .known(browser: "a"), .stranger(nil)] {
            #expect(try await gate.attempt("correct horse", from: guesser) == .right)
        }
        // What is right elsewhere takes no pause away.
        #expect(try await gate.attempt("correct horse", from: attacker) == .wait(seconds: 1))
    }

    @Test("those that come while another one is checked have their turn after it")
    func turns() async throws {
        let gate = try gate()
        let answers = try await withThrowingTaskGroup(of: SignInGate.Answer.self) { group in
            for number in 0..<8 {
                group.addTask { try await gate.attempt("correct horse", from: .known(browser: "\(number)")) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .right, count: 8))
    }

    @Test("many at a time from one address are not all checked before the first failure counts")
    func atOnce() async throws {
        let gate = try gate()
        let attacker = try address("192.0.2.1")
        let answers = try await withThrowingTaskGroup(of: SignInGate.Answer.self) { group in
            for _ in 0..<20 { group.addTask { try await gate.attempt("wrong", from: attacker) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect((1...4).contains(answers.count { $0 == .wrong }), "\(answers)")
        #expect(!answers.contains(.right))
        #expect(try await gate.attempt("correct horse", from: .stranger(nil)) == .right)
    }
}

@Suite("Browsers in which the password has been given", .enabled(if: WebPlace.isComplete))
struct KnownBrowserTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test("sign in although a stranger has tried too many wrong passwords")
    func owner() async throws {
        let hash = try PasswordDigest(of: "correct horse")
        try await place.withWeb(#""password": "\#(hash)""#) { web in
            let first = try await web.ask("GET", "/pages/home")
            func signIn(_ secret: String, with cookies: [String] = []) async throws -> HTTPAnswer {
                let form = ["token": try #require(first.token), "secret": secret, "next": "/pages/home"]
                let cookie = ([try #require(first.cookie)] + cookies).joined(separator: "; ")
                return try await web.ask("POST", "/sign-in", ["Cookie": cookie], body: form.urlEncoded)
            }
            let right = try await signIn("correct horse")
            #expect(right.status == 303 && right.cookies.count == 2)
            let known = try #require(right.cookies.last)
            // The pause grows with each, so that the last ones are refused however long the former ones have taken.
            let isRefused = await holds { try await signIn("wrong").status == 429 }
            #expect(isRefused)
            #expect(try await signIn("correct horse", with: [known]).status == 303)
            // The cookie alone signs no one in, and one that somebody has changed says nothing.
            #expect(try await web.ask("GET", "/pages/home", ["Cookie": known]).status == 401)
            let name = try #require(known.split(separator: "=").first)
            for other in [known + "x", "\(name)=a.\(Int.min).b", "\(name)=a.\(Int.max).b", "\(name)="] {
                // If the pause ends between two tries, all of them begin again.
                #expect(
                    await holds {
                        guard try await signIn("wrong").status == 429 else { return false }
                        return try await signIn("correct horse", with: [other]).status == 429
                    }, "\(other)")
            }
        }
    }
}
