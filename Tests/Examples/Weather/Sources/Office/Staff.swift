import ComponentKit
import PageKit

/// Lets those who work in the office sign in, each with a code that counts once.
@LinkClass
final class StaffPages {
    private let events: Events
    private let staff = Staff()

    init(_ context: ComponentContext) { events = context.events }

    /// Makes a code.
    @Selector func invite() async -> String { await staff.invite() }

    /// A form for a code, or the way to sign out.
    @PageModule("office.door")
    func door(_ context: PageContext) async -> some View {
        let isSignedIn = await staff.sessions.contains(.current)
        return Stack {
            if isSignedIn {
                Button("Sign out", .call("signOut"))
            } else {
                Form("Sign in", .call("signIn")) { Field("code", "Code", .password).required() }
            }
        }
    }

    /// Signs in whoever has a code. What that opens belongs to a session whose id no one knew before.
    @Selector func signIn(code: String) async throws {
        guard await staff.use(code) else {
            throw PageError.invalidValue(field: "code", reason: "There is no such code.")
        }
        await staff.add(await events.renewSession())
    }

    /// Signs out. The former id opens nothing any more.
    @Selector func signOut() async {
        await staff.remove(.current)
        _ = await events.renewSession()
    }

    /// Whoever is signed in stays so if another component renews the session.
    @On(.concurrent) func sessionRenewed(_ event: SessionRenewed) async {
        guard let former = Session.current, let next = Session.successor else { return }
        await staff.move(from: former, to: next)
    }
}

/// Who is signed in, until the host ends.
private actor Staff {
    /// Nil is the session of calls without one.
    private(set) var sessions: Set<Session?> = []
    private var codes: Set<String> = []

    func invite() -> String {
        let code = String(UInt64.random(in: .min ... .max), radix: 36)
        codes.insert(code)
        return code
    }

    func use(_ code: String) -> Bool { codes.remove(code) != nil }

    func add(_ session: Session?) { sessions.insert(session) }
    func remove(_ session: Session?) { sessions.remove(session) }

    func move(from former: Session, to next: Session) {
        if sessions.remove(former) != nil { sessions.insert(next) }
    }
}
