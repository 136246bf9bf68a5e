import Foundation
import Glibc
import TestSupport
import Testing

/// A real browser, driven as the standard WebDriver (W3C) says.
final class BrowserDriver: Sendable {
    private let process: Process
    let port: Int

    /// The program of Debian's package chromium-driver.
    private static let program = "/usr/bin/chromedriver"

    /// Starts the driver.
    init() throws {
        let listener = try RawListener()
        port = listener.port
        listener.close()
        process = Process()
        process.executableURL = URL(filePath: BrowserDriver.program)
        process.arguments = ["--port=\(port)", "--silent"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // With the signals of this thread blocked, it would never end.
        try withUnblockedSignals { try process.run() }
    }

    /// Opens a browser of its own, with cookies of its own.
    ///
    /// - Parameters:
    ///   - width: how wide pages are shown, in pixels.
    ///   - scripts: whether scripts run.
    func open(width: Int = 1100, scripts: Bool = true) async throws -> Browser {
        var options: [String: Any] = [
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--window-size=1100,900",
            ]
        ]
        if !scripts { options["prefs"] = ["profile.managed_default_content_settings.javascript": 2] }
        let body = try JSONSerialization.data(withJSONObject: [
            "capabilities": [
                "alwaysMatch": [
                    "browserName": "chrome", "goog:chromeOptions": options,
                    "goog:loggingPrefs": ["browser": "ALL"],
                ]
            ]
        ])
        var session: String?
        let isOpen = await holds(within: .seconds(120)) {
            let answer = try await self.send("POST", "/session", String(decoding: body, as: UTF8.self))
            session = (answer as? [String: Any])?["sessionId"] as? String
            return session != nil
        }
        #expect(isOpen)
        let browser = Browser(driver: self, session: try #require(session))
        // No window is as narrow as a phone.
        try await browser.setWidth(width)
        return browser
    }

    /// Sends a command and returns its value.
    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Any? {
        let port = port
        let bytes = try await onOwnThread {
            let connection = try RawConnection(port: port, patience: 120)
            var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
            if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
            connection.send(text + "\r\n" + (body ?? ""))
            return connection.readAll { HTTPAnswer($0).map(\.isComplete) ?? false }
        }
        let answer = try #require(HTTPAnswer(bytes))
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let value = object?["value"]
        guard answer.status == 200 else { throw BrowserError(value: "\(value ?? answer.text)") }
        return value is NSNull ? nil : value
    }

    // Waiting for its end here would turn in circles: Foundation waits in the run loop of a thread, and those of tasks
    // have none.
    deinit { process.terminate() }
}

/// What a browser says is wrong.
struct BrowserError: Error, CustomStringConvertible {
    let value: String

    var description: String { value }
}

extension HTTPAnswer {
    /// Whether all of the body is there.
    var isComplete: Bool { headers["content-length"].flatMap { Int($0) }.map { body.count >= $0 } ?? false }
}

/// A port that is free.
private final class RawListener {
    private let descriptor: Int32
    let port: Int

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard result else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    func close() { Glibc.close(descriptor) }
}

/// One window of a browser with cookies of its own.
final class Browser: Sendable {
    private let driver: BrowserDriver
    private let session: String

    init(driver: BrowserDriver, session: String) {
        self.driver = driver
        self.session = session
    }

    @discardableResult
    private func send(_ method: String, _ path: String, _ body: [String: Any] = [:]) async throws -> Any? {
        let text =
            method == "POST" ? String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self) : nil
        return try await driver.send(method, "/session/\(session)\(path)", text)
    }

    func go(_ url: String) async throws { try await send("POST", "/url", ["url": url]) }

    /// Runs a script in the page and returns what it returns. Scripts of tests run even where those of pages do not.
    @discardableResult
    func run(_ script: String, _ arguments: [String] = []) async throws -> Any? {
        try await send("POST", "/execute/sync", ["script": script, "args": arguments])
    }

    /// The text of the first element that a selector of CSS finds, as a person sees it; nil if there is none.
    func text(_ selector: String) async throws -> String? {
        try await run("return document.querySelector(arguments[0])?.innerText ?? null", [selector]) as? String
    }

    /// Whether a text is shown within an element, now or soon.
    func shows(_ text: String, in selector: String) async -> Bool {
        await holds(within: .seconds(60)) { try await self.text(selector)?.contains(text) == true }
    }

    /// Whether so many elements match a selector of CSS, now or soon.
    func has(_ count: Int, _ selector: String) async -> Bool {
        await holds(within: .seconds(60)) { try await self.count(selector) == count }
    }

    /// Waits until no section of the page is loading: on a busy machine, a component may take longer than a page waits.
    func settles() async {
        let isSettled = await holds(within: .seconds(60)) {
            try await self.count(".bar [aria-busy=true], #page [aria-busy=true]") == 0
        }
        #expect(isSettled)
    }

