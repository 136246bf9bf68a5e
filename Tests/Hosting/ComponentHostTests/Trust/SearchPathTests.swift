import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

/// A search path (`DT_RUNPATH`, `DT_RPATH`) and the verdict on the component that has it.
struct SearchPathCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// `%` is the test's directory.
    var path: String
    /// The name of the code; nil if the component is accepted.
    var code: String?
    var reason = ""
    var arrange: @Sendable (TemporaryDirectory) throws -> Void = { _ in }

    static let all: [SearchPathCase] = [
        SearchPathCase(testDescription: "beside the file", path: "$ORIGIN:${ORIGIN}/libs"),
        SearchPathCase(testDescription: "a directory of the system", path: "/usr/lib"),
        SearchPathCase(testDescription: "absolute and safe", path: "%/safe"),
        SearchPathCase(testDescription: "over the parent", path: "$ORIGIN/../safe"),
        SearchPathCase(testDescription: "one that is not there and nobody else can make", path: "%/safe/none/deep"),
        SearchPathCase(testDescription: "a file", path: "%/plugins/libC.so"),
        SearchPathCase(testDescription: "empty as a whole", path: ""),
        SearchPathCase(testDescription: "one of each process", path: "/proc/self/cwd", code: "untrustedSearchPath"),
        SearchPathCase(testDescription: "behind a link that is not UTF-8", path: "%/link", code: "notReadable") {
            directory in
            // The repaired name would be that of a directory which is not there.
            let target: [CChar] = [0x62, -4, 0]
            try #require(unsafe symlink(target, directory.path(of: "link")) == 0)
        },
        SearchPathCase(
            testDescription: "absolute, and everyone may write to it", path: "%/open", code: "worldWritable",
            reason: "its RUNPATH has %/open: the directory %/open is writable by everyone"),
        SearchPathCase(
            testDescription: "behind one that is safe", path: "%/safe:$ORIGIN:%/open", code: "worldWritable"),
        SearchPathCase(
            testDescription: "below one that everyone may write to", path: "%/open/in", code: "worldWritable"),
        SearchPathCase(
            testDescription: "one that anybody could make", path: "%/open/none/deep", code: "worldWritable",
            reason: "its RUNPATH has %/open/none/deep: the directory %/open is writable by everyone"),
        SearchPathCase(
            testDescription: "one that anybody could make in a sticky directory", path: "%/sticky/none/deep",
            code: "worldWritable",
            reason: "its RUNPATH has %/sticky/none/deep: it does not exist, and others could create it: the directory"),
        SearchPathCase(
            testDescription: "sticky, and everyone may write to it", path: "%/sticky", code: "worldWritable"),
        SearchPathCase(testDescription: "below a sticky one", path: "%/sticky/in"),
        SearchPathCase(
            testDescription: "relative", path: "libs", code: "untrustedSearchPath",
            reason: #"its RUNPATH has "libs", which is relative to the working directory"#),
        SearchPathCase(testDescription: "an empty entry", path: "$ORIGIN::/usr/lib", code: "untrustedSearchPath"),
        SearchPathCase(testDescription: "an empty entry at the end", path: "$ORIGIN:", code: "untrustedSearchPath"),
        SearchPathCase(testDescription: "a dot", path: ".", code: "untrustedSearchPath"),
        SearchPathCase(
            testDescription: "$LIB", path: "/usr/$LIB", code: "untrustedSearchPath",
            reason: #"its RUNPATH has "/usr/$LIB", which only the dynamic loader can resolve"#),
        SearchPathCase(testDescription: "${PLATFORM}", path: "$ORIGIN/${PLATFORM}", code: "untrustedSearchPath"),
        SearchPathCase(testDescription: "$ORIGIN in a longer word", path: "$ORIGINAL", code: "untrustedSearchPath"),
        SearchPathCase(testDescription: "a link to one that is safe", path: "%/way") {
            try $0.link("way", to: "safe")
        },
        SearchPathCase(
            testDescription: "a link to one that everyone may write to", path: "%/way", code: "worldWritable"
        ) { try $0.link("way", to: "open") },
        SearchPathCase(
            testDescription: "over a link in one that everyone may write to", path: "%/open/way",
            code: "worldWritable"
        ) { try $0.link("open/way", to: "../safe") },
        SearchPathCase(
            testDescription: "for other processors than this one", path: "%/safe", code: "worldWritable",
            reason: "its RUNPATH has %/safe: the directory %/safe/glibc-hwcaps/x86-64-v3 is writable by everyone"
        ) {
            try $0.makeDirectory("safe/glibc-hwcaps/x86-64-v3")
            try $0.setMode(0o777, of: "safe/glibc-hwcaps/x86-64-v3")
        },
        SearchPathCase(
            testDescription: "behind one with the same name in another spelling", path: "%/safe/\u{E9}:%/safe/e\u{301}",
            code: "worldWritable"
        ) {
            try $0.makeDirectory("safe/\u{E9}")
            try $0.makeDirectory("safe/e\u{301}")
            try $0.setMode(0o777, of: "safe/e\u{301}")
        },
        SearchPathCase(
            testDescription: "relative, after a colon before a combining mark", path: "%/safe:\u{301}libs",
            code: "untrustedSearchPath"),
        SearchPathCase(
            testDescription: "$LIB after a character that joins it", path: "%/safe/\u{600}$LIB",
            code: "untrustedSearchPath"),
        SearchPathCase(
            testDescription: "thousands", path: String(repeating: "/:", count: 1900) + "/", code: "malformed"),
        SearchPathCase(
            testDescription: "longer than any", path: String(repeating: "/usr/lib:", count: 10_000) + "/usr/lib",
            code: "malformed"),
    ]

    /// Cases that only root can create.
    static let byRoot: [SearchPathCase] = [
        SearchPathCase(
            testDescription: "one of somebody else", path: "%/theirs", code: "foreignOwner",
            reason: "its RUNPATH has %/theirs: the directory %/theirs belongs to uid 12345"),
        SearchPathCase(testDescription: "below one of somebody else", path: "%/theirs/in", code: "foreignOwner"),
        SearchPathCase(
            testDescription: "one that somebody else could make", path: "%/theirs/none", code: "foreignOwner"),
        SearchPathCase(
            testDescription: "over a link of somebody else in a sticky directory", path: "%/sticky/way",
            code: "foreignOwner"
        ) {
            try $0.link("sticky/way", to: "../safe")
            try #require(unsafe lchown($0.path(of: "sticky/way"), 12_345, 0) == 0)
        },
    ]
}

@Suite("Search paths of a component's libraries")
struct SearchPathTests {
    let place: TemporaryDirectory

    init() throws {
        place = try TemporaryDirectory()
        for name in ["plugins/libs", "safe/in", "open/in", "sticky/in", "theirs/in"] { try place.makeDirectory(name) }
        for name in ["safe", "theirs"] { try place.setMode(0o755, of: name) }
        try place.setMode(0o777, of: "open")
        try place.setMode(0o1777, of: "sticky")
        if geteuid() == 0 { try #require(unsafe chown(place.path(of: "theirs"), 12_345, 0) == 0) }
    }

    /// A shared object that needs libraries by these names, wherever they are.
    ///
    /// - Parameters:
    ///   - needs: The names of the libraries without "lib" and ".so".
    ///   - path: The search path; `%` is the test's directory.
    ///   - isOld: Whether the search path is a `DT_RPATH`.
    private func library(
        _ name: String, needs: [String], path: String? = nil, isOld: Bool = false, source: String? = nil,
        flags: [String] = []
    ) throws -> [UInt8] {
        let stubs = try TemporaryDirectory()
        for need in needs {
            try stubs.write(
                CompiledLibrary.compile("int \(need)_there;", flags: ["-Wl,-soname,lib\(need).so"]),
                to: "lib\(need).so")
        }
        // Use a symbol of each library, because linkers leave out unused ones. Missing libraries are tolerated below.
        let use = needs.map { "extern int \($0)_there; int *\(name)_\($0)(void) { return &\($0)_there; }" }
        let tags = isOld ? "-Wl,--disable-new-dtags" : "-Wl,--enable-new-dtags"
        let search = path.map { ["-Wl,-rpath,\($0.replacing("%", with: place.path))"] } ?? []
        return try CompiledLibrary.compile(
            ([source ?? "int \(name)_there;"] + use).joined(separator: "\n"),
            flags: ["-L\(stubs.path)", tags, "-Wl,--allow-shlib-undefined"] + needs.map { "-l\($0)" } + search + flags)
    }

    private func component(needs: [String], path: String?, isOld: Bool = false, flags: [String] = []) throws {
        let bytes = try library(
            "C", needs: needs, path: path, isOld: isOld, source: CompiledLibrary.source(name: "C"), flags: flags)
        try place.write(bytes, to: "plugins/libC.so")
    }

    /// A component without a search path, compiled once for all cases, which write their paths into it.
    private static let plain = Result<[UInt8], any Error> {
        try SearchPathTests().library("C", needs: ["Needed"], source: CompiledLibrary.source(name: "C"))
    }

    private func scan() -> Catalog { CatalogScanner.scan([place.path(of: "plugins")]) }

    /// Writes a search path into the dynamic section, even one that no linker accepts.
    private func setPath(_ path: String, isOld: Bool) async throws {
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            ["patchelf"] + (isOld ? ["--force-rpath"] : [])
                + ["--set-rpath", path.replacing("%", with: place.path), place.path(of: "plugins/libC.so")])
        try #require(run.status == 0, "\(run.standardError)")
        try place.setMode(0o644, of: "plugins/libC.so")
    }

    private func check(_ row: SearchPathCase, isOld: Bool) async throws {
        try row.arrange(place)
        try place.write(Self.plain.get(), to: "plugins/libC.so")
        try await setPath(row.path, isOld: isOld)
        let catalog = scan()
        #expect(catalog.rejectedFiles.map(\.code.description) == (row.code.map { [$0] } ?? []))
        #expect(catalog.available == (row.code == nil ? ["C"] : []))
        let reason = row.reason.replacing("%", with: place.path).replacing("RUNPATH", with: isOld ? "RPATH" : "RUNPATH")
        #expect(catalog.rejectedFiles.first?.reason.hasPrefix(reason) ?? true, "\(catalog.rejectedFiles)")
        guard row.code != "malformed" else { return }
        #expect(CatalogScanner.scan([place.path(of: "plugins")], policy: .unchecked).available == ["C"])
    }

    @Test("trust depends on the search path", arguments: SearchPathCase.all, [false, true])
    func path(row: SearchPathCase, isOld: Bool) async throws { try await check(row, isOld: isOld) }

    @Test(
        "trust depends on the path's owners", .enabled(if: geteuid() == 0, "only root gives directories away"),
        arguments: SearchPathCase.byRoot)
    func owners(row: SearchPathCase) async throws { try await check(row, isOld: false) }

    @Test("the search paths of needed libraries count, also transitively")
    func transitive() throws {
        try component(needs: ["One"], path: "$ORIGIN/libs")
        try place.write(library("One", needs: ["Two"], path: "$ORIGIN"), to: "plugins/libs/libOne.so")
        try place.write(library("Two", needs: ["Three"], path: "%/safe"), to: "plugins/libs/libTwo.so")
        #expect(scan().available == ["C"])
        try place.write(library("Two", needs: ["Three"], path: "%/open"), to: "plugins/libs/libTwo.so")
        let rejection = try #require(scan().rejectedFiles.first)
        #expect(rejection.code == .worldWritable)
        #expect(
            rejection.reason.hasPrefix(
                "its library libOne.so: its library libTwo.so: its RUNPATH has \(place.path)/open: the directory"))
    }

    @Test("a library with an absolute path must be trusted itself")
    func absoluteFile() throws {
        try component(needs: ["One"], path: "%/safe")
        try place.write(library("One", needs: []), to: "safe/libOne.so")
        #expect(scan().available == ["C"])
        try place.setMode(0o666, of: "safe/libOne.so")
        let rejection = try #require(scan().rejectedFiles.first)
        #expect(rejection.code == .worldWritable)
        #expect(
            rejection.reason.hasPrefix("its library libOne.so: the file is writable by everyone"))
        #expect(rejection.reason.hasSuffix("chmod o-w \(place.path)/safe/libOne.so"))
    }

    @Test("a link to a library is followed to its target")
    func linkedFile() throws {
        try component(needs: ["One"], path: "%/safe")
        try place.write(library("One", needs: []), to: "open/libOne.so")
        try place.link("safe/libOne.so", to: "../open/libOne.so")
        #expect(scan().rejectedFiles.map(\.code) == [.worldWritable])
    }

    @Test("libraries without a search path inherit DT_RPATH, but not DT_RUNPATH")
    func inheritance() throws {
        try place.makeDirectory("plugins/other")
        try place.write(library("Two", needs: []), to: "plugins/libs/libTwo.so")
        try place.setMode(0o666, of: "plugins/libs/libTwo.so")
        // (the component's is old, the library's own, whether libTwo.so is found)
        for (isOld, own, isFound) in [
            (true, nil, true), (false, nil, false), (true, "$ORIGIN/../other", false), (true, "$ORIGIN", true),
        ] as [(Bool, String?, Bool)] {
            try place.write(library("One", needs: ["Two"], path: own), to: "plugins/libs/libOne.so")
            try component(needs: ["One"], path: "$ORIGIN/libs", isOld: isOld)
            let found = scan().rejectedFiles.first?.reason.hasPrefix("its library libOne.so: its library libTwo.so: ")
            #expect((found ?? false) == isFound, "\(isOld) \(own ?? "none")")
        }
    }

    @Test("libraries that need each other are followed once")
    func cycle() throws {
        try component(needs: ["One"], path: "$ORIGIN/libs")
        try place.write(library("One", needs: ["Two", "One"], path: "$ORIGIN"), to: "plugins/libs/libOne.so")
        try place.write(library("Two", needs: ["One"], path: "$ORIGIN"), to: "plugins/libs/libTwo.so")
        #expect(scan().available == ["C"])
    }

    @Test("a library that is needed by its path", arguments: ["%/safe", "%/open", "libs", "$ORIGIN/libs", "$LIB"])
    func needsPath(folder: String) throws {
        let name = "\(folder.replacing("%", with: place.path))/libOne.so"
        let stubs = try TemporaryDirectory()
        try stubs.write(
            CompiledLibrary.compile("int One_there;", flags: ["-Wl,-soname,\(name)"]), to: "libOne.so")
        for folder in ["safe", "open", "plugins/libs"] {
            try place.write(library("One", needs: []), to: "\(folder)/libOne.so")
        }
        let source = CompiledLibrary.source(name: "C") + "\nextern int One_there; int *f(void) { return &One_there; }"
        try place.write(
            CompiledLibrary.compile(source, flags: ["-L\(stubs.path)", "-lOne"]), to: "plugins/libC.so")
        let codes = [
            "%/safe": [], "%/open": ["worldWritable"], "libs": ["untrustedSearchPath"], "$ORIGIN/libs": [],
            "$LIB": ["untrustedSearchPath"],
        ]
        #expect(scan().rejectedFiles.map(\.code.description) == codes[folder])
    }

    @Test("libraries that a filter names are loaded, too", arguments: ["--filter", "--auxiliary"])
    func filters(option: String) throws {
        try component(needs: [], path: "$ORIGIN/libs", flags: ["-Wl,\(option)=libOne.so"])
        try place.write(library("One", needs: []), to: "plugins/libs/libOne.so")
        #expect(scan().available == ["C"])
        try place.setMode(0o666, of: "plugins/libs/libOne.so")
        #expect(scan().rejectedFiles.map(\.code) == [.worldWritable])
    }

    @Test("a library is checked although one in another spelling of the same folder was")
    func spellings() throws {
        for name in ["safe/\u{E9}", "safe/e\u{301}"] {
            try place.makeDirectory(name)
            try place.write(library("One", needs: []), to: "\(name)/libOne.so")
        }
        try place.setMode(0o666, of: "safe/e\u{301}/libOne.so")
        var checker = TrustChecker()
        var dynamic = ElfDynamic()
        dynamic.needed = ["safe/\u{E9}", "safe/e\u{301}"].map { place.path(of: "\($0)/libOne.so") }
        let error = #expect(throws: ComponentFileError.self) {
            try checker.checkLibraries(dynamic, of: place.path(of: "plugins/libC.so"))
        }
        #expect(error?.code == .worldWritable)
    }

    @Test("a search path is checked although that of another component differs in its spelling only")
    func spelledPaths() throws {
        for name in ["\u{E9}", "e\u{301}"] { try place.makeDirectory(name) }
        try place.setMode(0o777, of: "e\u{301}")
        var checker = TrustChecker()
        var dynamic = ElfDynamic()
        dynamic.hasRunPath = true
        dynamic.runPath = [place.path(of: "\u{E9}")]
        try checker.checkLibraries(dynamic, of: place.path(of: "plugins/libC.so"))
        dynamic.runPath = [place.path(of: "e\u{301}")]
        let error = #expect(throws: ComponentFileError.self) {
            try checker.checkLibraries(dynamic, of: place.path(of: "plugins/libD.so"))
        }
        #expect(error?.code == .worldWritable)
    }

    @Test("a needed library with a slash before a combining mark is a path")
    func combiningMark() throws {
        var checker = TrustChecker()
        var dynamic = ElfDynamic()
        dynamic.needed = ["libs/\u{301}libOne.so"]
        let error = #expect(throws: ComponentFileError.self) {
            try checker.checkLibraries(dynamic, of: place.path(of: "plugins/libC.so"))
        }
        #expect(error?.code == .untrustedSearchPath)
    }

    @Test("each parent directory is checked although one in another spelling was")
    func parents() throws {
        for name in ["\u{E9}", "e\u{301}"] { try place.makeDirectory("\(name)/plugins") }
        try place.setMode(0o777, of: "e\u{301}")
        var checker = TrustChecker()
        _ = try checker.openDirectory(place.path(of: "\u{E9}/plugins"))
        let error = #expect(throws: ComponentFileError.self) {
            _ = try checker.openDirectory(place.path(of: "e\u{301}/plugins"))
        }
        #expect(error?.code == .worldWritable)
    }

    @Test("what is not trusted is not read, and of what is no more than the check allows")
    func finder() throws {
        try place.write(library("One", needs: []), to: "safe/libOne.so")
        var dynamic = ElfDynamic()
        dynamic.needed = ["libOne.so"]
        for (count, isFound) in [(255, true), (256, false)] {
            dynamic.runPath = [String](repeating: place.path(of: "none"), count: count) + [place.path(of: "safe")]
            var finder = LibraryFinder()
            let found = finder.libraries(of: dynamic, at: place.path(of: "plugins/libC.so"))
            #expect(found.map(\.name) == (isFound ? ["libOne.so"] : []))
        }
        try component(needs: ["One"], path: "%/open:%/safe")
        let survey = CatalogScanner.survey(
            [place.path(of: "plugins")], formats: [.description], policy: .strict, builtIn: [])
        #expect(survey.rejectedFiles.map(\.code) == [.worldWritable])
        #expect(survey.followed.directories[Array(place.path(of: "open").utf8)] != nil)
        #expect(survey.followed.directories[Array(place.path(of: "safe").utf8)] == nil)
    }

    @Test("a library that becomes unsafe after the listing prevents loading")
    func atLoad() async throws {
        let file = place.path(of: "plugins/libCGood.so")
        try FileManager.default.copyItem(at: try Fixtures.file("CGood"), to: URL(filePath: file))
        try place.setMode(0o755, of: "plugins/libCGood.so")
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"), ["patchelf", "--set-rpath", place.path(of: "safe"), file])
        try #require(run.status == 0, "\(run.standardError)")
        let host = LinkHost(components: [place.path(of: "plugins")], includesBuiltIn: false, options: .quiet)
        #expect(host.isAvailable("CGoodLink"))
        try place.setMode(0o777, of: "safe")
        let error = await host.blockingCall("CGoodLink", "sum").error
        #expect(error?.cause?.code == .untrustedFile)
        #expect(error?.message.contains("chmod o-w \(place.path(of: "safe"))") == true)
        #expect(try !isMapped(file))
        await host.stop()
    }
}
