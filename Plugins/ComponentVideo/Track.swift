package import ComponentVideoContract

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
