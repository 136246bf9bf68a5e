import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// A file that is not a component.
struct RejectionCase: Sendable, CustomTestStringConvertible {
    var fixture: String
    var code: ComponentFileError.Code
    var reason: [String]

    var testDescription: String { fixture }

    init(_ fixture: String, _ code: ComponentFileError.Code, _ reason: String...) {
        self.fixture = fixture
        self.code = code
        self.reason = reason
    }

    static let all: [RejectionCase] = [
        RejectionCase("TextFile", .notElf, "This is a text file"),
        RejectionCase("Empty", .notElf, "empty"),
        RejectionCase("Truncated", .truncated, "bytes"),
        RejectionCase("TruncatedHeader", .truncated, "40", "64"),
        RejectionCase("TruncatedTail", .truncated, "bytes"),
        RejectionCase("WrongMachine", .wrongMachine, "RISC-V"),
        RejectionCase("Bits32", .wrongFormat, "32"),
        RejectionCase("NoNotes", .noManifest),
        RejectionCase("OnlyToolchain", .noManifest),
        RejectionCase("BrokenJson", .invalidManifest, "line 1"),
        RejectionCase("WrongTypes", .invalidManifest, "name", "string", "int"),
        RejectionCase("TwoComponents", .severalManifests, "TwoComponents", "TwoComponentsToo"),
    ]
}

/// A component that cannot be loaded.
struct RefusalCase: Sendable, CustomTestStringConvertible {
    var fixture: String
    /// Fixtures that it needs.
    var others: [String] = []
    var code: LinkError.Code
    var message: [String]
    /// Whether the directory alone shows the defect, so that `list` reports it without loading.
    var isKnownBefore = false
    /// Whether it is refused before any part of it is mapped.
    var isMapped = true
    /// The called class; nil for its own class.
    var called: String?

    var testDescription: String { fixture }
    var className: String { called ?? "\(fixture)Link" }

    init(
        _ fixture: String, with others: [String] = [], _ code: LinkError.Code, _ message: String...,
        isKnownBefore: Bool = false, isMapped: Bool = true, called: String? = nil
    ) {
        self.fixture = fixture
        self.others = others
        self.code = code
        self.message = message
        self.isKnownBefore = isKnownBefore
        self.isMapped = isMapped && !isKnownBefore
        self.called = called
    }

