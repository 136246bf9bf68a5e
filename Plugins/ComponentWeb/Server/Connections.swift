import ComponentKit
import HummingbirdCore
import Logging
import NIOCore

/// The open connections: how many there may be, and for how long a silent one stays open.
///
/// Where no place is left for a new one, the connection that has been idle for longest is closed. Silent connections
/// cost an attacker nothing, and must not keep a browser out.
final class Connections: Sendable {
    private struct Connection {
        let channel: any Channel
        let owners: [ShareOwner]
        /// How many requests are being answered: with HTTP/2, several at a time.
        var requests = 0
        var hasAsked = false
        /// When the last request began, or the connection.
        var usedAt = ContinuousClock.now
        /// When the last request ended, or the connection began.
        var idleSince = ContinuousClock.now
        var timer: Scheduled<Void>?
    }

    private let places: Shares
    private let table = Lock<[ObjectIdentifier: Connection]>([:])
    private let client: @Sendable (any Channel) -> ClientAddress?

    /// - Parameters:
    ///   - most: how many connections may be open.
    ///   - client: where a connection comes from; nil if its address says nothing.
    init(_ most: Int, client: @escaping @Sendable (any Channel) -> ClientAddress?) {
        places = Shares(most)
        self.client = client
    }

    /// Finds a place for a new connection, and closes another one for it if there is none.
    ///
    /// - Returns: false if all connections are in use.
    func admit(_ channel: any Channel) -> Bool {
        let owners = client(channel).map { [ShareOwner.address($0)] } ?? []
        while let refusal = places.take(for: owners) {
            guard let oldest = removeOldestIdle(for: refusal) else { return false }
            oldest.closeAtOnce()
        }
        table.withLock { $0[ObjectIdentifier(channel)] = Connection(channel: channel, owners: owners) }
        channel.closeFuture.whenComplete { [self] _ in remove(channel) }
        check(channel, in: Patience.head)
        return true
    }

    /// Closes all connections, so that the answers that are on their way end.
    func closeAll() {
        for connection in table.withLock({ Array($0.values) }) { connection.channel.closeAtOnce() }
    }

    /// Answers requests with `responder`, and notes which connections they came over.
    func counting(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
        { [self] request, writer, channel in
            let connection = channel.connection
            change(connection) { connection in
                connection.requests += 1
                connection.hasAsked = true
                connection.usedAt = .now
            }
            defer {
                change(connection) { connection in
                    connection.requests -= 1
                    connection.idleSince = .now
                }
            }
            try await responder(request, writer, channel)
        }
    }

    private func change(_ channel: any Channel, _ body: (inout Connection) -> Void) {
        table.withLock { table in
            // It may have been closed meanwhile.
            guard var connection = table.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            body(&connection)
            table[ObjectIdentifier(channel)] = connection
        }
    }

    private func remove(_ channel: any Channel) {
        guard let connection = table.withLock({ $0.removeValue(forKey: ObjectIdentifier(channel)) }) else { return }
        connection.timer?.cancel()
        places.giveBack(for: connection.owners)
    }

    /// Takes the connection out that has been idle for longest; of an address, if that has taken its share.
    private func removeOldestIdle(for refusal: Shares.Refusal) -> (any Channel)? {
        let oldest = table.withLock { table in
            table.values.filter { connection in
                guard connection.requests == 0 else { return false }
                guard case .share(let owner) = refusal else { return true }
                return connection.owners.contains(owner)
            }.min { $0.usedAt < $1.usedAt }?.channel
        }
        if let oldest { remove(oldest) }
        return oldest
    }

    /// Looks later whether the connection has been silent for too long. One timer for each connection, and not one for
    /// each request.
    private func check(_ channel: any Channel, in patience: Duration) {
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(patience)) { [weak self] in
            guard let rest = self?.rest(of: channel) else { return }
            if rest > .zero { self?.check(channel, in: rest) } else { channel.closeAtOnce() }
        }
        change(channel) { $0.timer = timer }
    }

    /// For how long a connection stays open if nothing more comes; nil if it is closed already.
    private func rest(of channel: any Channel) -> Duration? {
        table.withLock { table in
            guard let connection = table[ObjectIdentifier(channel)] else { return nil }
            guard connection.hasAsked else { return .zero }
            // With HTTP/2, the browser has been told before, and this is for one that does not answer that.
            let patience = Duration.nanoseconds(Patience.idle.nanoseconds) + Patience.refused
            return connection.requests > 0 ? patience : patience - connection.idleSince.duration(to: .now)
        }
    }
}

/// Connections of another kind, as far as there is a place for them.
struct AdmittedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let connections: Connections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        guard connections.admit(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed)
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ConnectionEnd())
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Where a connection leaves the program, before what encrypts it.
private final class ConnectionEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
}

extension Channel {
    /// Closes a connection that is silent. With encryption, `close` says goodbye first and waits for an answer, which
    /// whoever is silent on purpose does not give, and the place would stay taken.
    fileprivate func closeAtOnce() {
        eventLoop.execute { [self] in
            if let end = try? pipeline.syncOperations.context(handlerType: ConnectionEnd.self) {
                end.close(promise: nil)
            } else {
                close(promise: nil)
            }
        }
    }

    /// Whether this is one of the streams of a connection with HTTP/2, each of which carries one request. Closing it
    /// leaves the connection to the others.
    var isStreamOfConnection: Bool { parent?.parent != nil }

    /// The connection itself. Its parent is the port.
    fileprivate var connection: any Channel {
        guard let parent, parent.parent != nil else { return self }
        return parent
    }
}
