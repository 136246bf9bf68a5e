public import ComponentKit

/// What is in the file of a film. Values that the file does not tell are nil.
@Model public struct VideoInfo: Hashable, Sendable {
    /// The major brand, four characters as in "isom" or "qt  "; nil for an old QuickTime file without one.
    public var brand: String?
    /// How long the film plays, in seconds.
    public var duration: Double
    /// Whether the film is continued in movie fragments.
    public var isFragmented: Bool
    /// Whether all boxes end within the file. False when it was cut off: then `duration` is what the film should
    /// have, or for a fragmented one what is left of it.
    public var isComplete: Bool
    /// Coded pixels of the first video track from left to right.
    public var width: Int?
    /// Coded pixels of the first video track from top to bottom.
    public var height: Int?
    /// Frames a second of the first video track on average.
    public var frameRate: Double?
    /// The codings of all tracks, as of RFC 6381 where the file tells, as in "avc1.64001F".
    public var codecs: [String]
    /// The tracks, in the order of the file.
    public var tracks: [VideoTrack]
}
