public import ComponentKit

/// What ComponentVideo offers: it tells what is in the file of a film.
@LinkService("org.hslink.video/1")
public protocol VideoService: Sendable {
    /// Duration, size, frame rate, codecs and tracks of an MP4 or MOV file, from its boxes. Blocks while it reads.
    func probe(path: String) throws -> VideoInfo
}
