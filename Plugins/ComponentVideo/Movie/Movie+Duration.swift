import NXKit

extension Movie {
    /// How long the film plays. The first of these that is known: for a fragmented film `mehd`, the longest of its
    /// tracks with their fragments, the segment index; else the movie's header, the longest of its tracks.
    ///
    /// - Parameter index: The box `sidx`, if there is one.
    /// - Throws: As reading that box.
    func duration(index: Box?, _ boxes: BoxFile) throws(FileError) -> MediaTime {
        let header = headerDuration.map { MediaTime(value: $0, timescale: timescale) }
        let longestTrack = tracks.map(\.duration).max { $1.isLonger(than: $0) }
        let unknown = MediaTime(value: 0, timescale: timescale)
        let hasFragments = tracks.contains { $0.fragments != nil }
        if isFragmented || hasFragments {
            if let extendedDuration {
                return MediaTime(value: extendedDuration, timescale: timescale)
            }
            // The header of a film that begins with ordinary samples tells only how long these are.
            if hasFragments, let longestTrack {
                return longestTrack
            }
            if let index {
                return try SegmentIndex.duration(index, boxes)
            }
        }
        return header ?? longestTrack ?? unknown
    }
}
