internal import Instrumentation

/// The session that calls belong to, such as that of a browser.
///
/// A front end knows who asks, and makes its calls in the session of that person. The called method finds it, whichever
/// component it belongs to, and so do the methods that it calls in turn and the handlers of the events that it posts:
///
///     let session = try Session(id: cookie)
///     let page = try await Session.with(session) { try await pages.page(id: "home", after: nil) }
///
///     let user = users[Session.current]    // in a component: who is signed in where the call comes from
///
/// Calls that carry no session belong to the program itself, as do those of the command line: its `Session.current` is
/// nil. That is a session like any other, not a right to see all of them.
///
/// An id is a secret: anyone with it acts in the session. Front ends draw it at random, at least 128 bits. Components
/// neither log nor post it, and store a digest of it. Printing a session shows nothing of its id.
///
/// The id travels as the string `session` in `ServiceContext.carried`; a component in C finds it in its call. Tasks
/// inherit it; detached tasks, and threads of your own, start without a session.
public struct Session: Hashable, Sendable {
    // Not a string: strings are equal in all Unicode normal forms, and different sessions must never be.
    private let bytes: [UInt8]

    /// The key of the carried string.
    public static let key = "session"

    /// The largest number of characters of an id.
    public static let longest = 256

    /// The secret id.
    public var id: String { String(decoding: bytes, as: UTF8.self) }

    /// The key of the carried string with the id of ``successor``.
    public static let successorKey = "session.successor"

    /// Creates a session from an id that comes from outside, such as that in a cookie.
    ///
    /// Sessions are the same only if their ids are the same byte by byte.
    ///
    /// - Parameter id: 1 to 256 visible characters of ASCII.
    /// - Throws: `PayloadError` for any other string. Refuse the request then: without a session, it would act for the
    ///   program itself.
    public init(id: String) throws(PayloadError) {
        guard (1...Session.longest).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw PayloadError(
                expected: "1 to \(Session.longest) visible characters of ASCII as the id of a session",
                found: "another string of \(id.utf8.count) bytes, not shown")
        }
        bytes = Array(id.utf8)
    }

    /// The session of a string that a call has brought. Any string counts, even an empty one: an unknown one must not
    /// become the session of the program itself.
    package init(carried id: String) { bytes = Array(id.utf8) }

    /// The session that the running code's call belongs to; nil if it carries none.
    public static var current: Session? {
        carried(key)
    }

    /// The session that takes the place of the current one if a component asks for that, with ``Events/renewSession()``.
    /// Nil if the front end cannot give its session a new id, as on the command line.
    ///
    /// After the renewal, and in handlers of ``SessionRenewed``, it is where the client continues.
    public static var successor: Session? { carried(successorKey) }

    private static func carried(_ key: String) -> Session? {
        guard let carried = Carried.current, let id = carried[key] else { return nil }
        return Session(carried: (try? id.string()) ?? "")
    }

    /// Makes calls in a session. All else that they carry stays.
    ///
    /// - Parameters:
    ///   - session: the session that the calls belong to; nil for that of the program itself, also in code that was
    ///     called in another one.
    ///   - body: makes the calls.
    public static func with<Value>(_ session: Session?, _ body: () throws -> Value) rethrows -> Value {
        try ServiceContext.withValue(context(session, nil)) { try body() }
    }

    /// Makes calls in a session, as the function without `async` does.
    ///
    /// - Parameters:
    ///   - session: the session that the calls belong to; nil for that of the program itself.
    ///   - body: makes the calls. Tasks that it creates inherit the session.
    public static func with<Value>(_ session: Session?, _ body: () async throws -> Value) async rethrows -> Value {
        try await ServiceContext.withValue(context(session, nil)) { try await body() }
    }

    /// Makes calls in a session whose id may be replaced by a new one. This is for front ends:
    ///
    ///     let (session, next) = (try Session(id: cookie), try Session(id: random))
    ///     let answer = try await Session.with(session, successor: next) { try await pages.perform(…) }
    ///
    /// A front end draws the successor at random for each call that may sign someone in or out. It handles
    /// ``SessionRenewed``, in which ``current`` and ``successor`` are these two: then the client receives the id of the
    /// successor with the answer, whether the call has failed or not, and the former session ends. Otherwise the successor
    /// is forgotten.
    ///
    /// - Parameters:
    ///   - session: the session that the calls belong to.
    ///   - successor: a session that no one knows yet.
    ///   - body: makes the calls.
    public static func with<Value>(
        _ session: Session, successor: Session, body: () async throws -> Value
    ) async rethrows -> Value {
        try await ServiceContext.withValue(context(session, successor)) { try await body() }
    }

    private static func context(_ session: Session?, _ successor: Session?) -> ServiceContext {
        var context = ServiceContext.current ?? .topLevel
        var texts = context.carried
        texts[key] = session?.id
        // That of another session is of no use in this one.
        texts[successorKey] = successor?.id
        context.carried = texts
        return context
    }
}

extension Session: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Dots, whatever the id.
    public var description: String { "session ••••" }
    /// Dots, whatever the id.
    public var debugDescription: String { description }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
