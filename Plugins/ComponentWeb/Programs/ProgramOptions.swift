import ComponentKit

/// What programs may ask for over HTTP. Without it, they are answered as if there were nothing.
@Model
struct ProgramOptions: Sendable {
    /// The hash of the token that every request carries, as `WebPagesLink.token` answers it.
    var token: Secret
    /// What may be called: the names of classes, as in "VideoLink", single methods, as in "OwnerLink.addresses", or "*"
    /// for the classes of all components. Classes of the host, such as "hslink.Counters", must be named.
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
            TokenDigest(token.text) != nil, "programs.token", "the hash that 'hslink call WebPagesLink token' makes",
            "something else")
        for name in classes {
            try WebOptions.expect(
                name == "*" || name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty },
                "programs.classes", "names of classes and methods, or *", String(name.prefix(100)))
        }
    }

    /// Whether a method may be called.
    func allows(_ className: String, _ selector: String) -> Bool {
        lists(className) || lists("\(className).\(selector)")
            || (lists("*") && !className.utf8.starts(with: "hslink.".utf8))
    }

    /// For the host, classes whose names differ in their bytes only are two classes.
    private func lists(_ name: String) -> Bool { classes.contains { $0.utf8.elementsEqual(name.utf8) } }
}
