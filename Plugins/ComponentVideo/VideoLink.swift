package import ComponentKit

#manifest(
    """
    {
      "name": "ComponentVideo", "version": "1.0.0", "layer": "business",
      "summary": "Tells what is in a film from the boxes of its file.",
      "classes": [
        { "name": "VideoLink", "summary": "Films in files.",
          "selectors": [
            { "name": "probe", "parameters": { "path": "string" }, "result": "map",
              "summary": "duration, width, height, frame rate, codecs and tracks of an MP4 or MOV file." }
          ] }
      ]
    }
    """)

/// What others may ask about films.
final class VideoLink: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<VideoLink>] = [
        .method("probe") { _, payload in
            try VideoInfo.read(path: payload.string("path")).payload
        }
    ]
}

extension VideoInfo {
    /// What callers get.
    package var payload: Payload {
        let picture = tracks.first { $0.kind == .video }
        return [
            "brand": brand.payload, "duration": Payload(durationSeconds), "isFragmented": .bool(isFragmented),
            "isComplete": .bool(isComplete), "width": (picture?.width).payload, "height": (picture?.height).payload,
            "frameRate": (picture?.frameRate?.value).payload,
            "codecs": Payload(tracks.compactMap { $0.codecString ?? $0.codec }.map(Payload.init)),
            "tracks": Payload(tracks.map(\.payload)),
        ]
    }
}

extension Track {
    /// What callers get of a track.
    package var payload: Payload {
        [
            "id": Payload(Int(id)), "kind": .string(kind.rawValue), "codec": codec.payload,
            "codecString": codecString.payload, "duration": Payload(duration.seconds),
            "width": width.payload, "height": height.payload,
            "frameRate": (frameRate?.value).payload, "sampleRate": sampleRate.payload, "channels": channels.payload,
            "language": language.payload,
        ]
    }
}
