package import ComponentVideoContract
package import NXKit

/// What the boxes of an MP4 or QuickTime file say about the film in it (ISO/IEC 14496-12; Apple's QuickTime File
/// Format Specification).
///
/// Only the boxes that describe the media are read, never the media. Edit lists count for durations as far as the
/// headers of movie and tracks take them into account.
package struct Film: Hashable, Sendable {
    /// The major brand, four characters as in "isom", "iso5" or "qt  "; nil for an old QuickTime file without one.
    package var brand: String?
    /// Whether the film is continued in movie fragments (`moof`).
    package var isFragmented: Bool
    /// Whether all boxes end within the file. False when it was cut off behind the movie's description: then
    /// `duration` is what the film should have, or for a fragmented one what is left of it.
    package var isComplete: Bool
    /// How long the film plays: from the movie's header, for a fragmented one from `mehd`, the fragments themselves,
    /// or else the segment index.
    package var duration: MediaTime
    /// The tracks, in the order of the file.
    package var tracks: [Track]

    /// How long the film plays, in seconds.
    package var durationSeconds: Double { duration.seconds }

    /// Reads the boxes of the file at `path`.
    ///
    /// Blocking, from any thread. The time it takes grows with the number of boxes and fragments, not with the size
    /// of the file, and ends with `limits`; memory is a few hundred kB.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or one relative to the working directory.
    ///   - limits: How much is read before the file is refused.
    /// - Throws: As `FileBytes.init(path:)`; `unsupported` when it is no MP4 or QuickTime file, or one with a
    ///   compressed movie header; `truncated` when it ends before its description does; `malformed` when that
    ///   breaks the standard; `limitExceeded`.
    package static func read(
        path: String, limits: VideoLimits = .standard
    ) throws(FileError) -> Film {
        let boxes = BoxFile(try FileBytes(path: path), limits: limits)
        let layout = try FileLayout.read(boxes)
        var movie = try Movie.read(layout.movie, boxes)
        for fragment in layout.fragments {
            try movie.append(fragment, boxes)
        }
        return Film(
            brand: layout.brand?.description,
            isFragmented: movie.isFragmented || !layout.fragments.isEmpty,
            isComplete: layout.isComplete,
            duration: try movie.duration(index: layout.index, boxes),
            tracks: movie.tracks.map(Track.init))
    }
}

/// One track of a film: pictures, sound, or something else such as text or a time code.
package struct Track: Hashable, Sendable {
    /// What a track carries.
    package typealias Kind = VideoTrack.Kind

    /// The number by which fragments and other tracks name it.
    package var id: UInt32
    /// What it carries.
    package var kind: Kind
    /// The handler type behind `kind`, four characters as in "vide", "soun", "sbtl" or "tmcd".
    package var handler: String
    /// The four characters of its coding as in "avc1", "mp4a" or "sowt", for encrypted media those of the coding
    /// underneath. Nil for a track that describes no samples.
    package var codec: String?
    /// The coding with its profile and level as of RFC 6381, as in "avc1.64001F" or "mp4a.40.2". Nil for codings for
    /// which it would say no more than `codec`, and where the configuration is missing.
    package var codecString: String?
    /// Whether its samples are encrypted (ISO/IEC 23001-7).
    package var isEncrypted: Bool
    /// Coded pixels from left to right, before scaling and turning; nil when it is not video.
    package var width: Int?
    /// Coded pixels from top to bottom; nil when it is not video.
    package var height: Int?
    /// Frames a second on average, exactly; nil when it is not video or has no frames.
    package var frameRate: Ratio?
    /// Samples a second of one channel; nil when it is not audio.
    package var sampleRate: Int?
    /// Audio channels; nil when it is not audio.
    package var channels: Int?
    /// How long it plays: what its edit list leaves of it, where the file tells, else its media.
    package var duration: MediaTime
    /// Its samples: frames of a video, packets of compressed audio.
    package var sampleCount: UInt64
    /// Its language as of ISO 639-2/T, as in "deu"; nil when it is undetermined or a number of the old Macintosh.
    package var language: String?
}

/// How much of a film's description is read. A file that asks for more is refused.
package struct VideoLimits: Hashable, Sendable {
    /// Boxes in the whole file.
    package var boxes: Int
    /// Entries of tables in the whole file, as of changes of the frame rate, or of frames in fragments.
    package var tableEntries: Int
    /// Tracks of the movie.
    package var tracks: Int

    /// Limits of the given numbers.
    package init(boxes: Int, tableEntries: Int, tracks: Int) {
        self.boxes = boxes
        self.tableEntries = tableEntries
        self.tracks = tracks
    }

    /// 1,000,000 boxes, 16,000,000 entries, 1,000 tracks: a day in fragments of a second, less than a second to read.
    package static let standard = VideoLimits(boxes: 1_000_000, tableEntries: 16_000_000, tracks: 1_000)
}
