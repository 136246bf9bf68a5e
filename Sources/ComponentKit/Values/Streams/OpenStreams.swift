/// The streams of one owner that somebody waits for. They end when the owner is stopped, since an element that
/// nobody makes any more would never come.
final class OpenStreams: Sendable {
    /// Nil once they have ended.
    private let streams = Lock<[ObjectIdentifier: StreamSource]?>([:])

    /// - Returns: false when the owner has been stopped: nobody would end the stream any more.
    func add(_ stream: StreamSource) -> Bool {
        streams.withLock { streams in
            streams?[ObjectIdentifier(stream)] = stream
            return streams != nil
        }
    }

    func remove(_ stream: StreamSource) { _ = streams.withLock { $0?.removeValue(forKey: ObjectIdentifier(stream)) } }

    func endAll() {
        let all = streams.withLock { streams in
            defer { streams = nil }
            return streams
        }
        for stream in all.map({ Array($0.values) }) ?? [] { stream.stop() }
    }
}
