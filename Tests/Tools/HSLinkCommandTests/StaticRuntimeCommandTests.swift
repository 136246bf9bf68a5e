import TestSupport
import Testing

@Suite(
    "A component with a Swift runtime of its own, through the command line",
    .enabled(
        if: BuiltProducts.sanitizer != "thread",
        "the thread sanitizer does not see how a static Swift runtime hands tasks from thread to thread"))
struct StaticRuntimeCommandTests {
    @Test(
        "its methods print their values",
        arguments: [
            (["sumQuick", "a=40", "b=2"], "42"), (["sumLater", "a=40", "b=2"], "42"),
            (["echo", #"{"list": [1, null, "ü"]}"#], #"{"list":[1,null,"ü"]}"#),
        ])
    func calls(words: [String], value: String) async throws {
        try await withPlugins("StaticRuntime") { plugins in
            let run = try await hslink(["call", "StaticRuntimeLink"] + words + ["--json", "--plugins", plugins.path])
            #expect(run == printed(#"{"returnValue":\#(value),"performSuccess":true,"classIsLoad":true}"#))
        }
    }

    @Test("a method on the main actor keeps it from being loaded")
    func mainActor() async throws {
        try await withPlugins("StaticRuntimeMain") { plugins async throws in
            let reason =
                "its selector onMain needs the main actor, which never runs in a component with a Swift runtime "
                + "of its own; link it without -static-stdlib"
            let run = try await hslink(
                "call", "StaticRuntimeMainLink", "run", "--class-method", "--plugins", plugins.path)
            #expect(run.status == 1)
            #expect(run.standardError.contains(reason), "\(run.standardError)")
            let list = try await hslink("list", "--plugins", plugins.path)
            #expect(list.standardOutput.contains(reason), "\(list.standardOutput)")
        }
    }
}
