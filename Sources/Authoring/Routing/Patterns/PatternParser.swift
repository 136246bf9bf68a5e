import SystemSupport

/// Parses a pattern without optional groups.
struct PatternParser {
    private let bytes: [PatternByte]
    private let syntax: RoutePattern.Syntax
    private var elements: [PatternElement] = []
    private var names: Set<ExactText> = []

    init(_ bytes: [PatternByte], syntax: RoutePattern.Syntax) {
        self.bytes = bytes
        self.syntax = syntax
    }

    mutating func parse() throws(RoutePatternError) -> PatternVariant {
        for byte in bytes where byte.value < 0x20 || byte.value == 0x7F {
            throw RoutePatternError(message: "a pattern has no control characters", offset: byte.offset)
        }
        let (scheme, beginsWithHost, start) = try self.scheme()
        var end = bytes.count
        if let query = bytes[start...].firstIndex(where: { $0.value == UInt8(ascii: "?") }) {
            guard syntax.ignoresQueryAndFragment || syntax.readsQuery else {
                throw RoutePatternError(
                    message: "a pattern has no query; parameters that are not in the path come from the query by name",
                    offset: bytes[query].offset)
            }
            end = query
        }
        let hash = bytes[start..<end].firstIndex { $0.value == UInt8(ascii: "#") }
        if beginsWithHost { try refuseUser(start..<(hash ?? end)) }
        try path(start..<(hash ?? end))
        // Hosts are compared in lower case. After "///" there is no host.
        if beginsWithHost, start < end, bytes[start].value != UInt8(ascii: "/"),
            case .literal(let host)? = elements.first
        {
            elements[0] = .literal(host.map(Bytes.lowercased))
        }
        if let hash, !syntax.ignoresQueryAndFragment {
            try fragment(hash, end: end)
        }
        let query = syntax.ignoresQueryAndFragment ? [] : try query(from: end + 1)
        return PatternVariant(scheme: scheme, beginsWithHost: beginsWithHost, elements: elements, query: query)
    }

    /// Reads the items of the query, each `NAME=:PLACEHOLDER`.
    private mutating func query(from start: Int) throws(RoutePatternError) -> [QueryPlaceholder] {
        var placeholders: [QueryPlaceholder] = []
        var start = start
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0.value == UInt8(ascii: "&") } ?? bytes.count
            let unexpected = RoutePatternError(
                message: "expected a name and a placeholder in the query, as in \"?film=:id\"", offset: offset(start))
            guard let equals = bytes[start..<end].firstIndex(where: { $0.value == UInt8(ascii: "=") }), equals > start
            else { throw unexpected }
            var item = ComponentParser(bytes[start..<equals], end: offset(equals))
            var value = ComponentParser(bytes[(equals + 1)..<end], end: offset(end))
            guard case .literal(let name) = try item.parse(),
                case .placeholder(let placeholder, nil, let suffix) = try value.parse(), !placeholder.isEmpty,
                suffix.isEmpty
            else { throw unexpected }
            guard names.insert(ExactText(placeholder)).inserted else {
                throw RoutePatternError(
                    message: "there are two placeholders named \"\(placeholder)\"", offset: offset(equals + 1))
            }
            placeholders.append(QueryPlaceholder(item: String(decoding: name, as: UTF8.self), name: placeholder))
            start = end + 1
        }
        return placeholders
    }

    /// Finds the scheme as in URLs, where `:name` is not one.
    private func scheme() throws(RoutePatternError) -> (scheme: String?, beginsWithHost: Bool, start: Int) {
        guard let found = URLScheme.find(count: bytes.count, { bytes[$0].value }) else { return (nil, false, 0) }
        if let wrong = bytes[..<found.end].first(where: { !Bytes.isScheme($0.value) }) {
            throw RoutePatternError(
                message: "a scheme consists of letters, digits, \"+\", \"-\", \".\" and \"_\"", offset: wrong.offset)
        }
        let name = String(decoding: bytes[..<found.end].map { Bytes.lowercased($0.value) }, as: UTF8.self)
        return (name.isEmpty ? nil : name, found.hasAuthority && !name.isEmpty, found.pathStart)
    }

    /// URLs are matched without the user before their host, so a pattern with one could never match.
    private func refuseUser(_ range: Range<Int>) throws(RoutePatternError) {
        let host = bytes[range].prefix { $0.value != UInt8(ascii: "/") }
        guard let at = host.first(where: { $0.value == UInt8(ascii: "@") }) else { return }
        throw RoutePatternError(
            message: "a host has no user name; remove everything up to \"@\"", offset: at.offset)
    }

    private mutating func fragment(_ hash: Int, end: Int) throws(RoutePatternError) {
        if case .rest = elements.last {
            throw RoutePatternError(
                message: "\"*\" takes all remaining components, so nothing can follow it", offset: bytes[hash].offset)
        }
        try append(.fragment, offset: bytes[hash].offset)
        try path((hash + 1)..<end)
    }

    /// Parses components separated by slashes.
    private mutating func path(_ range: Range<Int>) throws(RoutePatternError) {
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex { $0.value == UInt8(ascii: "/") } ?? range.upperBound
            let isAtEdge = start == range.lowerBound || end == range.upperBound
            if start < end {
                try component(start..<end)
            } else if !isAtEdge, !syntax.ignoresEmptyComponents {
                throw RoutePatternError(
                    message: "there is an empty component between two slashes", offset: offset(start))
            }
            start = end + 1
        }
    }

    private func offset(_ index: Int) -> Int {
        index < bytes.count ? bytes[index].offset : (bytes.last.map { $0.offset + 1 } ?? 0)
    }

    private mutating func component(_ range: Range<Int>) throws(RoutePatternError) {
        if case .rest = elements.last {
            throw RoutePatternError(
                message: "\"*\" takes all remaining components, so nothing can follow it",
                offset: offset(range.lowerBound))
        }
        var parser = ComponentParser(bytes[range], end: offset(range.upperBound))
        let element = try parser.parse()
        if let name = element.placeholder?.name, !name.isEmpty, !names.insert(ExactText(name)).inserted {
            throw RoutePatternError(
                message: "there are two placeholders named \"\(name)\"", offset: offset(range.lowerBound))
        }
        try append(element, offset: offset(range.lowerBound))
    }

    private mutating func append(_ element: PatternElement, offset: Int) throws(RoutePatternError) {
        guard elements.count < PatternExpansion.limits.components else {
            throw RoutePatternError(
                message: "a pattern has at most \(PatternExpansion.limits.components) components", offset: offset)
        }
        elements.append(element)
    }
}

