import ComponentHost
import ComponentKit
import Foundation
import Glibc
import TestSupport

/// Calls `body` with a host over a fresh directory of these fixtures; stops the host and removes the directory
/// afterwards.
///
/// - Parameters:
///   - names: see `Fixtures.file(_:)`.
///   - provides: the host's own classes.
///   - options: what is different from the usual.
func withHost<Value>(
    _ names: [String], provides: [ProvidedClass] = [], options: HostOptions = .quiet,
    body: (LinkHost, PluginDirectory) async throws -> Value
) async throws -> Value {
    try await withPlugins { directory in
        for name in names { try directory.add(name) }
        let host = LinkHost(
            components: [directory.path], includesBuiltIn: false, provides: provides, options: options)
        let value = try await body(host, directory)
        await host.stop(timeout: .seconds(300))
        return value
    }
}

extension LinkHost {
    /// A blocking call, from a thread of its own.
    func blockingCall(
        _ className: String, _ selector: String, _ payload: Payload = .null, kind: SelectorKind = .class
    ) async -> Answer {
        await answer { try await onThread { try self.callAndWait(className, selector, payload, kind: kind) } }
    }

    /// A call that must be performed, from a thread of its own.
    func value(
        _ className: String, _ selector: String, _ payload: Payload = .null, kind: SelectorKind = .class,
        timeout: Duration? = nil
    ) async throws -> Payload {
        try await onThread { try self.callAndWait(className, selector, payload, kind: kind, timeout: timeout) }
    }

    /// The row of a component.
    func info(_ component: String) -> ComponentInfo? { components.first { $0.name == component } }

    /// Why a component is not to be had; nil when it has not failed.
    func failure(of component: String) -> LinkError? {
        guard case .failed(let error) = state(of: component) else { return nil }
        return error
    }
}

/// Waits until `condition` holds, for `seconds` at most.
///
/// - Returns: whether it came to hold.
func eventually(within seconds: Int = 300, _ condition: () async throws -> Bool) async throws -> Bool {
    let end = Deadline.after(.seconds(seconds))
    while !end.hasPassed {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}

/// Holds up calls of `CGoodLink.apply` inside their component until it is opened.
final class Latch: Sendable {
    private let isOpen = Lock(false)
    private let inside = Lock(0)

    /// How many calls have come to wait.
    var count: Int { inside.withLock { $0 } }

    func open() { isOpen.withLock { $0 = true } }

    /// A closure that waits here, then returns the sum of the bytes of its argument.
    func closure(_ link: Link) -> Payload {
        link.closure { [self] argument in
            inside.withLock { $0 += 1 }
            while !isOpen.withLock({ $0 }) { usleep(2000) }
            return Payload(try argument.bytes().reduce(0) { $0 + Int($1) })
        }
    }
}

/// Whether something of the file at `path` is mapped into this process.
func isMapped(_ path: String) throws -> Bool {
    // A file of /proc says that it is empty, so it has to be read to its end.
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps"))
    let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    return maps.split(separator: "\n").contains { $0.hasSuffix(path) }
}
