/// The decoded parts of a URL, for explanations and suggestions.
struct URLParts {
    /// In lower case.
    let scheme: String?
    let host: String
    /// The components of the path; no more than matter for patterns.
    let path: [String]
    let fragment: [String]?
    /// Whether the host is a component for patterns that name a scheme only.
    let hostIsComponent: Bool
    /// The same for patterns for any scheme; nil if those are not valid for the URL.
    let hostIsComponentForAnyScheme: Bool?

    init(_ url: String, _ options: RoutingOptions) {
        let bytes = url.utf8Span.span
        let split = SplitURL(bytes)
        scheme = split.scheme.map { bytes.text($0).lowercased() }
        host = bytes.text(split.host)
        path = Self.components(split.path, of: bytes, options: options)
        fragment = split.fragmentPath(bytes).map { Self.components($0, of: bytes, options: options) }
        hostIsComponent = split.hostIsComponent(bytes, options.hosts)
        hostIsComponentForAnyScheme = split.hostIsComponentForAnyScheme(bytes, options)
    }

    private static func components(
        _ path: Range<Int>, of bytes: Span<UInt8>, options: RoutingOptions
    ) -> [String] {
        var components = URLComponents()
        components.append(path, of: bytes)
        return (0..<components.count).map { bytes.text(components[$0].range, plusIsSpace: options.plus == .isSpace) }
    }

    /// Returns the components that a variant is compared with.
    func components(for variant: PatternVariant) -> [String] {
        let includesHost =
            variant.beginsWithHost || (variant.scheme == nil ? hostIsComponentForAnyScheme ?? true : hostIsComponent)
        return (includesHost && !host.isEmpty ? [host] : []) + path
    }
}

/// The first place where a pattern and a URL differ.
struct RouteMismatch {
    let reason: String
    /// The number of components that match; -1 if the scheme does not.
    private let matched: Int
    private let distance: RouteDistance

    /// - Parameter schemes: the schemes that routes of the table name.
    init(
        _ variant: PatternVariant, _ url: URLParts, schemes: Set<String>, options: RoutingOptions,
        costs: inout RouteDistance.Costs
    ) {
        distance = RouteDistance(variant, url, costs: &costs)
        if let reason = Self.schemeReason(variant, url, schemes: schemes, options: options) {
            (matched, self.reason) = (-1, reason)
            return
        }
        let (path, fragment) = variant.parts
        let components = url.components(for: variant)
        let hostCount = components.count - url.path.count
        let found = Self.compare(path, components, options: options) { index in
            index < hostCount ? "host" : "component \(index + 1)"
        }
        guard found.reason == nil, let fragment else {
            // Text that is no UTF-8 looks the same when it is decoded.
            (matched, reason) = (found.matched, found.reason ?? Self.otherBytes)
            return
        }
        guard let own = url.fragment else {
            (matched, reason) = (found.matched, "the URL has no fragment")
            return
        }
        let inFragment = Self.compare(fragment, own, options: options) { "component \($0 + 1) of the fragment" }
        matched = found.matched + inFragment.matched
        reason = inFragment.reason ?? Self.otherBytes
    }

    private static let otherBytes = "a component has other bytes"

    private static func schemeReason(
        _ variant: PatternVariant, _ url: URLParts, schemes: Set<String>, options: RoutingOptions
    ) -> String? {
        if let scheme = variant.scheme {
            guard scheme != url.scheme else { return nil }
            return "scheme: expected \"\(scheme)\", found \(url.scheme.map { "\"\($0)\"" } ?? "none")"
        }
        if url.hostIsComponentForAnyScheme == nil {
            return "the URL does not begin with any of \(options.sources.map(\.description).joined(separator: ", "))"
        }
        if !options.fallsBackToAnyScheme, let scheme = url.scheme, schemes.contains(scheme) {
            return "the scheme \"\(scheme)\" has routes of its own, which replace those for any scheme"
        }
        return nil
    }

    /// Compares elements with components.
    ///
    /// - Returns: The number of components that match, and the first difference; nil if there is none.
    private static func compare(
        _ elements: ArraySlice<PatternElement>, _ components: [String], options: RoutingOptions,
        place: (Int) -> String
    ) -> (matched: Int, reason: String?) {
        for (index, element) in elements.enumerated() {
            if case .rest(_, let isPath) = element {
                guard isPath, index >= components.count else { return (components.count, nil) }
                return (index, "the URL ends before the path")
            }
            guard index < components.count else {
                return (index, "the URL ends before \"\(element.text)\"")
            }
            let component = components[index]
            switch element {
            case .literal(let bytes):
                let expected = String(decoding: bytes, as: UTF8.self)
                let isHost = place(index) == "host"
                if !expected.utf8.elementsEqual(component.utf8),
                    !isHost || expected.lowercased() != component.lowercased()
                {
                    return (index, "\(place(index)): expected \"\(expected)\", found \"\(component)\"")
                }
            case .placeholder(_, let type, let suffix):
                let suffix = String(decoding: suffix, as: UTF8.self)
                guard component.hasSuffix(suffix), component.utf8.count > suffix.utf8.count else {
                    return (index, "\(place(index)): expected \"…\(suffix)\", found \"\(component)\"")
                }
                let text = String(component.dropLast(suffix.count))
                if let type, type.value(of: text, converters: options.converters) == nil {
                    return (index, "\(place(index)): \(type.objection(to: text))")
                }
            case .rest, .fragment: break
            }
        }
        guard components.count > elements.count else { return (elements.count, nil) }
        return (elements.count, "the URL continues with \"\(components[elements.count])\"")
    }

    static func isCloser(_ one: RouteMismatch, _ other: RouteMismatch) -> Bool {
        if one.matched != other.matched { return one.matched > other.matched }
        return one.distance < other.distance
    }

    /// Whether the route has so much in common with the URL that people would ask why it does not match.
    var isOfInterest: Bool { matched > 0 || distance.isNear }
}

extension PatternVariant {
    /// The path, and the part after `#` if there is one.
    var parts: (path: ArraySlice<PatternElement>, fragment: ArraySlice<PatternElement>?) {
        guard let hash = elements.firstIndex(of: .fragment) else { return (elements[...], nil) }
        return (elements[..<hash], elements[(hash + 1)...])
    }
}

extension PatternElement {
    /// The element as it is written in a pattern, decoded.
    var text: String {
        switch self {
        case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
        case .placeholder(let name, let type, let suffix):
            ":\(name)\(type.map { "<\($0)>" } ?? "")\(String(decoding: suffix, as: UTF8.self))"
        case .rest(let name, let isPath): isPath ? "<path:\(name)>" : "*\(name)"
        case .fragment: "#"
        }
    }
}
