import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// A property of a plugin directory that a host does not trust.
struct TrustCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: ComponentFileError.Code
    var isDirectory = false
    /// Applies the property.
    var arrange: @Sendable (PluginDirectory) throws -> Void

    /// An account that is neither root's nor the caller's.
    private static let stranger = 12_345

    static let all: [TrustCase] = [
        TrustCase(testDescription: "a file that everyone may write to", code: .worldWritable) {
            try $0.setMode(0o757, of: $0.file("libCGood.so"))
        },
        TrustCase(
            testDescription: "a directory that everyone may write to", code: .worldWritable, isDirectory: true
        ) { try $0.setMode(0o777, of: $0.path) },
        TrustCase(testDescription: "a link that leads outside", code: .linkOutside) {
            let outside = try Fixtures.file("CGood").path
            try FileManager.default.removeItem(atPath: $0.file("libCGood.so"))
            try FileManager.default.createSymbolicLink(
                atPath: $0.file("libCGood.so"), withDestinationPath: outside)
        },
        TrustCase(testDescription: "a link that leads nowhere", code: .notFound) {
            try FileManager.default.removeItem(atPath: $0.file("libCGood.so"))
            try FileManager.default.createSymbolicLink(
                atPath: $0.file("libCGood.so"), withDestinationPath: $0.file("libNone.so"))
        },
    ]

    /// Cases that only root can create.
    static let byRoot: [TrustCase] = [
        TrustCase(testDescription: "a file of a stranger", code: .foreignOwner) {
            try $0.setOwner(stranger, of: $0.file("libCGood.so"))
        },
        TrustCase(testDescription: "a directory of a stranger", code: .foreignOwner, isDirectory: true) {
            try $0.setOwner(stranger, of: $0.path)
        },
        TrustCase(testDescription: "a file that a group of others may write to", code: .groupWritable) {
            try $0.setGroup(stranger, of: $0.file("libCGood.so"))
            try $0.setMode(0o775, of: $0.file("libCGood.so"))
        },
        TrustCase(
            testDescription: "a directory that a group of others may write to", code: .groupWritable,
            isDirectory: true
        ) {
            try $0.setGroup(stranger, of: $0.path)
            try $0.setMode(0o775, of: $0.path)
        },
    ]
}

@Suite("Files that other users can change are refused, unless the host allows them")
struct TrustedFilesTests {
    @Test("in a directory or as a directory", arguments: TrustCase.all)
    func refused(row: TrustCase) async throws { try await check(row) }

    @Test("in the cases that only root can create", .enabled(if: geteuid() == 0), arguments: TrustCase.byRoot)
    func refusedByOwner(row: TrustCase) async throws { try await check(row) }

    private func check(_ row: TrustCase) async throws {
        try await withPlugins("CGood") { directory async throws in
            try row.arrange(directory)
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let rejections = row.isDirectory ? host.catalog.rejectedDirectories : host.catalog.rejectedFiles
            #expect(rejections.map(\.code) == [row.code])
            #expect(rejections.first?.path == (row.isDirectory ? directory.path : directory.file("libCGood.so")))
            #expect(host.components.isEmpty)
            #expect(await host.blockingCall("CGoodLink", "sum").error?.code == .classNotFound)
            await host.stop()

            guard row.code != .notFound else { return }
            var options = HostOptions.quiet
            options.trust = .unchecked
            let trusting = LinkHost(components: [directory.path], includesBuiltIn: false, options: options)
            let value = try await trusting.value("CGoodLink", "sum", ["a": 1, "b": 2])
            #expect(value == 3)
            await trusting.stop()
        }
    }

    @Test("a file or directory that loses its trust after it was listed is not loaded")
    func lostTrust() async throws {
        for makesDirectoryWritable in [false, true] {
            try await withHost(["CGood", "CxxGood"]) { host, directory async throws in
                let path = makesDirectoryWritable ? directory.path : directory.file("libCGood.so")
                try directory.setMode(0o777, of: path)
                let error = await host.blockingCall("CGoodLink", "sum").error
                #expect(error?.code == .notLoaded)
                #expect(error?.cause?.code == .untrustedFile)
                #expect(error?.message.contains("writable by everyone") == true)
                try directory.setMode(0o755, of: path)
                // Setting the mode changed the file, so rescan.
                host.rescan()
                let value = try await host.value("CGoodLink", "sum", ["a": 1, "b": 2])
                #expect(value == 3)
            }
        }
    }

    @Test("a link inside the directory is followed")
    func linkInside() async throws {
        try await withPlugins { directory async throws in
            try directory.add("CGood", as: "CGood.so.1")
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("libCGood.so"), withDestinationPath: "CGood.so.1")
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let value = try await host.value("CGoodLink", "sum", ["a": 1, "b": 2])
            #expect(value == 3)
            await host.stop()
        }
    }
}

extension PluginDirectory {
    fileprivate func setOwner(_ owner: Int, of path: String) throws {
        try FileManager.default.setAttributes([.ownerAccountID: owner], ofItemAtPath: path)
    }

    fileprivate func setGroup(_ group: Int, of path: String) throws {
        try FileManager.default.setAttributes([.groupOwnerAccountID: group], ofItemAtPath: path)
    }
}
