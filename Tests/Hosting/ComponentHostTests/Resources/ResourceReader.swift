import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost
@testable import ComponentKit

/// The ways to use the resources of a component, which all follow the same rules.
enum ResourceReader: String, CaseIterable, CustomTestStringConvertible {
    /// By a component in Swift that is linked into the program.
    case builtIn
    /// By the same component, from its file.
    case file
    /// By a component in C.
    case inC
    /// By the program that has the host.
    case program

    var testDescription: String {
        switch self {
        case .builtIn: "built in"
        case .file: "from its file"
        case .inC: "in C"
        case .program: "by the program"
        }
    }

    var component: String { self == .inC ? "ReadsResources" : "FixtureComponent" }

    private var className: String { self == .inC ? "ReadsResourcesLink" : "FixtureResources" }

    /// A host whose component is in `folder`, or in a program that is there.
    func host(
        in folder: TemporaryDirectory, languages: [String] = [], trust: TrustPolicy = .strict
    ) throws -> LinkHost {
        var options = HostOptions.quiet
        options.resources.languages = languages
        options.trust = trust
        guard self != .builtIn else {
            options.programDirectory = folder.path
            return LinkHost(components: [], options: options)
        }
        let name = "lib\(component).so"
        if !FileManager.default.fileExists(atPath: folder.path(of: name)) {
            let file = try Fixtures.file(component)
            try FileManager.default.copyItem(at: file, to: URL(filePath: folder.path(of: name)))
            try folder.setMode(0o755, of: name)
        }
        return LinkHost(components: [folder.path], includesBuiltIn: false, options: options)
    }

    /// Asks for something in one of the forms `read`, `path`, `names` and `directory`.
    ///
    /// - Parameter languages: separated by commas; nil for those of the host.
    func ask(_ host: LinkHost, _ form: String, _ name: String = "", languages: String? = nil) async -> Answer {
        guard self == .program else {
            let payload: Payload = ["name": .string(name), "languages": languages.map { .string($0) } ?? .null]
            return await host.blockingCall(className, form, payload, kind: self == .inC ? .class : .object)
        }
        let own = host.resources(of: component)
        let resources = languages.map { own.localized(for: $0.split(separator: ",").map(String.init)) } ?? own
        return await answer {
            do throws(ResourceError) {
                switch form {
                case "read": return .string(try resources.string(name))
                case "path": return .string(try resources.url(name).path(percentEncoded: false))
                case "names": return Payload(try resources.names(in: name).map { Payload($0) })
                default: return .string(try resources.directory())
                }
            } catch {
                // As callers of a method see it.
                throw LinkError(thrown: error)
            }
        }
    }

    /// Returns the text of a file, or the number of the error that it cannot be read with.
    func read(_ host: LinkHost, _ name: String, languages: String? = nil) async -> String {
        let answer = await ask(host, "read", name, languages: languages)
        if let text = try? answer.returnValue?.string() { return text }
        guard let error = answer.error, error.domain == "hslink.resources" else { return "\(answer)" }
        return "error \(error.number)"
    }

    /// Returns the names of the files in a folder; nil if there is an error.
    func names(_ host: LinkHost, in folder: String = "", languages: String? = nil) async -> [String]? {
        let answer = await ask(host, "names", folder, languages: languages)
        return try? answer.returnValue?.items().map { try $0.string() }
    }
}
