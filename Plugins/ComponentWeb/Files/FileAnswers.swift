import ComponentKit
import HTTPTypes
import HostContract
import Hummingbird
import NIOCore

/// Answers requests for files of components.
struct FileAnswers: Sendable {
    let link: Link
    let resources: WebResources
    let keys: SessionKeys
    let looks: LookKeeper

    /// The item of a media file's URL that says that a page of this host has shown it.
    static let signature = "s"

    /// `GET /resources/COMPONENT/NAME…?v=HASH`
    func resource(_ parts: [String], _ request: Request) throws -> Response {
        guard let file = resources.file(parts[1], parts[2...].joined(separator: "/")) else { throw WebFailure.notFound }
        return FileAnswers.answer(file, named: parts[parts.count - 1], to: request)
    }

    /// `GET /look.css?v=HASH`
    func look(_ request: Request) throws -> Response {
        guard let look = looks.current else { throw WebFailure.notFound }
        let file = WebResources.File(bytes: look.styleSheet, version: look.version)
        return FileAnswers.answer(file, named: WebPlaces.lookName, to: request)
    }

    private static func answer(_ file: WebResources.File, named name: String, to request: Request) -> Response {
        let asked = request.uri.queryParameters["v"].map(String.init)
        var headers: HTTPFields = [
            .contentType: FileType.of(name), .eTag: "\"\(file.version)\"",
            // With its hash in the URL, the file never changes.
            .cacheControl: asked == file.version ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if request.headers[.ifNoneMatch]?.contains("\"\(file.version)\"") == true {
            return Response(status: .notModified, headers: headers)
        }
        FileAnswers.addDisposition(name, to: &headers)
        return FileAnswers.ranged(request, &headers, size: file.bytes.count) { range in
            ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes[range]))
        }
    }

    /// `GET /media/COMPONENT/PATH…?s=SIGNATURE`
    func media(_ parts: [String], _ request: WebRequest) async throws -> Response {
        let path = parts[2...].joined(separator: "/")
        // Only what a page has shown is sent, and not all that a component keeps.
        guard let signature = request.query(FileAnswers.signature),
            SessionKeys.isEqual(signature, keys.signature(ofFile: path, of: parts[1]))
        else { throw WebFailure.notFound }
        guard let files = try? link.service(HostResourcesServiceClient.self),
            let place = try? await files.dataFile(component: parts[1], path: path).path,
            let file = MediaFile(path: place, depth: parts.count - 2)
        else { throw WebFailure.notFound }
        var headers: HTTPFields = [
            .contentType: FileType.of(path), .eTag: "\"\(file.version)\"", .cacheControl: "private, no-cache",
        ]
        if request.header(.ifNoneMatch)?.contains("\"\(file.version)\"") == true {
            return Response(status: .notModified, headers: headers)
        }
        FileAnswers.addDisposition(path, to: &headers)
        return FileAnswers.ranged(request.request, &headers, size: file.size) { range in
            file.body(range, on: request.channel)
        }
    }

    /// What a browser cannot show is saved.
    private static func addDisposition(_ name: String, to headers: inout HTTPFields) {
        if FileType.of(name) == "application/octet-stream" { headers[.contentDisposition] = "attachment" }
    }

    /// Answers the part of a file that a browser asks for.
    private static func ranged(
        _ request: Request, _ headers: inout HTTPFields, size: Int, body: (Range<Int>) -> ResponseBody
    ) -> Response {
        headers[.acceptRanges] = "bytes"
        // A part of another version is of no use to the browser.
        let isSame = request.headers[HTTPField.Name(known: "If-Range")].map { $0 == headers[.eTag] } ?? true
        switch isSame ? ByteRange(request.headers[.range], size: size) : .whole {
        case .whole: return Response(status: .ok, headers: headers, body: body(0..<size))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(size)"
            return Response(
                status: .partialContent, headers: headers, body: body(range.lowerBound..<(range.upperBound + 1)))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }
}
