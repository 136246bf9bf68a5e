/// The media types of files, by what their names end with.
///
/// A browser must not guess (nosniff), and what could run as a page or a script from a component's files would run as
/// part of this site: only these types are sent as what they are, all else as bytes to be saved.
enum FileType {
    private static let known = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "ico": "image/x-icon", "txt": "text/plain; charset=utf-8", "json": "application/json",
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "ogv": "video/ogg",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "wav": "audio/wav", "flac": "audio/flac",
        "woff2": "font/woff2", "vtt": "text/vtt; charset=utf-8",
    ]

    /// The type of all other files.
    static let bytes = "application/octet-stream"

    /// Returns the media type of a file with this name.
    static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return bytes }
        return known[name[name.index(after: dot)...].lowercased()] ?? bytes
    }
}
