import ComponentImageContract
import ComponentKit
import Dispatch
import NXKit
import PageKit

/// Edits pictures for pages, beside their originals. One at a time, because that takes memory and a processor. All
/// functions block.
final class PictureEditor: Sendable {
    /// An edit that is being made.
    struct Progress: Hashable, Sendable {
        /// What is done, such as "Cropping: reading".
        var label: String
        /// How much of it is done, from 0 to 1.
        var fraction: Double
    }

    private enum Step: Double {
        case waiting = 0
        case reading = 0.1
        case editing = 0.4
        case encoding = 0.6
        case writing = 0.9
    }

    private struct State {
        var lastJob = 0
        var jobs: [Int: (picture: [UInt8], progress: Progress)] = [:]
    }

    private let link: Link
    private let changed: @Sendable (_ modules: [String]) -> Void
    private let turn = DispatchSemaphore(value: 1)
    private let state = Lock(State())

    /// How long an edit waits for others.
    private static let patience = DispatchTimeInterval.seconds(3)
    /// How long an edit may take altogether: less than pages wait for what they call.
    private static let longest = Duration.seconds(8)
    /// The pictures that are edited are those that have thumbnails.
    private static let limits = ThumbnailMaker.limits
    private static let quality = 85

    /// The page modules that show the progress of an edit, and those that show what there is in a folder.
    private static let progressModules = ["image.picture"]
    private static let folderModules = ["image.gallery", "image.picture", "image.picture.edit"]

    /// - Parameter changed: Called with the page modules whose views have changed.
    init(_ link: Link, changed: @escaping @Sendable (_ modules: [String]) -> Void) {
        self.link = link
        self.changed = changed
    }

    /// Returns why a picture cannot be edited, as a sentence; nil if it can.
    func reasonAgainst(_ info: ImageInfo, size: UInt64) -> String? {
        guard ThumbnailMaker.canRead(info, size: size) else {
            let (megapixels, megabytes) = (PictureEditor.limits.pixels >> 20, PictureEditor.limits.bytes >> 20)
            return "Only PNG, JPEG and WebP pictures without animation, of at most \(megapixels) megapixels and "
                + "\(megabytes) MB, can be edited."
        }
        return link.isAvailable("GD") ? nil : "Pictures cannot be edited here, because libgd is missing."
    }

    /// The edits of a picture that are being made, the oldest first.
    ///
    /// - Parameter path: The path of its file.
    func progress(of path: String) -> [Progress] {
        let bytes = Array(path.utf8)
        return state.withLock { state in
            state.jobs.filter { $0.value.picture == bytes }.sorted { $0.key < $1.key }.map(\.value.progress)
        }
    }

    /// Writes an edited picture beside its original.
    ///
    /// - Parameters:
    ///   - edit: What is changed.
    ///   - name: The name of the original's file.
    ///   - folder: The absolute path of its folder.
    /// - Returns: The name of the new file.
    /// - Throws: `PageError.invalidValue` for an edit that the size of the picture does not allow; `LinkError` if the picture
    ///   cannot be read, edited or written, without the path of the folder.
    func make(_ edit: PictureEdit, of name: String, in folder: String) throws -> String {
        let deadline = ContinuousClock.now + PictureEditor.longest
        let job = begin(edit, "\(folder)/\(name)")
        defer { end(job) }
        try waitForTurn()
        defer { turn.signal() }
        let library = PictureLibrary(link: link, deadline: deadline)
        report(.reading, of: edit, job: job)
        let (picture, format) = try PictureEditor.read("\(folder)/\(name)", library)
        try edit.check(width: picture.width, height: picture.height)
        report(.editing, of: edit, job: job)
        let edited = try edit.apply(to: picture)
        report(.encoding, of: edit, job: job)
        let newFormat = edit.format ?? format
        let bytes = try edited.encoded(as: newFormat, quality: PictureEditor.quality)
        guard bytes.count <= PictureEditor.limits.bytes else {
            let megabytes = PictureEditor.limits.bytes >> 20
            throw PictureEditor.refusal("The edited picture would be larger than \(megabytes) MB.")
        }
        report(.writing, of: edit, job: job)
        return try EditedPictures(folder: folder).add(bytes, from: name) { number in
            edit.name(from: name, format: newFormat, number: number)
        }
    }

    /// Deletes a picture that an edit has made.
    ///
    /// - Returns: The name of the original's file.
    /// - Throws: The errors of ``EditedPictures/remove(_:)``.
    func undo(_ name: String, in folder: String) throws -> String {
        try waitForTurn()
        defer {
            turn.signal()
            changed(PictureEditor.folderModules)
        }
        return try EditedPictures(folder: folder).remove(name)
    }

    private func waitForTurn() throws {
        guard turn.wait(timeout: .now() + PictureEditor.patience) == .success else {
            throw PictureEditor.refusal("Other pictures are being edited. Try again later.")
        }
    }

    /// Reads a picture, upright as the camera was held, because that is how people see it.
    private static func read(_ path: String, _ library: PictureLibrary) throws -> (Picture, PictureFormat) {
        do {
            let file = try FileBytes(path: path, followingLinks: false)
            let info = try ImageInfo.read(file)
            guard ThumbnailMaker.canRead(info, size: file.size), let format = PictureFormat(of: info.format) else {
                throw refusal("A picture of this kind or size cannot be edited.")
            }
            let orientation = info.format == .jpeg ? ExifOrientation.read(jpeg: file) : .upright
            let picture = try Picture(file, info, library: library, limits: limits)
            return (try picture.upright(orientation), format)
        } catch let error as FileError {
            // Its message contains the path.
            throw refusal("The picture cannot be read: \(error.code.words).")
        } catch let error as LinkError
            where error.domain.isEmpty && [.methodFailed, .payloadMismatch].contains(error.code)
        {
            throw refusal("The picture cannot be read: it is damaged, or there is not enough memory.")
        }
    }

    private static func refusal(_ message: String) -> LinkError {
        LinkError(domain: "ComponentImage", number: 4, message: message)
    }

    // MARK: - Progress

    private func begin(_ edit: PictureEdit, _ path: String) -> Int {
        let job = state.withLock { state in
            state.lastJob += 1
            let progress = Progress(label: "\(edit.title): waiting", fraction: Step.waiting.rawValue)
            state.jobs[state.lastJob] = (Array(path.utf8), progress)
            return state.lastJob
        }
        changed(PictureEditor.progressModules)
        return job
    }

    private func report(_ step: Step, of edit: PictureEdit, job: Int) {
        state.withLock { state in
            state.jobs[job]?.progress = Progress(label: "\(edit.title): \(step)", fraction: step.rawValue)
        }
        changed(PictureEditor.progressModules)
    }

    private func end(_ job: Int) {
        state.withLock { $0.jobs[job] = nil }
        changed(PictureEditor.folderModules)
    }
}
