import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("Scanning directories")
struct CatalogScannerTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("components are found, everything else is listed with its reason")
    func everything() throws {
        let small = try CompiledLibrary.small.get()
        try directory.makeDirectory("plugins")
        try directory.makeDirectory("plugins/libs.so")
        try directory.write(small, to: "plugins/libs.so/libInside.so")
        try directory.makeDirectory("plugins/.hidden")
        try directory.write(small, to: "plugins/libSmall.so")
        try directory.link("plugins/libs-link", to: "libs.so")
        try directory.link("plugins/libSmall-1.so", to: "libSmall.so")
        try directory.write(small, to: "plugins/.libSmall.so")
        try directory.write(small, to: "plugins/libSmall.so~")
        try directory.write(small.dropLast(), to: "plugins/libCut.so")
        try directory.write("some words", to: "plugins/README.so")
        try directory.write(CompiledLibrary.compile("int x;"), to: "plugins/libPlain.so")
        try directory.write(small.replacing(#""Small", "#, with: #""Small",,"#), to: "plugins/libBroken.so")
        try directory.write(small, to: "plugins/libOpen.so")
        try directory.setMode(0o666, of: "plugins/libOpen.so")
        #expect(unsafe mkfifo(directory.path(of: "plugins/pipe"), 0o644) == 0)
        let twice = CompiledLibrary.source(name: "Two") + "\n" + #"HSLINK_NOTE(second, 1, "{}")"#
        try directory.write(
            CompiledLibrary.compile(twice.replacing("{}", with: #"{\"name\":\"B\",\"version\":\"1.0.0\"}"#)),
            to: "plugins/libTwo.so")

        let catalog = CatalogScanner.scan([directory.path(of: "plugins")])
        let entry = try #require(catalog.entry(named: "Small"))
        #expect(entry.state == .available)
        #expect(entry.manifest.version == Version(1, 0, 0))
        #expect(entry.manifest.abi == Manifest.ABIVersion(major: 1, minor: 0))
        let file = try #require(entry.file)
        #expect(file.path == directory.path(of: "plugins/libSmall.so"))
        #expect(file.directory == directory.path(of: "plugins"))
        #expect(file.identity == FileIdentity(path: file.path))
        #expect(!file.sharesSwiftRuntime)
        // The link and the file are the same, so one of them is shadowed.
        #expect(catalog.entries.map(\.state) == [.available, .shadowed(by: file.path)])

        let reasons = catalog.rejectedFiles.map { "\(($0.path as NSString).lastPathComponent): \($0.code)" }
        #expect(
            reasons == [
                ".libSmall.so: ignoredName", "README.so: notElf", "libBroken.so: invalidManifest",
                "libCut.so: truncated",
                "libOpen.so: worldWritable", "libPlain.so: noManifest", "libSmall.so~: ignoredName",
                "libTwo.so: severalManifests", "pipe: ignoredName",
            ])
        #expect(catalog.rejectedDirectories.isEmpty)
        #expect(catalog.rejectedFiles.allSatisfy { $0.path.hasPrefix("/") && !$0.reason.isEmpty })
    }

    @Test(
        "only files with a component's name are components, whatever their version",
        arguments: [
            "libSmall.so.bak", "libSmall.so.dpkg-old", "libSmall.so.new", "libSmall.so.rpmsave", "libSmall.so~",
            ".libSmall.so", ".so", "libSmall.so.1", "libSmall", "libSmall.SO", "libSmall.so ", "#libSmall.so#",
            "small.json", ".hslink.json", "small.hslink.json.bak",
        ])
    func names(name: String) throws {
        try directory.write(CompiledLibrary.small.get(), to: "libSmall.so")
        try directory.write(CompiledLibrary.component("Small", version: "9.0.0"), to: name)
        let catalog = CatalogScanner.scan([directory.path])
        #expect(catalog.entries.map(\.manifest.version) == [Version(1, 0, 0)])
        let rejection = try #require(catalog.rejectedFiles.first)
        #expect(rejection.path == directory.path(of: name))
        #expect(rejection.code == .ignoredName)
        #expect(rejection.reason.hasPrefix("not the name of a plugin file"))
    }

    @Test("a file that a link makes a component is not listed as ignored because of its own name")
    func linkedName() throws {
        try directory.write(CompiledLibrary.small.get(), to: "libSmall.so.1.0")
        try directory.link("libSmall.so.1", to: "libSmall.so.1.0")
        try directory.link("libSmall.so", to: "libSmall.so.1")
        try directory.write("some words", to: "libWords.so.1")
        try directory.link("libWords.so", to: "libWords.so.1")
        let catalog = CatalogScanner.scan([directory.path])
        #expect(catalog.entries.map(\.file?.path) == [directory.path(of: "libSmall.so.1.0")])
        let reasons = catalog.rejectedFiles.map { "\(($0.path as NSString).lastPathComponent): \($0.code)" }
        #expect(reasons == ["libWords.so: notElf", "libWords.so.1: ignoredName"])
    }

    @Test(
        "a library that a description names belongs to the description, whatever its own name is",
        arguments: ["libWords.so.1", "libWords.so", "libWords"])
    func describedLibrary(name: String) throws {
        let library = try CompiledLibrary.compile("int words(void) { return 1; }")
        try directory.write(library, to: name)
        try directory.write(library, to: "libOther.so.1")
        try directory.write(library, to: "libOther.so")
        #expect(CatalogScanner.scan([directory.path]).rejectedFiles.count == 3)
        let description = #"""
            {"name": "words", "version": "1.0.0", "library": ["./libNone.so.1", "./\#(name)"], "class": "Words",
             "declarations": "int words(void);"}
            """#
        try directory.write(description, to: "words.hslink.json")
        let catalog = CatalogScanner.scan([directory.path])
        #expect(catalog.entries.map(\.manifest.name) == ["words"])
        let reasons = catalog.rejectedFiles.map { "\(($0.path as NSString).lastPathComponent): \($0.code)" }
        #expect(reasons == ["libOther.so: noManifest", "libOther.so.1: ignoredName"])
    }

    @Test("so do the links that lead to it, and one that is not trusted is listed")
    func describedLinks() throws {
        let library = try CompiledLibrary.compile("int words(void) { return 1; }")
        try directory.write(library, to: "libWords.so.1.0")
        try directory.link("libWords.so.1", to: "libWords.so.1.0")
        try directory.link("libWords.so", to: "libWords.so.1")
        try directory.write(library, to: "libOpen.so")
        try directory.setMode(0o666, of: "libOpen.so")
        let description = #"""
            {"name": "words", "version": "1.0.0", "library": ["./libOpen.so", "./libWords.so.1"], "class": "Words",
             "declarations": "int words(void);"}
            """#
        try directory.write(description, to: "words.hslink.json")
        let catalog = CatalogScanner.scan([directory.path])
        let reasons = catalog.rejectedFiles.map { "\(($0.path as NSString).lastPathComponent): \($0.code)" }
        #expect(reasons == ["libOpen.so: worldWritable"])
    }

    @Test("a directory that cannot be searched is listed with its reason, the others are searched")
    func directories() throws {
        try directory.makeDirectory("good")
        try directory.makeDirectory("open")
        try directory.setMode(0o777, of: "open")
        try directory.write(CompiledLibrary.small.get(), to: "good/libSmall.so")
        try directory.write(CompiledLibrary.small.get(), to: "open/libSmall.so")
        let paths = ["missing", "good/libSmall.so", "open", "good"].map(directory.path(of:))
        let catalog = CatalogScanner.scan(paths)
        #expect(catalog.rejectedDirectories.map(\.path) == Array(paths.prefix(3)))
        #expect(catalog.rejectedDirectories.map(\.code) == [.notFound, .notADirectory, .worldWritable])
        #expect(catalog.entries.map(\.file?.path) == [directory.path(of: "good/libSmall.so")])

        let unchecked = CatalogScanner.scan(paths, policy: .unchecked)
        #expect(unchecked.rejectedDirectories.map(\.code) == [.notFound, .notADirectory])
        #expect(unchecked.entries.map(\.file?.path) == [paths[2] + "/libSmall.so", paths[3] + "/libSmall.so"])
    }

    @Test("an empty directory is an empty catalogue")
    func empty() {
        let catalog = CatalogScanner.scan([directory.path])
        #expect(catalog.entries.isEmpty && catalog.rejectedFiles.isEmpty && catalog.rejectedDirectories.isEmpty)
    }

    @Test("a directory that is passed twice is searched once")
    func twice() throws {
        try directory.makeDirectory("plugins")
        try directory.write("x", to: "plugins/x")
        try directory.link("way", to: "plugins")
        let catalog = CatalogScanner.scan(["plugins", "way", "plugins/."].map(directory.path(of:)))
        #expect(catalog.rejectedFiles.map(\.path) == [directory.path(of: "plugins/x")])
    }

    @Test("a name that is not UTF-8 is listed")
    func noUTF8() throws {
        let name = Array("\(directory.path)/bad-".utf8) + [0xFF, 0]
        let descriptor = unsafe name.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
            unsafe open($0.baseAddress!, O_CREAT | O_WRONLY, 0o644)
        }
        #expect(descriptor >= 0)
        close(descriptor)
        let catalog = CatalogScanner.scan([directory.path])
        #expect(catalog.rejectedFiles.map(\.code) == [.notReadable])
        #expect(catalog.rejectedFiles.first?.path == directory.path(of: "bad-\u{FFFD}"))
    }

    @Test("files whose names are not UTF-8 count, too, in a directory with too many")
    func tooManyNames() throws {
        let folder = try directory.makeDirectory("plugins")
        func path(_ number: Int) -> [CChar] {
            (Array("\(folder)/\(number)".utf8) + [0xFF, 0]).map { CChar(bitPattern: $0) }
        }
        let numbers = 0...CatalogScanner.maximumNames
        // Foundation cannot remove them.
        defer { for number in numbers { unsafe unlink(path(number)) } }
        for number in numbers {
            let descriptor = unsafe open(path(number), O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
            try #require(descriptor >= 0)
            close(descriptor)
        }
        let catalog = CatalogScanner.scan([folder])
        #expect(catalog.rejectedFiles.isEmpty)
        #expect(catalog.rejectedDirectories.map(\.code) == [.notReadable])
        #expect(
            catalog.rejectedDirectories.first?.reason
                == "it has more than \(CatalogScanner.maximumNames) files; give a directory of components")
    }

    @Test("the libraries that a component needs are listed")
    func neededLibraries() throws {
        try directory.write(
            CompiledLibrary.compile("int other;", flags: ["-Wl,-soname,libOther.so"]), to: "libOther.so")
        let source = CompiledLibrary.source(name: "Needs") + "\nextern int other; int *here(void) { return &other; }"
        try directory.write(
            CompiledLibrary.compile(source, flags: ["-L\(directory.path)", "-lOther"]), to: "libNeeds.so")
        let catalog = CatalogScanner.scan([directory.path])
        #expect(catalog.entry(named: "Needs")?.file?.neededLibraries == ["libOther.so"])
        #expect(catalog.rejectedFiles.map(\.code) == [.noManifest])
    }

    @Test("a component is refused if other users can write to a library that it needs")
    func openLibrary() throws {
        try directory.makeDirectory("plugins/libs")
        try directory.write(
            CompiledLibrary.compile("int other;", flags: ["-Wl,-soname,libOther.so"]), to: "plugins/libs/libOther.so")
        let source = CompiledLibrary.source(name: "Brings") + "\nextern int other; int *here(void) { return &other; }"
        let libraries = directory.path(of: "plugins/libs")
        try directory.write(
            CompiledLibrary.compile(
                source, flags: ["-L\(libraries)", "-lOther", "-Wl,--enable-new-dtags", "-Wl,-rpath,$ORIGIN/libs"]),
            to: "plugins/libBrings.so")
        let plugins = directory.path(of: "plugins")
        #expect(CatalogScanner.scan([plugins]).available == ["Brings"])

        try directory.setMode(0o666, of: "plugins/libs/libOther.so")
        let rejected = try #require(CatalogScanner.scan([plugins]).rejectedFiles.first)
        #expect(rejected.code == .worldWritable)
        #expect(rejected.reason.hasPrefix("its library libOther.so: the file is writable by everyone"))
        #expect(CatalogScanner.scan([plugins], policy: .unchecked).available == ["Brings"])
    }

    @Test("a file that changed since it was listed is not opened again")
    func reopening() throws {
        let path = try directory.write(CompiledLibrary.small.get(), to: "libSmall.so")
        let file = try #require(CatalogScanner.scan([directory.path]).entry(named: "Small")?.file)
        var checker = TrustChecker()
        let manifest = try #require(CatalogScanner.scan([directory.path]).entry(named: "Small")?.manifest)
        let reopened = try checker.reopen(file, manifest).path
        #expect(reopened == path)
        try directory.write(CompiledLibrary.small.get(), to: "libSmall.so")
        let changed = #expect(throws: ComponentFileError.self) { _ = try checker.reopen(file, manifest) }
        #expect(changed?.code == .changed)
        try FileManager.default.removeItem(atPath: path)
        let missing = #expect(throws: ComponentFileError.self) { _ = try checker.reopen(file, manifest) }
        #expect(missing?.code == .notFound)
    }

    @Test("a program with a manifest is not a component")
    func program() throws {
        let source = CompiledLibrary.source(name: "Program") + "\nvoid _start(void) {}"
        try directory.write(
            CompiledLibrary.compile(source, flags: ["-fPIE", "-pie"], kind: .program), to: "program.so")
        let catalog = CatalogScanner.scan([directory.path])
        #expect(catalog.rejectedFiles.map(\.code) == [.notASharedObject])
    }

    @Test("inspecting a file also reads its symbols")
    func inspection() throws {
        let source = CompiledLibrary.source(name: "Shown") + "\nint hslink_component(void) { return 1; }"
        let path = try directory.write(CompiledLibrary.compile(source, flags: ["-Wl,-soname,x"]), to: "libShown.so")
        var checker = TrustChecker()
        let inspection = try ComponentFileReader().inspect(checker.openFile(path: path))
        #expect(inspection.manifest.name == "Shown")
        #expect(inspection.dynamic.soname == "x")
        #expect(inspection.exportedSymbols.filter { !$0.hasPrefix("_") } == ["hslink_component"])
    }

    @Test("no code of a file runs")
    func nothingRuns() throws {
        let mark = directory.path(of: "mark")
        let source = """
            #include <fcntl.h>
            \(CompiledLibrary.source(name: "Marks"))
            __attribute__((constructor)) static void leave(void) { open(\(CompiledLibrary.literal(mark)), O_CREAT, 0600); }
            """
        try directory.makeDirectory("plugins")
        let path = try directory.write(CompiledLibrary.compile(source), to: "plugins/libMarks.so")
        #expect(CatalogScanner.scan([directory.path(of: "plugins")]).available == ["Marks"])
        #expect(!FileManager.default.fileExists(atPath: mark))
        #expect(unsafe dlopen(path, RTLD_NOW) != nil)
        #expect(FileManager.default.fileExists(atPath: mark))
    }
}
