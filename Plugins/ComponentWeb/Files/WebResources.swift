import ComponentKit
import Crypto
import Foundation
import HostContract

/// The resources of components, kept in memory as far as there is room: their hashes are in the URLs.
final class WebResources: Sendable {
    /// A resource.
    struct File: Sendable {
        let bytes: [UInt8]
        /// A hash of the content.
        let version: String
    }

    /// The bytes of the names: two names that Swift takes as equal may be those of two files.
    private struct Key: Hashable {
        let component: [UInt8]
        let name: [UInt8]

        init(component: String, name: String) {
            self.component = Array(component.utf8)
            self.name = Array(name.utf8)
        }
    }

    private struct State {
        var files: [Key: File?] = [:]
        var readAt: [Key: ContinuousClock.Instant] = [:]
        var size = 0
    }

    private let link: Link
    private let state = Lock(State())

    /// For how long a file counts as unchanged without another look.
    private static let freshness = Duration.seconds(2)
    /// How many bytes are kept.
    private static let mostBytes = 64 << 20
    /// The number of files, found or not, that are kept.
    private static let mostFiles = 4096

    init(_ link: Link) { self.link = link }

    /// Returns the hash of a resource; nil if there is none. May read the file, but not often.
    func version(_ component: String, _ name: String) -> String? { file(component, name)?.version }

    /// Returns a resource; nil if there is none that can be read.
    func file(_ component: String, _ name: String) -> File? {
        let key = Key(component: component, name: name)
        let now = ContinuousClock.now
        let kept = state.withLock { state -> File?? in
            guard let readAt = state.readAt[key], now - readAt < WebResources.freshness else { return nil }
            return state.files[key]
        }
        if let kept { return kept }
        let file = read(component, name)
        state.withLock { state in
            if state.files.count >= WebResources.mostFiles || state.size > WebResources.mostBytes { state = State() }
            state.size += (file?.bytes.count ?? 0) - (state.files[key].flatMap { $0 }?.bytes.count ?? 0)
            state.files[key] = .some(file)
            state.readAt[key] = now
        }
        return file
    }

    private func read(_ component: String, _ name: String) -> File? {
        guard let files = try? link.service(HostResourcesServiceClient.self),
            let bytes = try? files.read(component: component, name: name).bytes
        else { return nil }
        let hash = Data(SHA256.hash(data: bytes)).base64URL.prefix(16)
        return File(bytes: bytes, version: String(hash))
    }
}
