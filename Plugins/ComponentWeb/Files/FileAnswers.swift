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

    /// The item of a media file's URL that says that a page has shown it in the session.
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
        // With its hash in the URL, the file never changes.
        let cacheControl = asked == file.version ? "public, max-age=31536000, immutable" : "no-cache"
        let described = Described(
            name: name, version: FileVersion(tag: file.version), size: file.bytes.count, cacheControl: cacheControl)
        return FileAnswers.answer(described, to: request) { range in
            ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes[range]))
        }
    }

    /// `GET /media/COMPONENT/PATH…?s=SIGNATURE`
    func media(_ parts: [String], _ request: WebRequest) async throws -> Response {
        let path = parts[2...].joined(separator: "/")
        // Only what a page has shown in this session is sent, and not all that a component keeps.
        guard let signature = request.query(FileAnswers.signature),
            SessionKeys.isEqual(signature, keys.signature(ofFile: path, of: parts[1], in: request.session))
        else { throw WebFailure.notFound }
        guard let files = try? link.service(HostResourcesServiceClient.self),
            let place = try? await files.dataFile(component: parts[1], path: path).path,
            let file = MediaFile(path: place, depth: parts.count - 2)
        else { throw WebFailure.notFound }
        let described = Described(
            name: path, version: file.version, size: file.size, cacheControl: "private, no-cache")
        return FileAnswers.answer(described, to: request.request) { range in file.body(range) }
    }

    /// What is known of a file before it is read.
    private struct Described {
        let name: String
        let version: FileVersion
        let size: Int
        let cacheControl: String
    }

    /// Answers a file, or the part of it that a browser asks for, unless the browser has it already.
    private static func answer(
        _ file: Described, to request: Request, body: (Range<Int>) -> ResponseBody
    ) -> Response {
        var headers: HTTPFields = [.eTag: "\"\(file.version.tag)\"", .cacheControl: file.cacheControl]
        headers[.lastModified] = file.version.modified.map { HTTPDate.text($0) }
        switch file.version.outcome(of: request.headers) {
        case .met: break
        case .notModified:
            var response = Response(status: .notModified, headers: headers)
            // It would be the length of the file.
            response.headers[.contentLength] = nil
            return response
        case .failed: return Response(status: .preconditionFailed, headers: headers)
        }
        headers[.contentType] = FileType.of(file.name)
        // What a browser cannot show is saved.
        if FileType.of(file.name) == FileType.bytes { headers[.contentDisposition] = "attachment" }
        headers[.acceptRanges] = "bytes"
        // Only GET has ranges (RFC 9110, section 14.2).
        let asksForPart = request.method == .get && file.version.allowsPart(request.headers)
        switch asksForPart ? ByteRange(request.headers[.range], size: file.size) : .whole {
        case .whole: return Response(status: .ok, headers: headers, body: body(0..<file.size))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(file.size)"
            return Response(
                status: .partialContent, headers: headers, body: body(range.lowerBound..<(range.upperBound + 1)))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(file.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }
}
