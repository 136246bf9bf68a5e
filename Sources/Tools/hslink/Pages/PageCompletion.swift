import ArgumentParser
import ComponentHost
import Glibc
import HostControl
import PageKit

/// Completes the names of pages for the shell. Unlike the names of classes and routes, these are not in manifests: the
/// host is asked for them.
enum PageCompletion {
    /// How long the host may take. A shell that waits for completions cannot be used.
    private static let patience = Duration.seconds(2)

    /// Completes the name of a page.
    @Sendable static func pages(_ words: [String], _ index: Int, prefix: String) async -> [String] {
        if let option = words.firstIndex(of: "--host"), words.indices.contains(option + 1) {
            let found = try? await ControlClient.connected(to: words[option + 1]) { client in
                try await names(.remote(client))
            }
            return NameCompletion.plain(found ?? [])
        }
        let directories = NameCompletion.values(of: ["--plugins"], in: words).map(\.value)
        var options = HostOptions()
        NameCompletion.configure(&options, words)
        let data = try? DataOptions.parse(
            NameCompletion.values(of: ["--data"], in: words).flatMap { [$0.option, $0.value] })
        // A host would create the directory.
        if let path = data?.path, unsafe access(path, F_OK) == 0 { options.dataDirectory = path }
        let host = LinkHost(components: directories.isEmpty ? nil : directories, options: options)
        let found = (try? await names(.local(host))) ?? []
        return NameCompletion.plain(found)
    }

    private static func names(_ place: PageClient.Place) async throws -> [String] {
        try await PageClient(place, timeout: patience).pages(timeout: patience).map(\.id)
    }
}
