import ComponentVideoContract
import NXKit

/// A film, read from the boxes of an MP4 or QuickTime file (ISO/IEC 14496-12; Apple's QuickTime File Format
/// Specification).
///
/// Only the boxes that describe the media are read, never the media. Edit lists affect durations only as far as the
/// headers of the movie and its tracks include them.
struct Film: Hashable, Sendable {
    /// The major brand, four characters such as "isom", "iso5" or "qt  "; nil for an old QuickTime file without one.
    var brand: String?
    /// Whether the film continues in movie fragments (`moof`).
    var isFragmented: Bool
    /// Whether all boxes end within the file. False if the file was cut off after the movie's description: then
    /// `duration` is the intended duration, or, for a fragmented film, the duration of what is left.
    var isComplete: Bool
    /// The duration of the film: from the movie's header, or, for a fragmented film, from `mehd`, the fragments or the
    /// segment index.
    var duration: MediaTime
    /// The tracks, in the order of the file.
    var tracks: [Track]

    /// The duration of the film in seconds.
    var durationSeconds: Double { duration.seconds }

    /// Reads the boxes of the file at `path`.
    ///
    /// Blocks; may be called from any thread. The time grows with the number of boxes and fragments, not with the size
    /// of the file, and `limits` bounds it. Uses a few hundred kB of memory.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or one relative to the working directory.
    ///   - followingLinks: Whether the path may be a symbolic link.
    ///   - limits: The limits beyond which the file is refused.
    /// - Throws: Errors from `FileBytes.init(path:)`; `unsupported` if the file is not an MP4 or QuickTime file, or has
    ///   a compressed movie header; `truncated` if it ends within its description; `malformed` if the description
    ///   violates the standard; `limitExceeded`.
    static func read(
        path: String, followingLinks: Bool = true, limits: VideoLimits = .standard
    ) throws(FileError) -> Film {
        // A film that is edited is read strictly: its boxes are written again.
        try read(
            BoxFile(try FileBytes(path: path, followingLinks: followingLinks), limits: limits, isLenient: true))
    }

    /// Reads the boxes of an open file. As ``read(path:followingLinks:limits:)``.
    static func read(_ boxes: BoxFile) throws(FileError) -> Film {
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

/// One track of a film: pictures, sound, or other data such as text or a time code.
struct Track: Hashable, Sendable {
    /// A kind of track.
    typealias Kind = VideoTrack.Kind

    /// The number by which fragments and other tracks refer to the track.
    var id: UInt32
    /// The kind of the track.
    var kind: Kind
    /// The handler type that determines `kind`, four characters such as "vide", "soun", "sbtl" or "tmcd".
    var handler: String
    /// The four characters of its coding, as in "avc1", "mp4a" or "sowt"; for encrypted media, of the original coding.
    /// Nil for a track that describes no samples.
    var codec: String?
    /// The coding with its profile and level in the form of RFC 6381, as in "avc1.64001F" or "mp4a.40.2". Nil if it
    /// would add nothing to `codec`, or if the configuration is missing.
    var codecString: String?
    /// Whether its samples are encrypted (ISO/IEC 23001-7).
    var isEncrypted: Bool
    /// The width in coded pixels, before scaling and rotation; nil if the track is not video.
    var width: Int?
    /// The height in coded pixels; nil if the track is not video.
    var height: Int?
    /// The clockwise turn in degrees with which the picture is shown: 0, 90, 180 or 270. Nil if the track is not video,
    /// or if its matrix and the movie's together do anything else, as for a mirrored picture.
    var rotation: Int?
    /// The width of the picture as it is shown, scaled and turned, in pixels; nil if the track is not video.
    var displayWidth: Int?
    /// The height of the picture as it is shown; nil if the track is not video.
    var displayHeight: Int?
    /// The exact average number of frames per second; nil if the track is not video or has no frames.
    var frameRate: Ratio?
    /// The sample rate in Hz; nil if the track is not audio.
    var sampleRate: Int?
    /// The number of audio channels; nil if the track is not audio.
    var channels: Int?
    /// The duration of the track: with its edit list applied if the file has that duration, otherwise the duration of
    /// its media.
    var duration: MediaTime
    /// The number of samples: frames of a video, packets of compressed audio.
    var sampleCount: UInt64
    /// The ISO 639-2/T code of the language, as in "deu"; nil if it is undetermined or given as a code of the classic
    /// Mac OS.
    var language: String?
}

/// Limits for reading a film's description. A file that exceeds them is refused.
struct VideoLimits: Hashable, Sendable {
    /// The maximum number of boxes in the file.
    var boxes: Int
    /// The maximum number of table entries in the file, such as changes of the frame rate, or frames in fragments.
    var tableEntries: Int
    /// The maximum number of tracks.
    var tracks: Int

    /// 1,000,000 boxes, 16,000,000 entries, 1,000 tracks: enough for a day in one-second fragments, and read in less
    /// than a second.
    static let standard = VideoLimits(boxes: 1_000_000, tableEntries: 16_000_000, tracks: 1_000)
}
