public import FoundationEssentials
import SystemSupport

/// The read-only files that come with a component: pictures, texts, tables.
///
///     let icon = try context.resources.data("icons/play.png")
///     let greeting = try context.resources.string("greeting.txt")         // in the host's language
///     let french = try context.resources.localized(for: ["fr"]).string("greeting.txt")
///     for name in try context.resources.names(in: "icons") { … }
///
/// They are in the directory `NAME.resources` next to the component's file, or else in the bundle
/// `PACKAGE_MODULE.resources` that SwiftPM makes for a target with resources. If the component is linked into the
/// program, they are next to the program. A component needs no directory: then there are no names, and each file is
/// missing.
///
/// A name is a path relative to the directory, as in `icons/play.png`: at most 1,024 bytes of UTF-8 without NUL, with
/// single slashes between its parts, none of which is `.` or `..`. A link may lead to another place in the directory,
/// but not out of it.
///
/// A file for a language is in the folder `LANGUAGE.lproj`. For the language de-DE, these files are tried in this order:
/// `de-DE.lproj/NAME`, `de.lproj/NAME`, `NAME`, `Base.lproj/NAME`, `en.lproj/NAME`. A folder may also be spelled
/// `de_DE.lproj` or `de-de.lproj`. The languages are those of the host, or those that were passed to
/// ``localized(for:)``.
///
/// The directory and its files must satisfy the same rules for owners and permissions as the component's file. A
/// directory that does not is ignored: the component loses its resources but can still be called.
///
/// Files are opened at each request and never cached, so a change is visible at once. To change a file while a host
/// runs, replace it by renaming. All functions may be called from any thread. They block while they read, so do not call
/// them from code that must not block.
public struct Resources: Sendable {
    /// The default limit for the size of a file that is read: 64 MB.
    public static let standardLimit = 64 << 20

    private let source: any ResourceSource
    private let languages: [String]?

    package init(_ source: any ResourceSource, languages: [String]? = nil) {
        self.source = source
        self.languages = languages
    }

    /// The name of the component.
    public var component: String { source.component }

    /// Returns the same resources for other languages.
    ///
    /// - Parameter languages: languages in order of preference, such as `["de-AT", "fr"]`. An invalid one has no files.
    public func localized(for languages: [String]) -> Resources { Resources(source, languages: languages) }

    /// Returns the absolute path of the directory, without links. To open files whose names come from outside, use the
    /// other functions, which do not let a name lead out of the directory.
    ///
    /// - Throws: ``ResourceError`` if the component has no directory of resources, or the host does not trust it.
    public func directory() throws(ResourceError) -> String { try source.directory() }

    /// Returns the URL of a file, for functions that open files themselves. The URL has no links and leads to the file
    /// for the best language.
    ///
    /// - Throws: ``ResourceError`` if there is no such file, or it cannot be opened.
    public func url(_ name: String) throws(ResourceError) -> URL {
        let path = try source.open(name, languages: languages).path
        guard !path.isEmpty else { throw error(.system, name, reason: "the host gave no path for it") }
        return URL(filePath: path, directoryHint: .notDirectory)
    }

    /// Returns the bytes of a file.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - limit: the largest size in bytes that is read.
    /// - Throws: ``ResourceError`` if there is no such file, it is larger than the limit, or it cannot be read.
    public func data(_ name: String, limit: Int = Resources.standardLimit) throws(ResourceError) -> Data {
        Data(try bytes(name, limit: limit))
    }

    /// Returns the text of a file in UTF-8.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - limit: the largest size in bytes that is read.
    /// - Throws: ``ResourceError`` if there is no such file, it is larger than the limit or not in UTF-8, or it cannot be
    ///   read.
    public func string(_ name: String, limit: Int = Resources.standardLimit) throws(ResourceError) -> String {
        guard let text = String(validating: try bytes(name, limit: limit), as: UTF8.self) else {
            throw error(.invalidContent, name, reason: "it is not text in UTF-8")
        }
        return text
    }

    /// Returns the value in a file of JSON, as ``PayloadDecoder`` decodes it.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - type: the type of the value.
    ///   - limit: the largest size in bytes that is read.
    /// - Throws: ``ResourceError`` if there is no such file, it is larger than the limit, it is not JSON of this form
    ///   (with the place and what was expected), or it cannot be read.
    public func json<Value: Decodable>(
        _ name: String, as type: Value.Type = Value.self, limit: Int = Resources.standardLimit
    ) throws(ResourceError) -> Value {
        let bytes = try bytes(name, limit: limit)
        do {
            return try PayloadDecoder().decode(type, from: try Payload(json: bytes))
        } catch let problem as DecodingError {
            throw error(.invalidContent, name, reason: PayloadError(decoding: problem).description)
        } catch let problem {
            throw error(.invalidContent, name, reason: "\(problem)")
        }
    }

    /// Returns the names of the files in a folder, in ascending order, each once, including those that exist only for
    /// one of the languages. They do not include the folder. Subfolders are left out, and so are files whose names are
    /// not UTF-8.
    ///
    /// - Parameter folder: the name of the folder; empty for the directory itself.
    /// - Returns: The names; empty for the directory itself if the component has none.
    /// - Throws: ``ResourceError`` if there is no such folder, it has more than 65,536 files, or it cannot be read.
    public func names(in folder: String = "") throws(ResourceError) -> [String] {
        try source.names(in: folder, languages: languages)
    }

    private func bytes(_ name: String, limit: Int) throws(ResourceError) -> [UInt8] {
        let file = try source.open(name, languages: languages)
        switch file.read(limit: max(limit, 0)) {
        case .bytes(let bytes): return bytes
        case .tooLarge(let size):
            throw error(.tooLarge, name, reason: "it has \(size) bytes, more than the limit of \(limit)")
        case .failed(let number):
            throw error(.system, name, reason: "the system could not read it: \(systemMessage(number))")
        }
    }

    private func error(_ code: ResourceError.Code, _ name: String, reason: String) -> ResourceError {
        ResourceError(code, component: component, name: name, reason: reason)
    }
}
