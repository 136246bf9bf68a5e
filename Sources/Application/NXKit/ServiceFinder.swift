public import ComponentKit
import Dispatch

/// Finds the provider of a service when it is needed. The provider may be missing now and come later, or be replaced.
public final class ServiceFinder<Client: ServiceClient & Sendable>: Sendable {
    private let link: Link
    /// The last client found.
    private let known = Lock<Client?>(nil)
    /// Finding the client may load the provider, which blocks. The queue is serial because concurrent queues take
    /// threads from Swift's cooperative thread pool.
    private let queue = DispatchQueue(label: "service.find")

    /// Makes a finder; nothing is looked for yet.
    public init(_ link: Link) { self.link = link }

    /// Returns a client, the same one until ``forget()``.
    ///
    /// - Throws: the errors of `Link.service`: `classNotFound` if no component provides the service.
    public func client() async throws(LinkError) -> Client {
        if let client = known.withLock({ $0 }) { return client }
        let found = await awaitResume { resume in
            queue.async { resume(Result { () throws(LinkError) in try self.link.service(Client.self) }) }
        }
        let client = try found.get()
        known.withLock { $0 = client }
        return client
    }

    /// Forgets the client, so that the next request finds another provider. To be called when a call has failed.
    public func forget() { known.withLock { $0 = nil } }
}
