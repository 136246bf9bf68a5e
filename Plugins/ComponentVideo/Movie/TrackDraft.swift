import ComponentVideoContract
import NXKit

/// A track while its boxes are read: what the movie box says about it, and what fragments add.
struct TrackDraft {
    let id: UInt32
    let handler: FourCC
    /// Units of the media's times in a second.
    let timescale: UInt32
    /// How long it plays with its edit list applied; nil when the file does not tell.
    let presented: MediaTime?
    /// The media's duration, in `timescale`; nil when the file does not tell.
    let mediaDuration: UInt64?
    let language: String?
    let sampleEntry: SampleEntry?
    /// Width and height at which it is shown, for a sample entry that does not tell those of the coding.
    let shown: (width: Int, height: Int)
    /// The samples in the movie box and, later, those of the fragments.
    var timing: SampleTiming
    /// The default of fragments that do not tell how long a sample is, in `timescale`.
    var defaultSampleDuration: UInt32 = 0
    /// From the first to the end of the last sample in fragments, in `timescale`.
    var fragments: Range<UInt64>?

    /// Whether it carries pictures, sound, or something else.
    var kind: Track.Kind {
        switch handler {
        case "vide": .video
        case "soun": .audio
        default: .other
        }
    }

    /// How long it plays. Fragments have the last word: headers are written before them.
    var duration: MediaTime {
        if let fragments {
            // A recording of a live programme begins somewhere in its timeline, and plays from there.
            let start = timing.movieDuration > 0 ? 0 : fragments.lowerBound
            return MediaTime(value: fragments.upperBound - start, timescale: timescale)
        }
        return presented ?? MediaTime(value: mediaDuration ?? timing.duration, timescale: timescale)
    }
}

extension Track {
    /// The track that a draft describes, once all of the file is read.
    init(_ draft: TrackDraft) {
        let entry = draft.sampleEntry
        let (video, audio) = (draft.kind == .video, draft.kind == .audio)
        self.init(
            id: draft.id, kind: draft.kind, handler: draft.handler.description,
            codec: entry?.format.description, codecString: entry?.codecString,
            isEncrypted: entry?.isEncrypted ?? false,
            width: video ? entry?.width ?? draft.shown.width : nil,
            height: video ? entry?.height ?? draft.shown.height : nil,
            frameRate: video && draft.timing.count > 0
                ? Ratio(draft.timing.count, times: UInt64(draft.timescale), over: draft.timing.duration) : nil,
            // Rates of more than 16 bits are left out of old sample entries; the timescale is the rate then.
            sampleRate: audio ? entry?.sampleRate ?? Int(draft.timescale) : nil,
            channels: audio ? entry?.channels : nil,
            duration: draft.duration, sampleCount: draft.timing.count, language: draft.language)
    }
}
