import ComponentHost
import HostControl
import SystemSupport

/// Completes classes, selectors and keys for the shell, from the manifests of the components.
enum NameCompletion {
    /// Completes a class.
    ///
    /// - Parameters:
    ///   - words: the command line so far, starting with `hslink`.
    ///   - index: the index of the word to complete.
    ///   - prefix: the part of that word that has been typed.
    @Sendable static func classes(_ words: [String], _ index: Int, prefix: String) async -> [String] {
        plain(await classes(for: words).map(\.name))
    }

    /// Completes a component or a class, of the host that `hslink run` has started if none is given.
    @Sendable static func countedNames(_ words: [String], _ index: Int, prefix: String) async -> [String] {
        let place = words.contains("--host") ? [] : StatsCommand.defaultSocket.map { ["--host", $0] } ?? []
        let manifests = await manifests(for: words + place)
        return plain(manifests.map(\.name) + manifests.flatMap { $0.classes.map(\.name) })
    }

    /// Completes a selector of the class on the command line.
    @Sendable static func selectors(_ words: [String], _ index: Int, prefix: String) async -> [String] {
        plain(await declaration(for: words)?.selectors.map(\.name) ?? [])
    }

    /// Completes a key of the selector on the command line, with its equals sign. After the sign, completes sources
    /// such as `@env:`, and file names if the parameter is a string.
    @Sendable static func parameters(_ words: [String], _ index: Int, prefix: String) async -> [String] {
        let declaration = await declaration(for: words)
        let parameters = declaration?.selectors.first { words.contains($0.name) }?.parameters ?? []
        guard let value = ValueCompletion(words, index) else {
            return plain(parameters.map(\.name)).map { $0 + "=" }
        }
        let type = parameters.first { $0.name.isExactly(value.key) }?.type
        return value.completions(takesFileName: type.map(ValueArgument.isText) ?? false)
    }

    private static func declaration(for words: [String]) async -> ClassDeclaration? {
        await classes(for: words).first { words.contains($0.name) }
    }

    /// The classes of the components that a command can call.
    static func classes(for words: [String]) async -> [ClassDeclaration] {
        await manifests(for: words).flatMap(\.classes)
    }

    private static func manifests(for words: [String]) async -> [Manifest] {
        await catalog(for: words).entries.filter { $0.disabledBy == nil }.map(\.manifest)
    }

    private static func catalog(for words: [String]) async -> Catalog {
        if let option = words.firstIndex(of: "--host"), words.indices.contains(option + 1) {
            // A shell that waits for completions cannot be used.
            let catalog = try? await ControlClient.connected(to: words[option + 1]) {
                try await $0.catalog(within: .zero)
            }
            return catalog ?? .empty
        }
        let directories = values(of: ["--plugins"], in: words).map(\.value)
        var options = HostOptions()
        configure(&options, words)
        return LinkHost(components: directories.isEmpty ? nil : directories, options: options).catalog
    }

    /// Sets the configuration that a command line names.
    static func configure(_ options: inout HostOptions, _ words: [String]) {
        let settings = values(of: ["--config", "--secrets", "--set", "--environment"], in: words)
        (try? ConfigurationOptions.parse(settings.flatMap { [$0.option, $0.value] }))?.apply(to: &options)
    }

    static func values(of options: [String], in words: [String]) -> [(option: String, value: String)] {
        zip(words, words.dropFirst()).filter { options.contains($0.0) }.map { (option: $0.0, value: $0.1) }
    }

    /// Returns the names that contain no special characters of a shell, sorted and without duplicates. Completion scripts
    /// expand what they get, so a name from a file could otherwise run a command.
    static func plain(_ names: [String]) -> [String] {
        let plain = names.filter { $0.utf8.allSatisfy { $0.isLetterOrDigitInASCII || "_.-".utf8.contains($0) } }
        return Set(plain).sorted()
    }
}
