/// A client continues under a new id: `Session.current` has been replaced by `Session.successor`.
///
/// Components that keep something for a session move it, or leave it behind:
///
///     @On(.loads, .concurrent) func sessionRenewed(_ event: SessionRenewed) {
///         guard let former = Session.current, let next = Session.successor else { return }
///         baskets.withLock { $0[next] = $0.removeValue(forKey: former) }
///     }
///
/// It carries no ids, since they are secrets. Post it with ``Events/renewSession()`` only.
public struct SessionRenewed: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "org.hslink.session/renewed"

    /// Creates the event.
    public init() {}

    /// An empty map.
    public var payload: Payload { [:] }

    /// Creates the event, whatever it carries.
    public init(payload: borrowing PayloadView) throws(PayloadError) {}
}

extension Events {
    /// Gives the client of the running call a new session id, which a component does whenever it changes who is signed in:
    ///
    ///     guard isRight(password) else { throw … }
    ///     let session = await context.events.renewSession()
    ///     users[session] = user
    ///
    /// Someone else may know the former id, or have made the client use it. So what a sign-in opens must belong to an id that
    /// no one knew before. It does not matter how the call came about: by an action on a page, a route, or another component.
    /// Each front end passes the new id on in its way, ComponentWeb as a cookie. Where there is none, as on the command line,
    /// there is no other client either, and nothing happens.
    ///
    /// It waits until all handlers of ``SessionRenewed`` have moved what they keep. A component that has kept something for
    /// the former session and does not handle the event will not find it in the new one. List `SessionRenewed.self` in
    /// `posts`. If the event is refused, such as one too deep in a chain of events, the log says so, the client stays in
    /// the former session, and what is kept for the new one reaches nobody: no one is signed in then.
    ///
    /// - Returns: The session to use from now on, for what is kept and for what is posted: `Session.current` stays the former
    ///   one until the call has been answered. It is the current session if it cannot have a new id, nil for the program's.
    public func renewSession() async -> Session? {
        guard let successor = Session.successor else { return Session.current }
        let outcome = await deliver(SessionRenewed())
        if let refusal = outcome.refusal {
            link.backend.log(.warning, "the session was not renewed: \(refusal.message)")
        }
        return successor
    }
}
