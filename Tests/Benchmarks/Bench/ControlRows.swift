import ComponentHost
import ComponentKit
import Glibc
import HostControl
import Logging

/// The rows for the control socket of a host: the round trip of a quick call, the host's processor time in it, and the
/// round trip of a bare Unix socket in the same run.
struct ControlRows {
    let host: LinkHost

    private static let count = 20_000

    /// Round trips are measured in wall-clock time, the host's part in processor time.
    func run() async throws -> [Measurement] {
        let directory = "/tmp/hslink-bench-\(getpid())"
        guard unsafe mkdir(directory, 0o700) == 0 else { throw SocketFailed() }
        defer { _ = unsafe rmdir(directory) }
        let quiet = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        let server = try ControlServer(host, socket: "\(directory)/s", logger: quiet)
        let running = Task { try await server.run() }
        let echo = try onOwnThread { try ControlRows.measure(try EchoPeer()) }
        let path = server.socket
        // Loads the component and makes the instance.
        _ = try await host.call("BenchLink", "sum", ["first": 1, "second": 2, "third": 3])
        let call = try onOwnThread { try ControlRows.measure(try SocketPeer(path, ControlRows.request())) }
        let client = try await ControlClient.connected(to: path) { client in
            let call = CallDescription("BenchLink", "sum", ["first": 1, "second": 2, "third": 3])
            var times: [Double] = []
            for _ in 0..<5 {
                let before = cpuTime(CLOCK_MONOTONIC)
                for _ in 0..<(ControlRows.count / 4) { _ = try await client.call(call) }
                times.append(Double(cpuTime(CLOCK_MONOTONIC) - before) / Double(ControlRows.count / 4))
            }
            return times.sorted()[2]
        }
        await server.stop(grace: .seconds(1))
        try await running.value
        return [
            Measurement(name: "bare socket, echo of the same bytes, clock", nanoseconds: echo.trip, allocations: .nan),
            Measurement(
                name: "quick call over the control socket, clock", nanoseconds: call.trip, allocations: .nan,
                target: 3 * echo.trip),
            Measurement(
                name: "the same, processor time of the host", nanoseconds: call.otherThreads, allocations: .nan,
                target: 20_000),
            Measurement(name: "the same through ControlClient, clock", nanoseconds: client, allocations: .nan),
        ]
    }

    struct SocketFailed: Error {}

    private struct Times {
        /// The wall-clock time of each round trip.
        let trip: Double
        /// The processor time of all other threads for each round trip.
        let otherThreads: Double
    }

    /// The median of five passes.
    private static func measure(_ peer: SocketPeer) throws -> Times {
        var trips: [Double] = []
        var others: [Double] = []
        try peer.exchange(count / 10)
        for _ in 0..<5 {
            let before = (
                cpuTime(CLOCK_MONOTONIC), cpuTime(CLOCK_PROCESS_CPUTIME_ID) - cpuTime(CLOCK_THREAD_CPUTIME_ID)
            )
            try peer.exchange(count)
            let other = cpuTime(CLOCK_PROCESS_CPUTIME_ID) - cpuTime(CLOCK_THREAD_CPUTIME_ID)
            trips.append(Double(cpuTime(CLOCK_MONOTONIC) - before.0) / Double(count))
            others.append(Double(other - before.1) / Double(count))
        }
        return Times(trip: trips.sorted()[2], otherThreads: others.sorted()[2])
    }

    /// A frame with a call of `sum`, as `ControlServer` describes it.
    static func request() throws -> [UInt8] {
        let request: Payload = [
            "id": 1, "request": "call", "class": "BenchLink", "selector": "sum", "kind": "object",
            "payload": ["first": 1, "second": 2, "third": 3],
        ]
        let content = try request.cbor()
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: UInt32(content.count) >> UInt32($0)) } + content
    }
}

/// A blocking client that sends the same bytes again and again.
class SocketPeer {
    private let descriptor: Int32
    private let request: [UInt8]
    private var answer = [UInt8](repeating: 0, count: 4096)

    init(descriptor: Int32, _ request: [UInt8]) {
        self.descriptor = descriptor
        self.request = request
    }

    convenience init(_ path: String, _ request: [UInt8]) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let isConnected = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw ControlRows.SocketFailed() }
        self.init(descriptor: descriptor, request)
    }

    deinit { close(descriptor) }

    /// Sends and waits for one answer, `count` times. An answer arrives in one piece.
    func exchange(_ count: Int) throws {
        for _ in 0..<count {
            guard unsafe write(descriptor, request, request.count) == request.count,
                unsafe read(descriptor, &answer, answer.count) > 0
            else { throw ControlRows.SocketFailed() }
        }
    }
}

/// Creates a client of a thread that sends back the bytes it reads.
final class EchoPeer: SocketPeer {
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw ControlRows.SocketFailed()
        }
        let other = ends[1]
        _ = try BenchThread {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(other, &bytes, bytes.count)
                guard count > 0, unsafe write(other, bytes, count) == count else { break }
            }
            close(other)
        }
        super.init(descriptor: ends[0], try ControlRows.request())
    }
}

/// Blocking calls must not run on Swift's cooperative thread pool.
private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let box = ResultBox<Value>()
    try BenchThread { box.fill(Result { try body() }) }.join()
    return try box.take()
}
