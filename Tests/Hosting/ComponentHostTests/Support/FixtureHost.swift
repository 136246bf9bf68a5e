import ComponentKit
import Foundation
import Logging
import TestSupport
import Testing

@testable import ComponentHost

/// The two forms of the component under test: linked into the test program, and loaded from the real file.
enum Depth: String, CaseIterable, CustomTestStringConvertible {
    case builtIn
    case file

    var testDescription: String { self == .builtIn ? "built in" : "from its file" }

    /// A host with FixtureComponent and its own class `HostLink`.
    func host(
        provides: [ProvidedClass] = [ProvidedClass(HostLink.self)], options: HostOptions = .quiet
    ) throws -> LinkHost {
        switch self {
        case .builtIn: return LinkHost(components: [], provides: provides, options: options)
        case .file:
            // One file for all, as one image is for all that is built in; see SharedPlugins.
            return LinkHost(
                components: [try SharedPlugins.directory(of: "FixtureComponent")], includesBuiltIn: false,
                provides: provides, options: options)
        }
    }
}

extension HostOptions {
    /// Without a log on the terminal, and without events about the memory of a machine that runs many tests.
    static var quiet: HostOptions {
        var options = HostOptions()
        options.reportsMemoryPressure = false
        options.handlerTimeout = TestPatience.limit(options.handlerTimeout)
        options.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return options
    }
}

extension KernelOptions {
    static var quiet: KernelOptions { KernelOptions(.quiet, recentLog: RecentLog(), times: nil) }
}

/// Folders with single plugin files, made once for each test process.
enum ProductFolder {
    /// The directory of the build's products, which is that of the test program.
    static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    private static let temporary: URL = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hslink-tests-\(getpid())")
        atexit { try? FileManager.default.removeItem(at: ProductFolder.temporaryFolder) }
        return folder
    }()

    static var temporaryFolder: URL { temporary }

    /// A fresh folder that only the owner can write to.
    static func fresh() throws -> URL {
        let folder = temporary.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        return folder
    }

    /// A fresh folder with a copy of one plugin file of the build.
    static func plugin(_ name: String) throws -> URL {
        let folder = try fresh()
        let target = folder.appending(path: "lib\(name).so")
        try FileManager.default.copyItem(at: products.appending(path: "lib\(name).so"), to: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: target.path)
        return folder
    }
}

/// The class that the host provides to its components in tests.
final class HostLink: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<HostLink>] = [
        .method("greet") { _, payload, call in
            "host greets \(try payload.string("name")) of \(call.caller)" as Payload
        },
        .classMethod("version") { _ in 3 },
    ]
}
