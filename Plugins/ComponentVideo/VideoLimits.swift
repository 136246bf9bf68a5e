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
