import ComponentKit
import Dispatch
import HTTPTypes
import Hummingbird

/// Who tries a password.
enum Guesser: Hashable, Sendable {
    /// A browser in which the right one has been given before.
    case known(browser: String)
    /// Anyone else at an address; nil for all whose address says nothing.
    case stranger(ClientAddress?)

    fileprivate var isKnown: Bool {
        if case .known = self { true } else { false }
    }
}

/// Lets people try passwords, fewer the more of them were wrong.
///
/// Each browser that is known counts on its own, and so does each address: whoever tries wrong ones elsewhere keeps no
/// one out who knows the right one.
final class SignInGate: Sendable {
    private struct State {
        var failures: [Guesser: (count: Int, opensAt: ContinuousClock.Instant)] = [:]
        /// Whether a hash is being computed: one at a time, since each takes memory, and all of them would be computed
        /// before the first failure counts.
        var isBusy = false
        var waiting: [(guesser: Guesser, turn: CheckedContinuation<Bool, Never>)] = []
    }

    private let digest: PasswordDigest
    private let state = Lock(State())
    private let now: @Sendable () -> ContinuousClock.Instant
    private let queue = DispatchQueue(label: "scrypt")

    /// How many attempts of strangers wait for their turn, and how many of the same guesser.
    private static let (mostWaiting, mostOfOne) = (32, 2)
    /// How many guessers are remembered.
    private static let mostGuessers = 10_000

    /// What came of a try.
    enum Answer: Hashable, Sendable {
        case right, wrong
        /// There were too many wrong ones: the next one is read after this many seconds.
        case wait(seconds: Int)
    }

    /// - Parameter now: the clock, which tests set.
    init(_ digest: PasswordDigest, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.digest = digest
        self.now = now
    }

    /// Tries a password, after those that others try at this moment.
    func attempt(_ password: String, from guesser: Guesser) async throws -> Answer {
        if let seconds = pause(of: guesser) { return .wait(seconds: seconds) }
        guard await turn(of: guesser) else { return .wait(seconds: 1) }
        defer { next() }
        // The same guesser may have failed meanwhile.
        if let seconds = pause(of: guesser) { return .wait(seconds: seconds) }
        let result = await withCheckedContinuation { continuation in
            queue.async { [digest] in continuation.resume(returning: Result { try digest.matches(password) }) }
        }
        let isRight = try result.get()
        note(isRight, of: guesser)
        return isRight ? .right : .wrong
    }

    /// How many seconds a guesser has to wait; nil for none.
    private func pause(of guesser: Guesser) -> Int? {
        state.withLock { state in
            guard let opensAt = state.failures[guesser]?.opensAt else { return nil }
            let left = now().duration(to: opensAt)
            return left > .zero ? max(1, Int(left.components.seconds)) : nil
        }
    }

    private func note(_ isRight: Bool, of guesser: Guesser) {
        state.withLock { state in
            guard !isRight else {
                state.failures[guesser] = nil
                return
            }
            if state.failures.count >= SignInGate.mostGuessers {
                let oldest = state.failures.sorted { $0.value.opensAt < $1.value.opensAt }
                for (guesser, _) in oldest.prefix(SignInGate.mostGuessers / 2) { state.failures[guesser] = nil }
            }
            let count = min((state.failures[guesser]?.count ?? 0) + 1, 20)
            // Three are free; then 1, 2, 4 … seconds, up to a minute.
            let pause = count <= 3 ? 0 : min(1 << (count - 4), 60)
            state.failures[guesser] = (count, now().advanced(by: .seconds(pause)))
        }
    }

    // MARK: - Turns

    /// Waits until no other attempt is being checked. Known browsers come before strangers.
    ///
    /// - Returns: false if too many wait.
    private func turn(of guesser: Guesser) async -> Bool {
        await withCheckedContinuation { turn in
            let isAtOnce = state.withLock { state -> Bool? in
                guard state.isBusy else {
                    state.isBusy = true
                    return true
                }
                let waiting = state.waiting
                guard waiting.count(where: { $0.guesser == guesser }) < SignInGate.mostOfOne,
                    guesser.isKnown || waiting.count < SignInGate.mostWaiting
                else { return false }
                let place = guesser.isKnown ? waiting.firstIndex { !$0.guesser.isKnown } : nil
                state.waiting.insert((guesser, turn), at: place ?? waiting.count)
                return nil
            }
            if let isAtOnce { turn.resume(returning: isAtOnce) }
        }
    }

    private func next() {
        let turn = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        turn?.resume(returning: true)
    }
}

/// The browsers in which the password has been given. Each keeps a cookie for a year, which signs no one in: it says
/// only that wrong passwords of strangers do not count there. Another password makes all of them strangers.
struct KnownBrowsers: Sendable {
    private let keys: SessionKeys
    private let isSecure: Bool
    /// Cookies know no ports: the name differs between hosts on one machine.
    private let name: String

    /// In seconds.
    static let lifetime = 365 * 24 * 3600

    init(_ keys: SessionKeys, isSecure: Bool) {
        self.keys = keys
        self.isSecure = isSecure
        name = "\(isSecure ? "__Host-" : "")hslink-known-\(keys.signature(ofBrowser: "").prefix(8))"
    }

    /// Who tries a password.
    ///
    /// - Parameter address: where the request comes from, for a browser that is not known.
    func guesser(of request: Request, from address: ClientAddress?, now: Int) -> Guesser {
        guard let value = request.cookies[name]?.value, value.utf8.count < 200 else { return .stranger(address) }
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        // The time is any number until the signature says that it is ours.
        guard parts.count == 3, let time = Int(parts[1]),
            SessionKeys.isEqual(value, self.value(id: String(parts[0]), time: time)), time <= now + 60,
            now - time < KnownBrowsers.lifetime
        else { return .stranger(address) }
        return .known(browser: String(parts[0]))
    }

    /// The cookie of a browser in which the password has just been given.
    func newCookie(now: Int) -> HTTPField {
        let value = value(id: keys.new(isTrusted: false, now: now).id, time: now)
        return HTTPField(
            name: .setCookie,
            value: "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(KnownBrowsers.lifetime)"
                + (isSecure ? "; Secure" : ""))
    }

    private func value(id: String, time: Int) -> String {
        "\(id).\(time).\(keys.signature(ofBrowser: "\(id).\(time)"))"
    }
}
