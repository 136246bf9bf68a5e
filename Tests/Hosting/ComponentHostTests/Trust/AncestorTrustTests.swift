import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite(
    "Owners of parent directories could replace their contents",
    .enabled(if: geteuid() == 0, "only root gives directories away"))
struct AncestorTrustTests {
    /// A user ID that no system assigns.
    private static let stranger: uid_t = 12_345

    let place: TemporaryDirectory

    init() throws {
        place = try TemporaryDirectory()
        try place.makeDirectory("above/plugins/below")
        try place.write(CompiledLibrary.small.get(), to: "above/plugins/libSmall.so")
    }

    private func give(_ name: String, to owner: uid_t = stranger) throws {
        try #require(unsafe chown(place.path(of: name), owner, 0) == 0)
    }

    @Test("a directory above that belongs to another user refuses the plugin directory", arguments: ["above", "."])
    func scanned(name: String) throws {
        let plugins = place.path(of: "above/plugins")
        #expect(CatalogScanner.scan([plugins]).available == ["Small"])
        try give(name)
        let catalog = CatalogScanner.scan([plugins])
        let rejection = try #require(catalog.rejectedDirectories.first)
        #expect(rejection.code == .foreignOwner)
        let path = name == "." ? place.path : place.path(of: name)
        #expect(
            rejection.reason.hasPrefix(
                "the directory \(path) belongs to uid 12345, but must belong to root, the user of this host"))
        #expect(rejection.reason.hasSuffix("; fix it with: chown 0 \(path)"))
        #expect(catalog.entries.isEmpty)
        #expect(CatalogScanner.scan([plugins], policy: .unchecked).available == ["Small"])
    }

    @Test("a name that begins with a combining mark hides no directory above it")
    func combiningMark() throws {
        // The mark makes one character of it and the slash before it.
        try place.makeDirectory("above/\u{301}plugins")
        try place.write(CompiledLibrary.small.get(), to: "above/\u{301}plugins/libSmall.so")
        let plugins = place.path + "/above/\u{301}plugins"
        #expect(CatalogScanner.scan([plugins]).available == ["Small"])
        try give("above")
        #expect(CatalogScanner.scan([plugins]).rejectedDirectories.map(\.code) == [.foreignOwner])
    }

    @Test("the sticky bit keeps others out, not the owner")
    func sticky() throws {
        try place.setMode(0o1777, of: "above")
        let plugins = place.path(of: "above/plugins")
        #expect(CatalogScanner.scan([plugins]).available == ["Small"])
        try give("above")
        #expect(CatalogScanner.scan([plugins]).rejectedDirectories.map(\.code) == [.foreignOwner])
    }

    @Test("the caller may own parent directories")
    func callers() throws {
        for name in [".", "above", "above/plugins", "above/plugins/libSmall.so"] { try give(name, to: 4321) }
        let path = place.path(of: "above/plugins/libSmall.so")
        var checker = TrustChecker(caller: 4321)
        _ = try checker.openFile(path: path)
        checker = TrustChecker(caller: 4322)
        let error = #expect(throws: ComponentFileError.self) { _ = try checker.openFile(path: path) }
        #expect(error?.code == .foreignOwner)
    }

    @Test("directories between a link and its target count too")
    func behindLink() throws {
        try place.makeDirectory("above/plugins/below/deep")
        try place.write(CompiledLibrary.component("Deep"), to: "above/plugins/below/deep/libDeep.so")
        try place.link("above/plugins/libDeep.so", to: "below/deep/libDeep.so")
        let plugins = place.path(of: "above/plugins")
        #expect(CatalogScanner.scan([plugins]).available == ["Deep", "Small"])
        try give("above/plugins/below")
        #expect(CatalogScanner.scan([plugins]).available == ["Small"])
        #expect(CatalogScanner.scan([plugins]).rejectedFiles.map(\.code) == [.foreignOwner])
    }

    @Test("a parent directory that changes its owner after the listing prevents loading")
    func atLoad() async throws {
        try place.makeDirectory("above/real")
        let file = place.path(of: "above/real/libCGood.so")
        try FileManager.default.copyItem(at: try Fixtures.file("CGood"), to: URL(filePath: file))
        try place.setMode(0o755, of: "above/real/libCGood.so")
        let host = LinkHost(components: [place.path(of: "above/real")], includesBuiltIn: false, options: .quiet)
        #expect(host.isAvailable("CGoodLink"))
        try give("above")
        let error = await host.blockingCall("CGoodLink", "sum").error
        #expect(error?.cause?.code == .untrustedFile)
        #expect(error?.message.contains("belongs to uid 12345") == true)
        #expect(try !isMapped(file))
        await host.stop()
    }
}
