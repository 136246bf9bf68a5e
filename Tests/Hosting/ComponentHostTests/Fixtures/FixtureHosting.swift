import ComponentHost
import ComponentKit
import Foundation
import Glibc
import TestSupport

/// Calls `body` with a host for a new directory of these fixtures. Stops the host and removes the directory afterwards.
///
/// - Parameters:
///   - names: The names of the fixtures; see `Fixtures.file(_:)`.
///   - provides: The host's own classes.
///   - options: Sets options that differ from the default.
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
    /// Makes a blocking call from a new thread.
    func blockingCall(
        _ className: String, _ selector: String, _ payload: Payload = .null, kind: SelectorKind = .class
    ) async -> Answer {
        await answer { try await onThread { try self.callAndWait(className, selector, payload, kind: kind) } }
    }

    /// Makes a call that must be performed, from a new thread.
    func value(
        _ className: String, _ selector: String, _ payload: Payload = .null, kind: SelectorKind = .class,
        timeout: Duration? = nil
    ) async throws -> Payload {
        try await onThread { try self.callAndWait(className, selector, payload, kind: kind, timeout: timeout) }
    }

    /// Returns the row of a component.
    func info(_ component: String) -> ComponentInfo? { components.first { $0.name == component } }

    /// Returns why a component failed; nil if it has not.
    func failure(of component: String) -> LinkError? {
        guard case .failed(let error) = state(of: component) else { return nil }
        return error
    }
}

/// A latch that blocks calls of `CGoodLink.apply` in their component until it is opened.
final class Latch: Sendable {
    private let isOpen = Lock(false)
    private let inside = Lock(0)

    /// The number of waiting calls.
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

/// Returns whether any part of the file at `path` is mapped into this process.
func isMapped(_ path: String) throws -> Bool {
    // The size of a file in /proc is 0, so it must be read to its end.
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps"))
    let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    return maps.split(separator: "\n").contains { $0.hasSuffix(path) }
}
