import ComponentKit

/// What programs may ask for over HTTP. Without it, they are answered as if there were nothing.
@Model
struct ProgramOptions: Sendable {
    /// The hash of the token that every request carries, as `WebPagesLink.token` answers it.
    var token: Secret
    /// What may be called: the names of classes, as in "VideoLink", single methods, as in "OwnerLink.addresses", or "*"
    /// for the classes of all components. Classes of the host, such as "hslink.Counters", must be named. Elsewhere
    /// the last dot separates a class from a method; a class with a dot in its name is "com.example.Video.*".
    var classes: [String] = []
    /// Whether URLs may be opened. Only routes that are marked public are reached, and only in a host that lets the source
    /// "http" open URLs, as with `hslink run --remote http`.
    var urls: Bool = false
    /// Whether the host's counters of calls may be read, in the text format of Prometheus.
    var metrics: Bool = false
}

extension ProgramOptions {
    /// - Throws: an error that names the option.
    func check() throws(LinkError) {
        try WebOptions.expect(
            TokenDigest(token.text) != nil, "programs.token",
            expected: "the hash that 'hslink call WebPagesLink token' makes",
            found: "something else")
        for name in classes {
            // "hslink.*" would look like all classes of the host, which must be named.
            try WebOptions.expect(
                name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                    .allSatisfy { !$0.isEmpty } && name != "hslink.*",
                "programs.classes", expected: "names of classes and methods, or *", found: String(name.prefix(100)))
        }
    }

    /// Whether a method may be called.
    func allows(_ className: String, _ selector: String) -> Bool {
        classes.contains { ClassPermission($0).allows(className, selector) }
    }
}

/// What one entry of ``ProgramOptions/classes`` permits. That depends on the entry alone: what else is installed later
/// never makes it permit anything else.
private struct ClassPermission {
    /// Names are compared by their bytes, as the host does.
    private let className: Substring.UTF8View
    /// Nil for all methods of the class.
    private let selector: Substring.UTF8View?

    init(_ entry: String) {
        let bytes = entry[...].utf8
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), !bytes[..<dot].elementsEqual("hslink".utf8) else {
            (className, selector) = (bytes, nil)
            return
        }
        let rest = bytes[dot...].dropFirst()
        (className, selector) = (bytes[..<dot], rest.elementsEqual("*".utf8) ? nil : rest)
    }

    func allows(_ name: String, _ method: String) -> Bool {
        if selector == nil, className.elementsEqual("*".utf8) { return !name.utf8.starts(with: "hslink.".utf8) }
        return className.elementsEqual(name.utf8) && selector?.elementsEqual(method.utf8) != false
    }
}
