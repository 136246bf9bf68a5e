import CHSLink
import ComponentCatalog
import ComponentKit
import SystemSupport

/// The data or cache directory of a host, which contains the directories of its components. The host claims it at the
/// first use and holds it until ``release()``.
final class DataDirectory: Sendable {
    private enum State {
        case unclaimed
        case claimed(DataClaim)
        case released
    }

    private let kind: DataKind
    private let path: String?
    /// The path of a directory that must be another one.
    private let other: String?
    private let policy: TrustPolicy
    private let whenClaimed: @Sendable (_ descriptor: Int32, _ path: String) -> Void
    private let state = Lock(State.unclaimed)

    /// - Parameters:
    ///   - kind: what it is for.
    ///   - path: the path in the host's options.
    ///   - other: the path of a directory that must be another one.
    ///   - policy: whether owners and permissions are checked.
    ///   - whenClaimed: receives the open directory when the host claims it. Called with a lock held, so it must not ask
    ///     for directories.
    init(
        _ kind: DataKind, _ path: String?, besides other: String? = nil, policy: TrustPolicy,
        whenClaimed: @escaping @Sendable (_ descriptor: Int32, _ path: String) -> Void = { _, _ in }
    ) {
        self.whenClaimed = whenClaimed
        self.kind = kind
        self.other = other
        self.path = path
        self.policy = policy
    }

    /// Claims the directory unless it is already claimed.
    ///
    /// - Returns: The absolute path of the directory.
    /// - Throws: `LinkError` in the domain `hslink.data` if it cannot be claimed, or with code `stopped` after
    ///   ``release()``.
    func claim() throws(LinkError) -> String {
        try state.withLock { state throws(LinkError) in try claimed(&state).path }
    }

    /// Returns the absolute path of a component's directory, which is created if it does not exist.
    ///
    /// - Throws: The errors of ``claim()``, or `LinkError` in the domain `hslink.data` if the directory cannot be
    ///   created or is not trusted.
    func directory(of component: String) throws(LinkError) -> String {
        try state.withLock { state throws(LinkError) in
            try claimed(&state).directory(of: component, policy: policy)
        }
    }

    /// Releases the directory for other hosts. Later requests for it fail with `stopped`.
    func release() {
        let before = state.withLock { state in
            defer { state = .released }
            return state
        }
        withExtendedLifetime(before) {}
    }

    private func claimed(_ state: inout State) throws(LinkError) -> DataClaim {
        switch state {
        case .claimed(let claim): return claim
        case .released: throw LinkError(.stopped, message: "the host has stopped and no longer keeps data")
        case .unclaimed: break
        }
        guard let path, !path.isEmpty else {
            throw LinkError(
                data: HSLINK_DATA_NONE,
                "the host has no \(kind) directory for components; set one with --\(kind) DIR, or with "
                    + "\(kind)Directory in "
                    + "its options")
        }
        let claim = try DataClaim(path, kind, policy: policy)
        let other = other.flatMap { try? TrustChecker.canonicalPath($0) }
        guard other?.isExactly(claim.path) != true else {
            throw LinkError(
                data: HSLINK_DATA_NONE, "the \(kind) directory must not be the one for data; use another one")
        }
        state = .claimed(claim)
        claim.withDescriptor { whenClaimed($0, claim.path) }
        return claim
    }
}

extension LinkError {
    /// Creates an error in the domain `hslink.data`.
    init(data code: Int, _ message: String) {
        self.init(domain: HSLINK_DATA_DOMAIN, number: Int32(code), message: message)
    }
}
