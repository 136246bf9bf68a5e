import CHSLink
import ComponentKit
import Glibc

/// The data directory of a host, and in it the directories of its components. It is claimed for the host alone at
/// the first use, until ``release()``.
final class DataDirectory: Sendable {
    private enum State {
        case unclaimed
        case claimed(DataClaim)
        case released
    }

    private let path: String?
    private let policy: TrustPolicy
    private let state = Lock(State.unclaimed)

    /// - Parameters:
    ///   - path: as the options have it.
    ///   - policy: whether owners and permissions are looked at.
    init(_ path: String?, policy: TrustPolicy) {
        self.path = path
        self.policy = policy
    }

    /// Claims the directory where that has not happened.
    ///
    /// - Returns: its absolute path.
    /// - Throws: why not, in the domain `hslink.data`; or `stopped`.
    func claim() throws(LinkError) -> String {
        try state.withLock { state throws(LinkError) in try claimed(&state).path }
    }

    /// The directory of a component, made where it is not there.
    ///
    /// - Returns: its absolute path.
    /// - Throws: as ``claim()``, or why it cannot be made or is not trusted.
    func directory(of component: String) throws(LinkError) -> String {
        try state.withLock { state throws(LinkError) in
            try claimed(&state).directory(of: component, policy: policy)
        }
    }

    /// Lets other hosts have the directory; from now on requests for it are answered as stopped.
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
        case .released: throw LinkError(.stopped, message: "the host has been stopped and keeps no data any more")
        case .unclaimed: break
        }
        guard let path, !path.isEmpty else {
            throw LinkError(
                data: HSLINK_DATA_NONE,
                "the host keeps no data for components; give it a data directory (--data DIR, or dataDirectory in "
                    + "its options)")
        }
        let claim = try DataClaim(path, policy: policy)
        state = .claimed(claim)
        return claim
    }
}

extension LinkError {
    /// A failure of the domain `hslink.data`.
    init(data code: Int, _ message: String) {
        self.init(domain: HSLINK_DATA_DOMAIN, number: Int32(code), message: message)
    }
}