    /// How many elements a selector of CSS finds.
    func count(_ selector: String) async throws -> Int {
        try #require(
            try await run("return document.querySelectorAll(arguments[0]).length", [selector]) as? Int)
    }

    /// Returns an element once the page shows it: a section may still be loading.
    private func element(_ selector: String) async throws -> String {
        var found: String?
        _ = await holds(within: .seconds(60)) {
            let element = try await send("POST", "/element", ["using": "css selector", "value": selector])
            found = (element as? [String: String])?.values.first
            return found != nil
        }
        return try #require(found, "nothing matches \(selector)")
    }

    /// Does something to an element; again if another document or a change has put another in its place meanwhile.
    private func act(_ command: String, on selector: String, _ body: [String: Any] = [:]) async throws {
        let end = ContinuousClock.now + TestPatience.limit(.seconds(60))
        while true {
            do {
                let element = try await element(selector)
                // What is at the edge of the window may be behind the header.
                try await run("document.querySelector(arguments[0])?.scrollIntoView({block: 'center'})", [selector])
                try await send("POST", "/element/\(element)/\(command)", body)
                return
            } catch let error as BrowserError
                where error.value.contains("stale element reference") && ContinuousClock.now < end
            {
            } catch let error as BrowserError
                where error.value.contains("element not interactable") && ContinuousClock.now < end
            {
                // It is folded, as it may be again in another document.
                try await unfold(selector)
            }
        }
    }

    /// Clicks as a person does: at what is seen.
    func click(_ selector: String) async throws { try await act("click", on: selector) }

    /// Types into a field.
    func type(_ text: String, into selector: String) async throws {
        try await act("value", on: selector, ["text": text])
    }

    /// Clicks at the first link with a text.
    func clickLink(_ text: String) async throws {
        #expect(await shows(text, in: "#main"))
        try await run(
            """
            for (const link of document.querySelectorAll('#main a')) {
                if (link.innerText.trim() === arguments[0]) { link.click(); break }
            }
            """, [text])
    }

    /// Chooses from a list.
    func choose(_ value: String, in selector: String) async throws {
        _ = try await element(selector)
        try await run(
            """
            const list = document.querySelector(arguments[0])
            list.value = arguments[1]
            list.dispatchEvent(new Event('change', {bubbles: true}))
            """, [selector, value])
    }

    /// Opens what is folded around an element, once the page shows the element.
    func unfold(_ selector: String) async throws {
        _ = try await element(selector)
        try await run(
            "document.querySelectorAll(arguments[0]).forEach(each => each.closest('details')?.setAttribute('open', ''))",
            [selector])
    }

    /// Presses keys, wherever the focus is.
    func press(_ keys: String) async throws {
        let steps: [[String: Any]] = keys.flatMap { key in
            [["type": "keyDown", "value": "\(key)"], ["type": "keyUp", "value": "\(key)"]]
        }
        try await send("POST", "/actions", ["actions": [["type": "key", "id": "keys", "actions": steps]]])
    }

    /// What a screen reader says of something that can be used, or of a picture.
    struct Control: Sendable {
        let role: String
        let name: String
        let markup: String
    }

    /// What a screen reader is told of everything that can be used and of every picture that says something, as the
    /// browser computes it. They are read again from the beginning if the page changes meanwhile.
    func controls() async throws -> [Control] {
        let end = ContinuousClock.now + TestPatience.limit(.seconds(60))
        while true {
            do {
                return try await readControls()
            } catch let error as BrowserError
                where error.value.contains("stale element reference") && ContinuousClock.now < end
            {
            }
        }
    }

    private func readControls() async throws -> [Control] {
        let found = try await send(
            "POST", "/elements",
            [
                "using": "css selector",
                "value": "input:not([type=hidden]), textarea, select, button, a[href], img:not([alt='']), "
                    + "summary, [role=img], video",
            ])
        var controls: [Control] = []
        for element in try #require(found as? [[String: String]]).compactMap(\.values.first) {
            guard try await send("GET", "/element/\(element)/displayed") as? Bool == true else { continue }
            controls.append(
                Control(
                    role: try await send("GET", "/element/\(element)/computedrole") as? String ?? "",
                    name: try await send("GET", "/element/\(element)/computedlabel") as? String ?? "",
                    markup: try await send("GET", "/element/\(element)/property/outerHTML") as? String ?? ""))
        }
        return controls
    }

    /// The messages in the browser's log that are warnings or worse.
    func problems() async throws -> [String] {
        let entries = try await send("POST", "/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
        return entries.compactMap { entry in
            guard let level = entry["level"] as? String, ["WARNING", "SEVERE"].contains(level) else { return nil }
            return entry["message"] as? String
        }
    }

    /// Sets how wide pages are shown, in pixels.
    func setWidth(_ width: Int) async throws {
        let size: [String: Any] = ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false]
        try await send(
            "POST", "/goog/cdp/execute", ["cmd": "Emulation.setDeviceMetricsOverride", "params": size])
    }

    /// Sets which colours the reader prefers: `light` or `dark`.
    func setTheme(_ name: String) async throws {
        let feature = ["name": "prefers-color-scheme", "value": name]
        try await send(
            "POST", "/goog/cdp/execute", ["cmd": "Emulation.setEmulatedMedia", "params": ["features": [feature]]])
    }

    /// Sets the time zone of the reader.
    func setTimeZone(_ name: String) async throws {
        try await send(
            "POST", "/goog/cdp/execute", ["cmd": "Emulation.setTimezoneOverride", "params": ["timezoneId": name]])
    }

    /// Tells the page that its window is hidden, or that it is shown again.
    func setHidden(_ isHidden: Bool) async throws {
        try await run(
            """
            Object.defineProperty(document, 'hidden', {value: arguments[0] === 'true', configurable: true})
            document.dispatchEvent(new Event('visibilitychange'))
            """, ["\(isHidden)"])
    }

    /// Makes the browser forget its session.
    func deleteCookies() async throws { try await send("DELETE", "/cookie") }

    /// Saves a picture of the window.
    func screenshot(_ path: String) async throws {
        let picture = try #require(try await send("GET", "/screenshot") as? String)
        try #require(Data(base64Encoded: picture)).write(to: URL(filePath: path))
    }

    func close() async { _ = try? await send("DELETE", "") }
}
