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
        plain(await catalog(for: words).entries.flatMap(\.manifest.classes).map(\.name))
    }

    /// Completes a component or a class, of the host that `hslink run` has started if none is given.
    @Sendable static func countedNames(_ words: [String], _ index: Int, prefix: String) async -> [String] {
        let place = words.contains("--host") ? [] : StatsCommand.defaultSocket.map { ["--host", $0] } ?? []
        let manifests = await catalog(for: words + place).entries.map(\.manifest)
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
        let classes = await catalog(for: words).entries.flatMap(\.manifest.classes)
        return classes.first { words.contains($0.name) }
    }

    static func catalog(for words: [String]) async -> Catalog {
        if let option = words.firstIndex(of: "--host"), words.indices.contains(option + 1) {
            // A shell that waits for completions cannot be used.
            let catalog = try? await ControlClient.connected(to: words[option + 1]) {
                try await $0.catalog(within: .zero)
            }
            return catalog ?? .empty
        }
        var directories: [String] = []
        for (option, value) in zip(words, words.dropFirst()) where option == "--plugins" { directories.append(value) }
        return LinkHost(components: directories.isEmpty ? nil : directories).catalog
    }

    /// Returns the names that contain no special characters of a shell, sorted and without duplicates. Completion scripts
    /// expand what they get, so a name from a file could otherwise run a command.
    static func plain(_ names: [String]) -> [String] {
        let plain = names.filter { $0.utf8.allSatisfy { $0.isLetterOrDigitInASCII || "_.-".utf8.contains($0) } }
        return Set(plain).sorted()
    }
}
