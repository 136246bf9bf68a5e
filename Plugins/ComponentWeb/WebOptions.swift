import ComponentKit

/// What operators configure. Without a port, the component does nothing.
@Model
struct WebOptions: Sendable {
    /// The port on which browsers are answered; 0 for a free one, which the log names. Nil for no web pages.
    var port: Int?
    /// The address on which the port is opened. Any but a loopback address needs a password.
    var address: String = "127.0.0.1"
    /// The names under which browsers reach the host, in addition to "localhost" and addresses.
    var hosts: [String] = []
    /// The hash of the password that people are asked for, as `WebPagesLink.hash` answers it; nil for none.
    var password: Secret?
    /// The absolute path of a PEM file with the certificate and those of its issuers, for HTTPS. A change takes effect at
    /// the next start.
    var certificate: String?
    /// The absolute path of a PEM file with the private key of the certificate.
    var privateKey: String?
    /// Whether browsers reach the host through a proxy that encrypts connections, such as nginx or Caddy. It must pass the
    /// Host header on, whose names are in `hosts`. Needs a password, since the proxy answers everyone.
    var behindProxy: Bool = false
    /// The name of the site in the header of each page.
    var title: String = "HSLink"
    /// The page that is shown first.
    var home: String = "home"
    /// How many connections may be open at a time.
    var maximumConnections: Int = 1000
    /// How many windows may follow what changes on their pages at a time.
    var maximumStreams: Int = 500
    /// How many windows of one session may do so at a time.
    var streamsPerSession: Int = 32
    /// The origins of pages on the web that pages may embed, as in `https://maps.example`.
    var embeddedOrigins: [String] = []
    /// What programs may ask for; nil for nothing.
    var programs: ProgramOptions?
}

extension WebOptions {
    /// Checks what can be checked without opening anything.
    ///
    /// - Throws: an error that names the option.
    func check() throws(LinkError) {
        try WebOptions.expect((0...65535).contains(port ?? 0), "port", expected: "0 to 65535", found: "\(port ?? 0)")
        try WebOptions.expect(!address.isEmpty, "address", expected: "an address", found: "an empty string")
        try WebOptions.expect(
            Loopback.isLoopback(address) || password != nil, "password",
            expected: "the hash of a password, since \(address) can be reached from elsewhere "
                + "('hslink call WebPagesLink hash password=@?' makes one)",
            found: "none")
        if let password {
            try WebOptions.expect(
                PasswordDigest(password.text) != nil, "password",
                expected: "a hash, as 'hslink call WebPagesLink hash password=@?' makes it", found: "something else")
        }
        try WebOptions.expect(
            !behindProxy || password != nil, "password",
            expected: "the hash of a password, since a proxy is reached from elsewhere "
                + "('hslink call WebPagesLink hash password=@?' makes one)",
            found: "none")
        try WebOptions.expect(
            (certificate == nil) == (privateKey == nil), "certificate", expected: "both a certificate and a privateKey",
            found: "one")
        // The current directory may be another one by the time that the files are read.
        for (option, path) in [("certificate", certificate), ("privateKey", privateKey)] {
            guard let path else { continue }
            try WebOptions.expect(
                path.utf8.first == UInt8(ascii: "/"), option, expected: "an absolute path", found: path)
        }
        try WebOptions.expect(
            (1...100_000).contains(maximumConnections), "maximumConnections", expected: "1 to 100000",
            found: "\(maximumConnections)")
        try WebOptions.expect(
            (1...100_000).contains(maximumStreams), "maximumStreams", expected: "1 to 100000",
            found: "\(maximumStreams)")
        try WebOptions.expect(
            (1...100_000).contains(streamsPerSession), "streamsPerSession", expected: "1 to 100000",
            found: "\(streamsPerSession)")
        for host in hosts {
            let isBare = HostName(host)?.port == .some(nil) && host.utf8.last != UInt8(ascii: ":")
            try WebOptions.expect(
                isBare, "hosts", expected: "names without a port",
                found: String(host.prefix(100)))
        }
        for origin in embeddedOrigins {
            try WebOptions.expect(
                WebOrigin(origin) != nil, "embeddedOrigins", expected: "origins such as https://maps.example",
                found: String(origin.prefix(100)))
        }
        try programs?.check()
    }

    /// Whether the connections of browsers are encrypted, by the host itself or by a proxy.
    var isSecure: Bool { certificate != nil || behindProxy }

    static func expect(
        _ holds: Bool, _ option: String, expected: String, found: @autoclosure () -> String
    ) throws(LinkError) {
        guard !holds else { return }
        throw LinkError(
            domain: "ComponentWeb", number: 1, message: "\(option): expected \(expected), found \(found())")
    }
}
