public import ComponentKit

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
