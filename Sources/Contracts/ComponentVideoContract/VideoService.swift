public import ComponentKit

/// What ComponentVideo offers: it tells what is in the file of a film.
@LinkService("org.hslink.video/1")
public protocol VideoService: Sendable {
    /// Duration, size, frame rate, codecs and tracks of an MP4 or MOV file, from its boxes. Blocks while it reads.
    func probe(path: String) throws -> VideoInfo
}

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

/// One track of a film: pictures, sound, or something else such as text or a time code.
@Model public struct VideoTrack: Hashable, Sendable {
    /// What a track carries.
    @Model public enum Kind: String, Hashable, Sendable {
        case video, audio, other
    }

    /// The number by which fragments and other tracks name it.
    public var id: UInt32
    /// What it carries.
    public var kind: Kind
    /// The four characters of its coding as in "avc1" or "mp4a"; nil for a track that describes no samples.
    public var codec: String?
    /// The coding with its profile and level as of RFC 6381, as in "avc1.64001F", where it says more.
    public var codecString: String?
    /// How long it plays, in seconds.
    public var duration: Double
    /// Coded pixels from left to right; nil when it is not video.
    public var width: Int?
    /// Coded pixels from top to bottom; nil when it is not video.
    public var height: Int?
    /// Frames a second on average; nil when it is not video or has no frames.
    public var frameRate: Double?
    /// Samples a second of one channel; nil when it is not audio.
    public var sampleRate: Int?
    /// Audio channels; nil when it is not audio.
    public var channels: Int?
    /// Its language as of ISO 639-2/T, as in "deu"; nil when it is undetermined.
    public var language: String?
}