    static let all: [RefusalCase] = [
        RefusalCase("NoteAbiTooNew", .wrongABI, "2.0", "1.0", "rebuild", isKnownBefore: true),
        RefusalCase("OtherCompiler", .otherCompiler, "5.10", ComponentKit.compilerVersion, isKnownBefore: true),
        RefusalCase("NeedsMissing", .requirementNotMet, "NeedsMissing → NotThere", isKnownBefore: true),
        RefusalCase(
            "NeedsNewer", with: ["CGood"], .requirementNotMet, "NeedsNewer → CGood", "9.0.0", "1.0.0",
            isKnownBefore: true),
        RefusalCase(
            "NeedsCycleA", with: ["NeedsCycleB"], .requirementNotMet, "NeedsCycleA → NeedsCycleB → NeedsCycleA",
            isKnownBefore: true),
        RefusalCase(
            "NeedsCycleB", with: ["NeedsCycleA"], .requirementNotMet, "NeedsCycleB → NeedsCycleA → NeedsCycleB",
            isKnownBefore: true),
        RefusalCase(
            "NeedsFailing", with: ["CreateFails"], .requirementNotMet, "CreateFails",
            "the licence server does not answer",
            isMapped: false),
        RefusalCase("MarksAndMissing", .requirementNotMet, "MarksAndMissing → NotThere", isKnownBefore: true),
        RefusalCase("MissingLibrary", .cannotLink, "libFixtureAbsent.so", isMapped: false),
        RefusalCase("MissingSymbol", .cannotLink, "undefined symbol", isMapped: false),
        RefusalCase("MissingEntry", .missingEntry, "hslink_component"),
        RefusalCase("ForeignEntry", .missingEntry, "libForeignEntryDependency.so"),
        RefusalCase("EntryNull", .missingEntry, "NULL"),
        RefusalCase("BadMagic", .invalidDescriptor, "magic number", "0x4b4e494c53480a0d"),
        RefusalCase("AbiTooNew", .wrongABI, "2.0", "1.0"),
        RefusalCase("SmallDescriptor", .invalidDescriptor, "bytes"),
        RefusalCase("SmallClass", .invalidDescriptor, "bytes"),
        RefusalCase("SmallStride", .invalidDescriptor, "SmallStrideLink"),
        RefusalCase("NullClass", .invalidDescriptor, "class"),
        RefusalCase("NullMethods", .invalidDescriptor, "NullMethodsLink"),
        RefusalCase("NullFunction", .invalidDescriptor, "NullFunctionLink has no function"),
        RefusalCase("NameMismatch", .invalidDescriptor, "NameMismatch 1.0.0", "NameMismatchOther 1.0.0"),
        RefusalCase(
            "ClassNotInDescriptor", .invalidDescriptor, "ClassNotInDescriptorGhost",
            called: "ClassNotInDescriptorGhost"),
        RefusalCase("SelectorNotInDescriptor", .invalidDescriptor, "ghost"),
        RefusalCase("UnknownInstances", .invalidDescriptor, "UnknownInstancesLink", "77"),
        RefusalCase("HugeComponentName", .invalidDescriptor, hugeText),
        RefusalCase("HugeClassName", .invalidDescriptor, hugeText),
        RefusalCase("HugeMethodName", .invalidDescriptor, hugeText),
        RefusalCase("HugeReport", .createFailed, hugeText),
        RefusalCase("CreateFails", .createFailed, "the licence server does not answer; start it and try again"),
        RefusalCase("CreateFailsSilently", .createFailed, "no reason"),
    ]
}

