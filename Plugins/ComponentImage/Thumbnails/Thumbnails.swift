import ComponentImageContract
import ComponentKit
import Dispatch
import Foundation
import NXKit

/// The small pictures that galleries show instead of large ones. Each is made once, and kept in the component's cache
/// directory until the space is needed for others.
///
/// One at a time is made, because that takes memory and a processor. All functions block.
final class Thumbnails: Sendable {
    /// What is to be shown instead of a picture.
    enum Answer: Hashable, Sendable {
        /// A thumbnail.
        case ready(PictureContent)
        /// Nothing yet: ask again.
        case later
        /// Nothing: the picture has no thumbnail.
        case none
    }

    /// How long a gallery makes thumbnails. It begins with the first one, which is made in any case, so that asking again
    /// comes to an end.
    struct Patience: Sendable {
        private var end: ContinuousClock.Instant?

        fileprivate mutating func rest() -> Duration {
            let end = end ?? .now + Thumbnails.patience
            self.end = end
            return ContinuousClock.now.duration(to: end)
        }
    }

    private struct State {
        /// The thumbnails that cannot be made, by their names.
        /// The bytes of the names: two names that Swift takes as equal may be those of two files.
        var failed: Set<[UInt8]> = []
        /// When the next one is made; nil for at once.
        var pauseEnd: ContinuousClock.Instant?
    }

    private let context: ComponentContext
    private let maker: ThumbnailMaker
    private let folder: CacheFolder
    private let turn = DispatchSemaphore(value: 1)
    private let state = Lock(State())

    private static let patience = Duration.milliseconds(1500)
    /// How long one thumbnail may take. With ``patience``, this is less than pages wait for a module.
    private static let longest = Duration.seconds(5)
    /// How long none is made after something has failed that is not about the picture: libgd cannot be loaded, a thumbnail
    /// cannot be kept, or libgd is still at work on a picture that has taken too long.
    private static let pause = Duration.seconds(60)
    /// The space for all thumbnails, in bytes.
    private static let space = 64 << 20
    private static let mostFiles = 2000
    /// How many failures are remembered.
    private static let mostFailed = 1000

    init(_ context: ComponentContext) {
        self.context = context
        maker = ThumbnailMaker(link: context.link)
        folder = CacheFolder("thumbnails", limit: Thumbnails.space, mostFiles: Thumbnails.mostFiles) {
            try context.cacheDirectory()
        }
    }

    /// Returns the thumbnail of a picture, and makes it if there is none yet.
    ///
    /// - Parameters:
    ///   - file: The picture.
    ///   - info: What its header says.
    ///   - patience: How long the gallery still makes thumbnails.
    func thumbnail(of file: borrowing FileBytes, _ info: ImageInfo, _ patience: inout Patience) -> Answer {
        guard ThumbnailMaker.canRead(info, size: file.size) else { return .none }
        let name = Thumbnails.name(of: file)
        if let kept = kept(name) { return .ready(kept) }
        guard canMake(name) else { return .none }
        let rest = patience.rest()
        guard rest > .zero, turn.wait(timeout: .now() + .milliseconds(rest.milliseconds)) == .success else {
            return .later
        }
        defer { turn.signal() }
        // Meanwhile another gallery may have made it, or tried to.
        if let kept = kept(name) { return .ready(kept) }
        guard canMake(name) else { return .none }
        return make(of: file, info, named: name)
    }

    private func make(of file: borrowing FileBytes, _ info: ImageInfo, named name: String) -> Answer {
        let bytes: [UInt8]
        do {
            bytes = try maker.thumbnail(of: file, info, until: .now + Thumbnails.longest)
        } catch {
            note(error, name)
            return .none
        }
        do {
            try folder.writeAndWait(Data(bytes), to: name)
        } catch {
            rest("thumbnails cannot be kept: \(error)")
        }
        return PictureContent(bytes).map { .ready($0) } ?? .none
    }

    private func kept(_ name: String) -> PictureContent? {
        folder.readAndWait(name).flatMap { PictureContent([UInt8]($0)) }
    }

    /// Whether it is worth a try.
    private func canMake(_ name: String) -> Bool {
        guard context.link.isAvailable("GD"), (try? context.cacheDirectory()) != nil else { return false }
        return state.withLock { state in
            if let end = state.pauseEnd {
                guard ContinuousClock.now >= end else { return false }
                state.pauseEnd = nil
            }
            return !state.failed.contains(Array(name.utf8))
        }
    }

    /// Notes why a thumbnail has not been made.
    private func note(_ error: any Error, _ name: String) {
        let code = (error as? LinkError)?.code
        let isAboutPicture =
            error is FileError || [.methodFailed, .payloadMismatch, .deadlineExceeded].contains(code)
        if isAboutPicture {
            context.link.log(.info, "there is no thumbnail of a picture: \(error)")
            state.withLock { state in
                if state.failed.count >= Thumbnails.mostFailed { state.failed = [] }
                state.failed.insert(Array(name.utf8))
            }
        }
        if !isAboutPicture || code == .deadlineExceeded { rest("thumbnails are not made for a while: \(error)") }
    }

    private func rest(_ reason: String) {
        context.link.log(.info, reason)
        state.withLock { $0.pauseEnd = .now + Thumbnails.pause }
    }

    /// The name of a thumbnail, for the path, the size and the modification time of its picture: FNV-1a of 64 bits. Two
    /// pictures with the same name are unlikely, and could only be shown in place of each other.
    private static func name(of file: borrowing FileBytes) -> String {
        // The first number is that of the form of thumbnails.
        let key = "1 \(file.size) \(file.modified.attoseconds) \(file.path)"
        let hash = key.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}

/// A picture as pages take it.
struct PictureContent: Hashable, Sendable {
    let bytes: [UInt8]
    /// The media type.
    let type: String

    init(_ bytes: [UInt8], type: String) {
        self.bytes = bytes
        self.type = type
    }

    /// A thumbnail; nil if this is not one, such as a file that was not written to its end.
    init?(_ thumbnail: [UInt8]) {
        if thumbnail.starts(with: [0xFF, 0xD8, 0xFF]) {
            self.init(thumbnail, type: "image/jpeg")
        } else if thumbnail.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self.init(thumbnail, type: "image/png")
        } else {
            return nil
        }
    }
}

extension Duration {
    /// The time in whole milliseconds, at least one.
    fileprivate var milliseconds: Int {
        let parts = components
        return max(Int(clamping: parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000), 1)
    }
}
