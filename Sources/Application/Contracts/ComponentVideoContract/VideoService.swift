public import ComponentKit

/// The service of ComponentVideo, which describes film files.
@LinkService("org.hslink.video/1")
public protocol VideoService: Sendable {
    /// Returns the duration, size, frame rate, codecs and tracks of an MP4 or MOV file. Blocks while reading.
    ///
    /// The route is not public: a URL from outside must not choose the files that the host reads.
    @Route("studio://film")
    func probe(path: String) throws -> VideoInfo

    /// Returns the same for a film in the library, which web links may open. Blocks while reading.
    ///
    /// - Parameter name: The name of a file in the folder `films` of the component's data directory, as in "clip.mp4".
    /// - Throws: `RouteDeclined` if the library has no such film.
    @Route("studio://film/:name", "/watch/:name", public: true)
    func film(name: String) throws -> VideoInfo
}

/// The properties of a film. Values that the file does not contain are nil.
@Model public struct VideoInfo: Hashable, Sendable {
    /// The major brand, four characters such as "isom" or "qt  "; nil for an old QuickTime file without one.
    public var brand: String?
    /// The duration of the film in seconds.
    public var duration: Double
    /// Whether the film continues in movie fragments.
    public var isFragmented: Bool
    /// Whether all boxes end within the file. False if the file was cut off: then `duration` is the intended duration,
    /// or, for a fragmented film, the duration of what is left.
    public var isComplete: Bool
    /// The width of the first video track in coded pixels.
    public var width: Int?
    /// The height of the first video track in coded pixels.
    public var height: Int?
    /// The average number of frames per second of the first video track.
    public var frameRate: Double?
    /// The codings of all tracks, if possible in the form of RFC 6381, as in "avc1.64001F".
    public var codecs: [String]
    /// The tracks, in the order of the file.
    public var tracks: [VideoTrack]
}

/// One track of a film: pictures, sound, or other data such as text or a time code.
@Model public struct VideoTrack: Hashable, Sendable {
    /// A kind of track.
    @Model public enum Kind: String, Hashable, Sendable {
        case video, audio, other
    }

    /// The number by which fragments and other tracks refer to the track.
    public var id: UInt32
    /// The kind of the track.
    public var kind: Kind
    /// The four characters of its coding, as in "avc1" or "mp4a"; nil for a track that describes no samples.
    public var codec: String?
    /// The coding with its profile and level in the form of RFC 6381, as in "avc1.64001F", if that adds information.
    public var codecString: String?
    /// The duration of the track in seconds.
    public var duration: Double
    /// The width in coded pixels, before scaling and rotation; nil if the track is not video.
    public var width: Int?
    /// The height in coded pixels; nil if the track is not video.
    public var height: Int?
    /// The turn, clockwise and in degrees, with which the picture is to be shown: 0, 90, 180 or 270. Nil if the track is
    /// not video, or if the picture is to be shown in another way: mirrored, whether it is turned as well or not, turned by
    /// other angles, or distorted.
    public var rotation: Int?
    /// The width of the picture as it is to be shown, scaled and turned, in pixels: for a rotation of 90 or 270 degrees,
    /// that comes from the coded height. Nil if the track is not video.
    public var displayWidth: Int?
    /// The height of the picture as it is to be shown, in pixels; nil if the track is not video.
    public var displayHeight: Int?
    /// The average number of frames per second; nil if the track is not video or has no frames.
    public var frameRate: Double?
    /// The sample rate in Hz; nil if the track is not audio.
    public var sampleRate: Int?
    /// The number of audio channels; nil if the track is not audio.
    public var channels: Int?
    /// The ISO 639-2/T code of the language, as in "deu"; nil if it is undetermined.
    public var language: String?
}
