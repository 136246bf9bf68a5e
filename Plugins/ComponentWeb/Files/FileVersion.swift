import HTTPTypes

/// What tells a file from another version of it, for requests that depend on it (RFC 9110, section 13).
struct FileVersion: Hashable, Sendable {
    /// The entity tag, without its quotes: letters, digits, "-" and "_". It is a strong one.
    let tag: String
    /// When the file was changed, in seconds since 1970; nil if that is not known.
    var modified: Int?

    /// What the conditions of a request lead to.
    enum Outcome: Hashable, Sendable {
        /// The file is sent.
        case met
        /// The client has the file.
        case notModified
        /// The client asks for another version only.
        case failed
    }

    /// Evaluates the conditions of a request, which is GET or HEAD, in the order of section 13.2.2.
    func outcome(of headers: HTTPFields) -> Outcome {
        if let tags = headers[.ifMatch] {
            guard EntityTags(tags).matchStrongly(tag) else { return .failed }
        } else if let since = headers[.ifUnmodifiedSince].flatMap({ HTTPDate.seconds($0) }), let modified,
            modified > since
        {
            return .failed
        }
        if let tags = headers[.ifNoneMatch] { return EntityTags(tags).matchWeakly(tag) ? .notModified : .met }
        if let since = headers[.ifModifiedSince].flatMap({ HTTPDate.seconds($0) }), let modified, modified <= since {
            return .notModified
        }
        return .met
    }

    /// Whether a part of the file is of use to a client that has another part. A date never says so, since a file may
    /// change twice within a second (section 8.8.2.2).
    func allowsPart(_ headers: HTTPFields) -> Bool {
        headers[.ifRange].map { $0.utf8.elementsEqual("\"\(tag)\"".utf8) } ?? true
    }
}

/// A list of entity tags, as in `"a", W/"b"`, or `*` (RFC 9110, sections 8.8.3 and 13.1).
struct EntityTags: Hashable, Sendable {
    private struct Tag: Hashable {
        let bytes: [UInt8]
        let isWeak: Bool
    }

    private var tags: [Tag] = []
    /// Whether any version is meant.
    private let isAny: Bool

    /// - Parameter header: the value of a header. What follows something malformed counts as absent.
    init(_ header: String) {
        var rest = header.utf8[...]
        func isSeparator(_ byte: UInt8) -> Bool { " \t,".utf8.contains(byte) }
        isAny = rest.filter { !isSeparator($0) }.elementsEqual("*".utf8)
        let quote = UInt8(ascii: "\"")
        while true {
            rest = rest.drop(while: isSeparator)
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == quote, let end = rest.dropFirst().firstIndex(of: quote) else { return }
            tags.append(Tag(bytes: Array(rest[..<end].dropFirst()), isWeak: isWeak))
            rest = rest[end...].dropFirst()
            guard rest.first.map(isSeparator) != false else { return }
        }
    }

    /// Whether one of them is this one, weak or not.
    func matchWeakly(_ tag: String) -> Bool { isAny || tags.contains { $0.bytes.elementsEqual(tag.utf8) } }

    /// Whether one of them is this one and not weak.
    func matchStrongly(_ tag: String) -> Bool {
        isAny || tags.contains { !$0.isWeak && $0.bytes.elementsEqual(tag.utf8) }
    }
}
