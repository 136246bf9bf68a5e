import ComponentHost
import ComponentKit
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Connections that others need", .enabled(if: WebPlace.isComplete))
struct ConnectionTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test(
        "one that does not send a whole request soon is closed",
        arguments: ["", "GET /pages/home HTTP/1.1\r\nHost: localhost\r\n"])
    func silent(text: String) async throws {
        try await place.withWeb { web in
            let port = web.port
            let part = try await onOwnThread {
                let connection = try RawConnection(port: port)
                connection.send(text)
                return connection.read()
            }
            // The end, and not nothing for a while.
            #expect(part == [])
        }
    }

    @Test("one that asks for many answers and takes none is closed")
    func unread() async throws {
        try await place.withWeb { web in
            let port = web.port
            let connection = try await onOwnThread {
                let connection = try RawConnection(port: port)
                // More than the system takes for both sides.
                let request = "GET /resources/ComponentWeb/web/page.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
                connection.send(String(repeating: request, count: 1000))
                return connection
            }
            // Line ends before a request count for nothing, and tell whether someone is there.
            let isClosed = await holds { try await onOwnThread { !connection.send(Array("\r\n".utf8)) } }
            #expect(isClosed)
        }
    }

    @Test("where all places are taken, the one that has been idle for longest is closed for a new one")
    func idle() async throws {
        try await place.withWeb(#""maximumConnections": 3"#) { web in
            let port = web.port
            let request = "GET /pages/home HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let isAnswered: @Sendable ([UInt8]) -> Bool = { HTTPAnswer($0)?.isComplete == true }
            let (first, used, last) = try await onOwnThread {
                let connections = try (0..<3).map { _ in try RawConnection(port: port) }
                for connection in connections {
                    connection.send(request)
                    _ = connection.readAll(until: isAnswered)
                }
                // The first one is now the last one that was used.
                connections[0].send(request)
                _ = connections[0].readAll(until: isAnswered)
                let new = try RawConnection(port: port)
                new.send(request)
                let isNewAnswered = isAnswered(new.readAll(until: isAnswered))
                connections[0].send(request)
                return (connections[1].read(), isAnswered(connections[0].readAll(until: isAnswered)), isNewAnswered)
            }
            #expect(first == [] && used && last)
        }
    }

    @Test("silent ones do not keep a browser out, and those in use are not closed for others")
    func attack() async throws {
        try await place.withWeb(#""maximumConnections": 5"#) { web in
            let port = web.port
            let cookie = try await web.newCookie()
            let (stream, other) = try await onOwnThread {
                let stream = try RawConnection(port: port)
                stream.send("GET /pages/home/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
                _ = stream.readAll { String(decoding: $0, as: UTF8.self).contains("retry:") }
                return (stream, try (0..<50).map { _ in try RawConnection(port: port) })
            }
            for _ in 0..<3 { #expect(try await web.ask("GET", "/pages/home").status == 200) }
            // A sign of life comes every ten seconds, in a chunk of its own.
            let sign = Array("\r\n:\n\n\r\n".utf8)
            let text = try await onOwnThread { stream.readAll { $0.suffix(sign.count).elementsEqual(sign) } }
            #expect(text.suffix(sign.count).elementsEqual(sign))
            withExtendedLifetime(other) {}
        }
    }

    @Test("where all are in use, a new one is closed, and there is room again when one ends")
    func busy() async throws {
        try await place.withWeb(#""maximumConnections": 2"#) { web in
            let port = web.port
            let cookie = try await web.newCookie()
            let connections = try await onOwnThread {
                var connections: [RawConnection] = []
                // The one that has brought the cookie may still take a place for a moment.
                while connections.count < 2 {
                    let connection = try RawConnection(port: port)
                    connection.send("GET /pages/home/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
                    let text = connection.readAll { String(decoding: $0, as: UTF8.self).contains("retry:") }
                    if !text.isEmpty { connections.append(connection) }
                }
                return connections
            }
            let refused = try await onOwnThread { try RawConnection(port: port).readAll() }
            #expect(refused.isEmpty)
            connections[0].leave()
            // Until then, each attempt is closed without an answer.
            let isAnswered = await holds {
                try await onOwnThread {
                    let connection = try RawConnection(port: port)
                    connection.send("GET /pages/home HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n")
                    return connection.readAll().starts(with: "HTTP/1.1 200".utf8)
                }
            }
            #expect(isAnswered)
        }
    }
}
