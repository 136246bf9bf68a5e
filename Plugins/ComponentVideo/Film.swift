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
