import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import Logging
import TestSupport
import Testing

/// A host with the real files of components, which browsers reach.
final class WebPlace: Sendable {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path(of: "data/ComponentPages/pages"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path(of: "data"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: directory.path(of: "data/ComponentPages"))
    }

    /// Which components are there besides ComponentWeb and ComponentPages.
    static let others = ["ComponentOwner", "EMAccount", "ComponentVideo", "NXUI"]

    /// How many seconds a module may take to answer.
    static let timeout = min(TestPatience.seconds(10), 600)

    /// Whether the components that these tests show pages of are part of this checkout.
    static var isComplete: Bool {
        (others + ["ComponentPages"]).allSatisfy {
            FileManager.default.fileExists(atPath: BuiltProducts.packageDirectory.appending(path: "Plugins/\($0)").path)
        }
    }

    /// Whether the console is part of this checkout, too.
    static var hasConsole: Bool {
        isComplete
            && FileManager.default.fileExists(
                atPath: BuiltProducts.packageDirectory.appending(path: "Plugins/ComponentConsole").path)
    }

    /// Writes a page file.
    func write(page id: String, _ sections: String...) throws {
        let text = #"{"page": "\#(id)", "title": "Page \#(id)", "sections": [\#(sections.joined(separator: ","))]}"#
        try directory.write(text, to: "data/ComponentPages/pages/\(id).json")
    }

    /// Starts a host, waits until its port is open, and calls `body`.
    ///
    /// - Parameters:
    ///   - options: options of ComponentWeb besides the port, as JSON.
    ///   - others: further components.
    ///   - movable: those whose files the test takes out and puts back.
    ///   - settings: the configuration of other components, as JSON without the braces around it.
    ///   - timeout: how many seconds a module may take to answer; by default more than it takes to load any.
    func withWeb<Value>(
        _ options: String = "", others: [String] = WebPlace.others, movable: Set<String> = [],
        settings more: String = "", timeout: Int = WebPlace.timeout,
        body: (WebHost) async throws -> Value
    ) async throws -> Value {
        try await withPlugins { plugins in
            let fixed = ["ComponentWeb", "ComponentPages"] + others.filter { !movable.contains($0) }
            let shared = try fixed.map { try SharedPlugins.directory(of: $0) }
            for name in movable { try plugins.add(name) }
            let separator = options.isEmpty ? "" : ", "
            let sections =
                [
                    #""ComponentWeb": {"port": 0\#(separator)\#(options)}"#,
                    // The pages of a component that has not loaded in time are missing for half a minute.
                    #""ComponentPages": {"timeout": \#(timeout)}"#,
                ] + (more.isEmpty ? [] : [more])
            let file = try directory.write("{\(sections.joined(separator: ", "))}", to: "settings.json")
            var settings = HostOptions()
            settings.logger.logLevel = .critical
            settings.dataDirectory = directory.path(of: "data")
            settings.cacheDirectory = directory.path(of: "cache")
            settings.routes.remoteSources = ["http"]
            settings.configuration = HostConfiguration(files: [file], environmentPrefix: nil)
            let host = LinkHost(components: [plugins.path] + shared, includesBuiltIn: false, options: settings)
            do {
                await host.start()
                let address = try await host.call("WebPagesLink", "address").string()
                let port = try #require(URL(string: address)?.port)
                let value = try await body(WebHost(host: host, plugins: plugins, port: port, place: self))
                await host.stop()
                return value
            } catch {
                await host.stop()
                throw error
            }
        }
    }
}

/// A running host, and how to ask it.
struct WebHost: Sendable {
    let host: LinkHost
    let plugins: PluginDirectory
    let port: Int
    let place: WebPlace

    var url: String { "http://localhost:\(port)" }

    /// Sends a request and reads the answer.
    func ask(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil,
        host name: String? = nil
    ) async throws -> HTTPAnswer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(name ?? "localhost:\(port)")", "Connection: close"]
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { lines.append("\(name): \(value)") }
        if let body {
            if headers["Content-Type"] == nil { lines.append("Content-Type: application/x-www-form-urlencoded") }
            lines.append("Content-Length: \(body.utf8.count)")
        }
        return try await exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    /// Sends any text and reads the answer.
    func exchange(_ text: String) async throws -> HTTPAnswer {
        let port = port
        let bytes = try await onOwnThread {
            let connection = try RawConnection(port: port)
            connection.send(text)
            return connection.readAll()
        }
        return try #require(HTTPAnswer(bytes), "\(String(decoding: bytes.prefix(500), as: UTF8.self))")
    }

    /// Performs the first action of a page whose JSON contains a text.
    func perform(
        _ page: String, _ section: String, actionWith text: String, _ fields: [String: String] = [:],
        cookie: String, _ headers: [String: String] = [:], confirmed: Bool = true
    ) async throws -> HTTPAnswer {
        let token = try #require(try await ask("GET", "/pages/\(page)", ["Cookie": cookie]).token)
        let action = try await action(with: text, on: page, cookie: cookie)
        var form = ["token": token, "section": section, "action": action]
        if confirmed { form["confirmed"] = "yes" }
        for (name, value) in fields { form["field.\(name)"] = value }
        var headers = headers
        headers["Cookie"] = cookie
        return try await ask("POST", "/pages/\(page)/perform", headers, body: form.urlEncoded)
    }

    /// Returns the first action of a page whose JSON contains a text, once the page shows it.
    func action(with text: String, on page: String, cookie: String) async throws -> String {
        var action: String?
        _ = await holds(within: .seconds(60)) {
            action = try await ask("GET", "/pages/\(page)", ["Cookie": cookie]).actions.first { $0.contains(text) }
            return action != nil
        }
        return try #require(action, "\(text)")
    }

    /// Returns the cookie of a new browser.
    func newCookie() async throws -> String { try #require(try await ask("GET", "/pages/home").cookie) }
}

extension HTTPAnswer {
    /// The values of the buttons with actions, unescaped.
    var actions: [String] {
        text.components(separatedBy: #"name="action" value=""#).dropFirst().compactMap { rest in
            rest.components(separatedBy: "\"").first?
                .replacing("&quot;", with: "\"").replacing("&#34;", with: "\"").replacing("&#39;", with: "'")
                .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        }
    }
}

extension [String: String] {
    /// The fields as a browser posts them.
    var urlEncoded: String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._")
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
        return sorted { $0.key < $1.key }.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
    }
}
