import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("A component does not read what is meant for another one")
struct KeyOwnerTests {
    /// Makes the manifest of a component that reads these keys, which are all optional strings.
    private static func manifest(_ name: String, reads keys: [String]?) throws -> Manifest {
        guard let keys else { return try Manifest(["name": .string(name), "version": "1.0.0"]) }
        func model(_ name: String, _ fields: [(String, String)]) -> Payload {
            ["name": .string(name), "fields": .map(fields.map { ($0, .string($1)) })]
        }
        let parts = keys.map { $0.split(separator: ".").map(String.init) }
        let nested = parts.filter { $0.count == 2 }
        let fields =
            parts.filter { $0.count == 1 }.map { ($0[0], "string?") } + nested.map { ($0[0], "Inner\($0[0])?") }
        return try Manifest([
            "name": .string(name), "version": "1.0.0", "configuration": "Options",
            "models": .array([model("Options", fields)] + nested.map { model("Inner\($0[0])", [($0[1], "string?")]) }),
        ])
    }

    /// Returns what a component reads and what is wrong with it, both as text.
    private static func section(
        _ manifest: Manifest, among manifests: [Manifest], in origin: ConfigurationOrigin
    ) throws -> (values: String, errors: [String]) {
        let owners = KeyOwners(manifests, [origin])
        let section = CheckedConfiguration(of: manifest, in: [origin], owners: owners)
        return (try section.values.json(), section.errors)
    }