/// Parses one component of a pattern.
private struct ComponentParser {
    private var rest: ArraySlice<PatternByte>
    private let end: Int

    init(_ bytes: ArraySlice<PatternByte>, end: Int) {
        rest = bytes
        self.end = end
    }

    private var offset: Int { rest.first?.offset ?? end }

    private func fails(_ message: String) -> RoutePatternError { RoutePatternError(message: message, offset: offset) }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first?.value == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func parse() throws(RoutePatternError) -> PatternElement {
        if take("*") {
            let name = try self.name()
            guard rest.isEmpty else { throw fails("expected the end of the component after \"*\(name)\"") }
            return .rest(name: name, isPath: false)
        }
        if take(":") {
            let name = try self.name()
            let type = take("<") ? try self.type() : nil
            return try placeholder(name, type)
        }
        if take("<") {
            let first = try self.name()
            guard !first.isEmpty else { throw fails("expected a name after \"<\"") }
            if take(":") {
                let type = ValueType(name: first)
                let name = try self.name()
                guard take(">") else { throw fails("expected \">\" after \"<\(first):\(name)\"") }
                return try placeholder(name, type)
            }
            guard take(">") else { throw fails("expected \">\" or \":\" after \"<\(first)\"") }
            return try placeholder(first, nil)
        }
        return .literal(try literal())
    }

    private func placeholder(_ name: String, _ type: ValueType?) throws(RoutePatternError) -> PatternElement {
        if type == .path {
            guard rest.isEmpty else { throw fails("a path takes all remaining components, so nothing can follow it") }
            return .rest(name: name, isPath: true)
        }
        return .placeholder(name: name, type: type, suffix: try literal())
    }

    private mutating func type() throws(RoutePatternError) -> ValueType {
        let name = try self.name()
        guard !name.isEmpty else { throw fails("expected a type after \"<\", as in \":id<int>\"") }
        guard take(">") else { throw fails("expected \">\" after \"<\(name)\"") }
        return ValueType(name: name)
    }

    /// Takes an identifier; empty if there is none.
    private mutating func name() throws(RoutePatternError) -> String {
        let name = rest.prefix { Bytes.isIdentifier($0.value) }
        if let first = name.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first.value) {
            throw fails("a name does not begin with a digit")
        }
        rest = rest.dropFirst(name.count)
        return String(decoding: name.map(\.value), as: UTF8.self)
    }

    /// Decodes the remaining bytes.
    private func literal() throws(RoutePatternError) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = rest.startIndex
        while index < rest.endIndex {
            let byte = rest[index]
            switch byte.value {
            case UInt8(ascii: "%"):
                guard rest.endIndex - index > 2, let high = Bytes.hexadecimal(rest[index + 1].value),
                    let low = Bytes.hexadecimal(rest[index + 2].value)
                else {
                    throw RoutePatternError(
                        message: "expected two hexadecimal digits after \"%\"; a percent sign is written %25",
                        offset: byte.offset)
                }
                decoded.append(high << 4 | low)
                index += 3
                continue
            case UInt8(ascii: "*"):
                throw RoutePatternError(
                    message: "\"*\" stands for whole components, so nothing can come before it; a literal \"*\" is "
                        + "written %2A", offset: byte.offset)
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                throw RoutePatternError(
                    message: "a placeholder is written with a colon, as in \":id\"", offset: byte.offset)
            case UInt8(ascii: "<"), UInt8(ascii: ">"):
                throw RoutePatternError(
                    message: "\"<\" and \">\" enclose a type, as in \":id<int>\" or \"<int:id>\"",
                    offset: byte.offset)
            default: decoded.append(byte.value)
            }
            index += 1
        }
        return decoded
    }
}
