import ComponentKit
import FoundationEssentials

/// Reads the component's resources in every way, for tests. `languages` is a list separated by commas.
@LinkClass
final class FixtureResources {
    private let context: ComponentContext

    init(_ context: ComponentContext) { self.context = context }

    private func resources(_ payload: borrowing PayloadView) throws -> Resources {
        guard let languages = try payload.stringIfPresent("languages") else { return context.resources }
        return context.resources.localized(for: languages.split(separator: ",").map(String.init))
    }

    static let rows: [LinkMethod<FixtureResources>] = [
        .method("directory") { fixture, _ in try fixture.context.resources.directory() },
        .method("cache") { fixture, _ in try fixture.context.cacheDirectory() },
        .method("read") { fixture, payload in
            try fixture.resources(payload).string(payload.string("name"))
        },
        .method("path") { fixture, payload in
            try fixture.resources(payload).url(payload.string("name")).path(percentEncoded: false)
        },
        .method("names") { fixture, payload in
            Payload(try fixture.resources(payload).names(in: payload.string("name")).map { Payload($0) })
        },
    ]
}