@Suite("Refused components give a reason, and the host keeps running")
struct RefusedFixtureTests {
    @Test("files that are not components", arguments: RejectionCase.all)
    func rejection(row: RejectionCase) async throws {
        try await withHost([row.fixture, "CGood"]) { host, directory async throws in
            let path = directory.file("lib\(row.fixture).so")
            let rejection = try #require(host.catalog.rejectedFiles.first)
            #expect(host.catalog.rejectedFiles.count == 1)
            #expect(rejection.path == path)
            #expect(rejection.code == row.code)
            for part in row.reason { #expect(rejection.reason.contains(part), "\(rejection.reason)") }
            #expect(host.components.map(\.name) == ["CGood"])
            #expect(host.state(of: row.fixture) == nil)
            let answer = await host.blockingCall("\(row.fixture)Link", "run")
            #expect(answer.error?.code == .classNotFound)
            #expect(!answer.classIsLoad)
            #expect(try !isMapped(path))
            #expect(try await host.value("CGoodLink", "sum", ["a": 1, "b": 2]) == 3)
        }
    }

    @Test("both sizes of a truncated file are named")
    func truncatedSizes() async throws {
        try await withHost(["Truncated", "TruncatedTail"]) { host, _ async throws in
            for rejection in host.catalog.rejectedFiles {
                let size = try URL(filePath: rejection.path).resourceValues(forKeys: [.fileSizeKey]).fileSize
                #expect(rejection.reason.contains("\(try #require(size))"), "\(rejection.reason)")
            }
            #expect(host.catalog.rejectedFiles.count == 2)
        }
    }

    @Test("components that cannot be loaded", arguments: RefusalCase.all)
    func refusal(row: RefusalCase) async throws {
        try await withHost([row.fixture, "CxxGood"] + row.others) { host, directory async throws in
            #expect(host.isAvailable(row.className) == !row.isKnownBefore)
            if !row.isKnownBefore { #expect(host.state(of: row.fixture)?.description == "available") }
            var answers = [await host.blockingCall(row.className, "run")]
            answers.append(await answer { try await host.call(row.className, "run", kind: .class) })
            answers.append(
                await answer { try await host.call(row.className, "run", kind: .class, timeout: .seconds(300)) })
            answers.append(
                await answer {
                    _ = try await onThread { try host.bind(row.className, "run", kind: .class) }
                    return .null
                })
            for answer in answers { try check(answer, row) }
            let failure = try #require(host.failure(of: row.fixture))
            #expect(failure.code == row.code)
            for part in row.message { #expect(failure.message.contains(part), "\(failure.message)") }
            #expect(host.info(row.fixture)?.reason == failure.message)
            #expect(!host.isAvailable(row.className))
            #expect(!host.isLoaded(row.className))
            #expect(try isMapped(directory.file("lib\(row.fixture).so")) == row.isMapped)
            await #expect(throws: LinkError.self) { try await onThread { try host.load(row.fixture) } }
            #expect(try await host.value("CxxGoodLink", "echo", "still there") == "still there")
        }
    }

    private func check(_ answer: Answer, _ row: RefusalCase) throws {
        #expect(answer.returnValue == nil)
        #expect(!answer.performSuccess)
        #expect(!answer.classIsLoad)
        let error = try #require(answer.error)
        #expect(error.code == .notLoaded)
        #expect(error.className == row.className)
        #expect(error.selector == "run")
        #expect(error.component == row.fixture)
        let cause = try #require(error.cause)
        #expect(cause.code == row.code)
        #expect(cause.component == row.fixture)
        for part in row.message {
            #expect(cause.message.contains(part), "\(cause.message)")
            #expect(error.message.contains(part), "\(error.message)")
        }
    }

    @Test("the error of create is the cause of the refusal")
    func createFails() async throws {
        try await withHost(["CreateFails", "NeedsFailing"]) { host, _ async throws in
            let own = try #require(await host.blockingCall("CreateFailsLink", "run").error?.cause?.cause)
            #expect(own.domain == "CreateFails")
            #expect(own.number == 7)
            let other = try #require(await host.blockingCall("NeedsFailingLink", "run").error?.cause?.cause)
            #expect(other.code == .createFailed)
            #expect(other.component == "CreateFails")
        }
    }

    @Test("the table of a failed start stays valid, and every call through it is refused")
    func tableOfFailure() async throws {
        try await withHost(["CreateFailsOnce"]) { host, _ async throws in
            #expect(await host.blockingCall("CreateFailsOnceLink", "answer").error?.code == .notLoaded)
            #expect(host.retry("CreateFailsOnce"))
            let value = try await host.value("CreateFailsOnceLink", "answer")
            #expect(
                value == [
                    "code": 4, "entered": 1, "isSame": false,
                ])
        }
    }

    @Test("a class with object methods but without instances")
    func noMake() async throws {
        try await withHost(["NoMake"]) { host, _ async throws in
            let object = await host.blockingCall("NoMakeLink", "run", kind: .object)
            #expect(!object.performSuccess)
            #expect(object.error?.message.contains("makes no instances") == true)
            #expect(object.error?.cause?.code == .invalidDescriptor)
        }
    }

    @Test("a component of another compiler is accepted if the host allows it")
    func otherCompiler() async throws {
        var options = HostOptions.quiet
        options.allowsOtherCompilers = true
        try await withHost(["OtherCompiler"], options: options) { host, _ async throws in
            let value = try await host.value("OtherCompilerLink", "run")
            #expect(value == true)
        }
    }

    @Test("a class that only a manifest knows does not hide the reason from its siblings")
    func siblings() async throws {
        try await withHost(["ClassNotInDescriptor", "SelectorNotInDescriptor"]) { host, _ async throws in
            let sibling = await host.blockingCall("ClassNotInDescriptorLink", "run")
            #expect(sibling.error?.cause?.code == .invalidDescriptor)
            let ghost = await host.blockingCall("SelectorNotInDescriptorLink", "ghost")
            #expect(ghost.error?.cause?.code == .invalidDescriptor)
            #expect(!ghost.classIsLoad)
        }
    }
}
