import ComponentKit
import Dispatch
import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL

/// The server: opens the port, and answers requests until it is ended.
final class WebServer: Sendable {
    private let threads: MultiThreadedEventLoopGroup
    private let hubs: PageHubs
    private let running = Lock<Task<Void, Never>?>(nil)
    private let isOver = DispatchSemaphore(value: 0)
    private let shownAddress = Lock<String?>(nil)

    /// How many threads talk to browsers. What they wait for runs elsewhere.
    private static let threadCount = 2

    init(_ hubs: PageHubs) {
        self.hubs = hubs
        // Threads of its own, not those that NIO shares: these end with the component.
        threads = MultiThreadedEventLoopGroup(numberOfThreads: WebServer.threadCount)
    }

    /// Opens the port.
    ///
    /// - Throws: an error if the port or the certificate cannot be used.
    func start(
        _ options: WebOptions, port: Int, responder: WebResponder,
        log: @escaping @Sendable (LogLevel, String) -> Void
    ) throws {
        try WebServer.tryToOpen(options.address, port)
        let base = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [ProtocolInstaller()], idleTimeout: Patience.idle,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
        let builder = try WebServer.secured(base, options)
        var silent = Logger(label: "ComponentWeb") { _ in SwiftLogNoOpLogHandler() }
        silent.logLevel = .critical
        let scheme = options.certificate == nil ? "http" : "https"
        let app = Application(
            responder: responder, server: builder,
            configuration: ApplicationConfiguration(
                address: .hostname(options.address, port: port), serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(options.maximumConnections)),
            onServerRunning: { [self] channel in
                let port = channel.localAddress?.port ?? port
                let host = options.address.contains(":") ? "[\(options.address)]" : options.address
                let shown = Loopback.isLoopback(options.address) ? "localhost" : host
                shownAddress.withLock { $0 = "\(scheme)://\(shown):\(port)/" }
                log(.info, "pages are at \(scheme)://\(shown):\(port)/")
                if options.password != nil, !options.behindProxy {
                    log(.info, "anyone who can reach \(host) and knows the password can use the pages")
                }
                if !Loopback.isLoopback(options.address), !options.isSecure {
                    log(.warning, "connections are not encrypted: others on the network can read the password")
                }
            },
            eventLoopGroupProvider: .shared(threads), logger: silent)
        running.withLock { running in
            running = Task { [isOver] in
                do {
                    try await app.run()
                } catch is CancellationError {
                } catch {
                    log(.error, "the web server has ended: \(error)")
                }
                isOver.signal()
            }
        }
    }

    /// The URL of the first page; nil until the port is open.
    var address: String? { shownAddress.withLock { $0 } }

    /// Ends all streams and answers nothing new. Does not wait.
    func cancel() {
        hubs.end()
        running.withLock { $0 }?.cancel()
    }

    /// Ends the server and its threads.
    func close() {
        cancel()
        if running.withLock({ $0 }) != nil { _ = isOver.wait(timeout: .now() + .seconds(2)) }
        let isClosed = DispatchSemaphore(value: 0)
        threads.shutdownGracefully { _ in isClosed.signal() }
        _ = isClosed.wait(timeout: .now() + .seconds(1))
    }

    private static func secured(_ base: HTTPServerBuilder, _ options: WebOptions) throws -> HTTPServerBuilder {
        guard let certificate = options.certificate, let key = options.privateKey else { return base }
        let configuration: TLSConfiguration
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
            guard !chain.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
            configuration = .makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            // Also finds that the key is that of another certificate.
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw LinkError(
                domain: "ComponentWeb", number: 3,
                message: "the certificate \(certificate) and the key \(key) cannot be used: both must be readable PEM "
                    + "files that belong together (\(error))")
        }
        return try .tls(base, tlsConfiguration: configuration)
    }

    /// Opens the port and closes it again, so that who starts the host is told at once if that is not possible.
    private static func tryToOpen(_ address: String, _ port: Int) throws(LinkError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address, "\(port)", &hints, &found) == 0, let first = unsafe found else {
            throw LinkError(
                domain: "ComponentWeb", number: 4, message: "address: expected an address, found \(address)")
        }
        defer { unsafe freeaddrinfo(first) }
        let type = unsafe first.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(first.pointee.ai_family, type, first.pointee.ai_protocol)
        guard descriptor >= 0 else { throw error(errno, address, port: port) }
        defer { Glibc.close(descriptor) }
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, listen(descriptor, 1) == 0
        else { throw error(errno, address, port: port) }
    }

    private static func error(_ code: Int32, _ address: String, port: Int) -> LinkError {
        LinkError(
            domain: "ComponentWeb", number: 4,
            message: "the port \(port) of \(address) cannot be opened: \(unsafe String(cString: strerror(code)))")
    }
}
