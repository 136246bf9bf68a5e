import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("What a target and an action stand for")
struct TargetResolutionTests {
    @Test(
        "the class of a target, by preference",
        arguments: [
            (["VideoLink", "Video", "Target_Video"], "VideoLink.run"), (["Target_Video", "Video"], "Video.run"),
            (["Target_Video"], "Target_Video.run"), (["Link", "VideoLinkLink", "Target_", "video"], nil),
        ])
    func classes(names: [String], expected: String?) async throws {
        let host = hostProviding(names.map { providing($0, object: ["run"]) })
        let answer = await TargetForm.answer.perform(host, "Video", "run")
        #expect(answer.value == expected.map { .string($0) })
        #expect(answer.classIsLoad == (expected != nil))
        #expect(answer.error?.code == (expected == nil ? .classNotFound : nil))
        #expect(host.check(target: "Video", action: "run") == (expected != nil))
    }

    @Test("a target may be spelt as its class")
    func whole() async throws {
        let host = hostProviding([providing("VideoLink", object: ["run"]), providing("Target_Shelf", object: ["run"])])
        for (target, expected) in [("VideoLink", "VideoLink.run"), ("Target_Shelf", "Target_Shelf.run")] {
            #expect(await TargetForm.answer.perform(host, target, "run").value == .string(expected))
        }
    }

    @Test(
        "the method of an action, by preference",
        arguments: [
            ("Target_A", ["run", "Action_run", "Action_run:"], ["run"], "Target_A.run"),
            ("Target_A", ["Action_run:", "Action_run"], ["run"], "Target_A.Action_run"),
            ("Target_A", ["Action_run:"], ["run"], "Target_A.Action_run:"),
            ("Target_A", ["run:"], [], "Target_A.run:"),
            ("Target_A", [], ["Action_run", "run"], "+Target_A.run"),
            ("Target_A", [], ["Action_run:"], "+Target_A.Action_run:"),
            ("ALink", ["run"], ["run"], "ALink.run"), ("ALink", ["other"], ["run"], "+ALink.run"),
            ("ALink", ["Action_run", "run:"], [], nil), ("A", ["Action_run"], ["Run"], nil),
            ("Target_A", ["Action_", "Action_:", ":"], [], nil),
        ] as [(String, [String], [String], String?)])
    func methods(className: String, object: [String], classMethods: [String], expected: String?) async throws {
        let host = hostProviding([providing(className, object: object, class: classMethods)])
        #expect(host.check(target: "A", action: "run") == (expected != nil))
        // The first call loads the class, and the others find it loaded.
        for form in TargetForm.allCases + TargetForm.allCases {
            let answer = await form.perform(host, "A", "run")
            #expect(answer.value == expected.map { .string($0) }, "\(form)")
            #expect(answer.classIsLoad)
            #expect(answer.performSuccess == (expected != nil))
        }
        #expect(host.check(target: "A"))
    }

    @Test("empty names are no targets and no actions")
    func empty() async throws {
        let host = hostProviding([providing("Target_", object: ["Action_", ":"]), providing("Link", object: ["run"])])
        #expect(await TargetForm.answer.perform(host, "", "run").error?.code == .classNotFound)
        #expect(await TargetForm.answer.perform(host, "Target_", "").error?.code == .selectorNotFound)
        #expect(!host.check(target: ""))
        #expect(!host.check(target: "Target_", action: ""))
    }

    @Test("the router gets the method without calling it")
    func router() throws {
        let host = hostProviding([providing("Target_A", object: ["Action_run"], class: ["open"])])
        let found = try #require(host.resolve(target: "A", action: "run"))
        #expect(found.className == "Target_A")
        #expect(found.selector == "Action_run")
        guard case .named(_, "open", .class)? = host.resolve(target: "A", action: "open") else {
            Issue.record("expected the class method open")
            return
        }
        #expect(host.resolve(target: "A", action: "missing") == nil)
        #expect(host.resolve(target: "B", action: "run") == nil)
    }

    @Test(
        "the program's own class comes before a component's, and one that takes its place is found",
        arguments: [true, false])
    func precedence(isOwn: Bool) async throws {
        try await withHost(
            ["CGood"], provides: isOwn ? [providing("CGoodLink", class: ["echo"])] : []
        ) { host, directory async throws in
            let answer = await TargetForm.async.perform(host, "CGood", "echo", 7)
            #expect(answer.value == (isOwn ? "+CGoodLink.echo" : 7))
            #expect(!host.check(target: "PerConsumer"))
            try directory.add("PerConsumer")
            host.rescan()
            #expect(host.check(target: "PerConsumer", action: "count"))
            #expect(await TargetForm.async.perform(host, "PerConsumer", "count").value == 1)
        }
    }
}