    @Test("a key of the outermost level of a file is a name as a whole", arguments: ["json", "yaml"])
    func sections(format: String) throws {
        let text = #"{"Bank.vault": {"password": "hunter2"}, "Bank": {"vault": {"limit": "5"}}}"#
        let bytes = Array(text.utf8)
        let tree = format == "json" ? try ConfigurationTree(json: bytes) : try ConfigurationTree(yaml: bytes)
        let origin = ConfigurationOrigin(name: "file", isSecret: false, keys: tree.keys, revision: "") {
            key, type throws(ConfigurationOrigin.Mismatch) in try tree.find(key, type, in: "file")
        }
        let bank = try Self.manifest("Bank", reads: ["vault.password"])
        let vault = try Self.manifest("Bank.vault", reads: ["password", "limit"])
        // Also if the other component is not there.
        for manifests in [[bank, vault], [bank]] {
            let found = try Self.section(bank, among: manifests, in: origin)
            #expect(!found.values.contains("hunter2") && found.errors == [])
        }
        let found = try Self.section(vault, among: [bank, vault], in: origin)
        #expect(found.values.contains("hunter2") && found.errors == [])
        #expect(
            CheckedConfiguration(of: vault, in: [origin], owners: KeyOwners([bank, vault], [origin])).warnings == [])
    }

    /// The name of a text, and which component reads it, or is refused.
    static let texts: [(key: String, reader: String?, isRefused: Bool)] = [
        ("Bank..vault.password", "Bank.vault", false), ("Bank.vault.password", "Bank", true),
        ("Bank.vault.limit", "Bank", true), ("Bank.password", "Bank", false), ("Bank...password", nil, false),
        ("Bank..vault", nil, false), ("Bank.vault", nil, false), ("Bank..vaults.password", nil, false),
    ]

    @Test("in a text, a dot in the name of a component is written twice", arguments: texts)
    func writtenAsText(key: String, reader: String?, isRefused: Bool) throws {
        let origin = ConfigurationOrigin(
            texts: [ConfigurationKey(text: key): "hunter2"], name: "secrets", isSecret: true
        ) { "secrets/\($0.text)" }
        #expect(origin.keys?.map(\.text) == [key])
        // The model in the field has one field of its own.
        let nested = key.hasSuffix("limit") ? "vault.limit" : "vault.password"
        let bank = try Self.manifest("Bank", reads: [nested, "password"])
        let vault = try Self.manifest("Bank.vault", reads: ["password", "limit"])
        for manifest in [bank, vault] {
            let alone = try Self.section(manifest, among: [manifest], in: origin)
            #expect(alone.values.contains("hunter2") == (manifest.name == reader), "\(alone)")
            let found = try Self.section(manifest, among: [bank, vault], in: origin)
            #expect(found.values.contains("hunter2") == (manifest.name == reader && !isRefused), "\(found)")
            guard manifest.name == reader, isRefused else { continue }
            let problem =
                "\(key) in secrets/\(key): the component Bank.vault may be meant, too; put the value into a file with a "
                + "section for each component"
            #expect(found.errors == [problem])
        }
    }

    @Test("a text in the place of a section, and a section in that of a text, are errors")
    func places() throws {
        let manifest = try Self.manifest("Bank", reads: ["vault.password", "limit"])
        for (key, problem) in [
            ("Bank.vault", "Bank.vault in secrets/Bank.vault: expected a section, found a string"),
            ("Bank.limit.x", "Bank.limit in secrets/Bank.limit.x: expected a string (String?), found a section"),
        ] {
            let origin = ConfigurationOrigin(
                texts: [ConfigurationKey(text: key): "5"], name: "secrets", isSecret: true
            ) { "secrets/\($0.text)" }
            #expect(try Self.section(manifest, among: [manifest], in: origin).errors == [problem])
        }
    }

    /// The environment with one variable.
    private static func environment(_ variable: String) -> ConfigurationOrigin {
        ConfigurationOrigin(environment: [variable: "hunter2"], prefix: "KEYOWNERS")
    }

    @Test("a variable that two components may read is refused for both, and one that only begins alike is not")
    func variables() throws {
        let news = try Self.manifest("News", reads: ["proxy.host", "sender"])
        let proxy = try Self.manifest("NewsProxy", reads: ["host"])
        let quiet = try Self.manifest("NewsProxy", reads: nil)
        let other = try Self.manifest("NewsProxy", reads: ["port"])
        for (manifests, readers, refused) in [
            ([news, proxy], [], ["News", "NewsProxy"]), ([news], ["News"], []), ([news, quiet], [], ["News"]),
            ([news, other], ["News"], []),
        ] as [([Manifest], [String], [String])] {
            let origin = Self.environment("KEYOWNERS_NEWS_PROXY_HOST")
            for manifest in manifests where manifest.configuration != nil {
                let found = try Self.section(manifest, among: manifests, in: origin)
                #expect(found.values.contains("hunter2") == readers.contains(manifest.name), "\(found)")
                #expect(found.errors.isEmpty != refused.contains(manifest.name), "\(found)")
                #expect(found.errors.allSatisfy { $0.contains(" in KEYOWNERS_NEWS_PROXY_HOST: the component News") })
            }
        }
    }

    @Test("a variable that begins with the name of a component and is not read is told, with the right one")
    func misspeltVariables() throws {
        let news = try Self.manifest("News", reads: ["proxy.host", "sender"])
        let proxy = try Self.manifest("NewsProxy", reads: nil)
        for (variable, advice) in [
            ("KEYOWNERS_NEWS_SENDR", "; did you mean KEYOWNERS_NEWS_SENDER?"), ("KEYOWNERS_NEWS_ZZZZZZZZZZZZ", ""),
            ("KEYOWNERS_NEWS_SENDER", nil), ("KEYOWNERS_NEWS_PROXY", nil), ("KEYOWNERS_NEWSPAPER", nil),
            ("KEYOWNERS_NEWS_PROXY_PORT", nil), ("KEYOWNERS_NEWS_SENT", ""),
        ] as [(String, String?)] {
            let origin = Self.environment(variable)
            let section = CheckedConfiguration(of: news, in: [origin], owners: KeyOwners([news, proxy], [origin]))
            let warning = advice.map { "\(variable) has no effect: the component News does not read it\($0)" }
            #expect(section.warnings == [warning].compactMap(\.self))
        }
    }

    @Test("what was probably meant is told with the key that is missing")
    func misspellings() throws {
        let manifest = try Manifest([
            "name": "Bank.vault", "version": "1.0.0", "configuration": "Options",
            "models": [["name": "Options", "fields": ["password": "string"]]],
        ])
        let missing = "Bank.vault.password is missing: expected a string (String)"
        for (key, advice) in [
            ("bank..Vault.password", "; bank.Vault.password in secrets may be a misspelling of it"),
            ("Bank..vault.pasword", "; Bank.vault.pasword in secrets may be a misspelling of it"),
            (
                "Bank.vault.password",
                "; a dot in the name of a component is written twice: Bank..vault.password in secrets"
            ),
            ("Other.password", "; remark"),
        ] {
            let origin = ConfigurationOrigin(texts: [ConfigurationKey(text: key): "x"], name: "secrets") { _ in nil }
            let section = CheckedConfiguration(
                of: manifest, in: [origin], owners: KeyOwners([manifest], [origin]), remark: "; remark")
            #expect(section.errors == [missing + advice])
        }
    }

    @Test("a key in the section of no component is told with its right form, in files and in texts")
    func advice() {
        let names = ["News", "com.example", "com.example.Video"]
        for (path, inFile, inText) in [
            (
                ["News.proxy", "host"], "; write the key proxy in the section of News",
                "; a dot is written twice in the name of a component, and only there: News.proxy.host"
            ),
            (
                ["com", "example", "Video", "timeout"],
                "; write the name of the component as one key: com.example.Video",
                "; a dot is written twice in the name of a component, and only there: com..example..Video.timeout"
            ),
            (["News"], nil, nil), (["Newspaper", "x"], nil, nil), (["com", "other"], nil, nil),
        ] as [([String], String?, String?)] {
            let key = ConfigurationKey(path)
            #expect(KeyAdvice(key, in: .sections, names: names)?.text == inFile)
            #expect(KeyAdvice(key, in: .texts, names: names)?.text == inText)
        }
    }

    @Test("a host without a configuration says so where a value is missing")
    func nothingIsRead() async throws {
        try await withPlugins("Configured") { (plugins: PluginDirectory) async throws in
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: .quiet)
            let problems = try host.configurationProblems()
            #expect(
                problems == [
                    "Configured.address is missing: expected a string (String); the host of this program reads no files "
                        + "and no environment: set the host's option 'configuration', which is there with the trait "
                        + #""Configuration" of the package HSLink"#
                ])
            await host.stop()
        }
    }

    @Test("values of keys that no component declares are not shown")
    func hidden() async throws {
        let directory = try TemporaryDirectory()
        try await withPlugins("CGood") { (plugins: PluginDirectory) async throws in
            var options = HostOptions.quiet
            options.configuration = HostConfiguration(
                files: [try directory.write(#"{"CGood": {"password": "hunter2", "limit": 5}}"#, to: "host.json")],
                environmentPrefix: nil)
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
            let answer = try await host.call("hslink.Configuration", "sections", kind: .class)
            let text = try answer.json()
            #expect(text.contains("password") && !text.contains("hunter2") && !text.contains("\"value\""), "\(text)")
            await host.stop()
        }
    }
}
