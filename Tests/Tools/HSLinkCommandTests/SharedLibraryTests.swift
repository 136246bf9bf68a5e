import Foundation
import TestSupport
import Testing

@Suite("Libraries and variables that components share without knowing")
struct SharedLibraryTests {
    /// Compiles a component that brings its own `libdep.so.1`, in a folder beside it.
    ///
    /// - Parameters:
    ///   - number: What the library returns.
    ///   - isIndirect: Whether the component needs it through another library of its own.
    private func compile(
        _ name: String, returning number: Int, in plugins: PluginDirectory, isIndirect: Bool = false
    ) async throws {
        let folder = name.lowercased()
        try await plugins.compile(
            "\(folder)/libdep.so.1", from: "int dep(void) { return \(number); }",
            options: ["-Wl,-soname,libdep.so.1"])
        var needed = "\(folder)/libdep.so.1"
        if isIndirect {
            needed = "\(folder)/lib\(folder)way.so.1"
            try await plugins.compile(
                needed, from: "extern int dep(void); int way(void) { return dep(); }",
                options: [
                    "-Wl,-soname,lib\(folder)way.so.1", "-Wl,-rpath,$ORIGIN", plugins.file("\(folder)/libdep.so.1"),
                ])
        }
        let function = isIndirect ? "way" : "dep"
        try await plugins.compileComponent(
            name, code: "extern int \(function)(void);\nstatic int value(void) { return \(function)(); }",
            options: ["-fvisibility=hidden", "-Wl,-rpath,$ORIGIN/\(folder)", plugins.file(needed)])
    }

    @Test("two files of one soname are told by list, check and the log", arguments: [false, true])
    func soname(isIndirect: Bool) async throws {
        try await withPlugins { plugins in
            try await compile("First", returning: 1, in: plugins)
            try await compile("Second", returning: 2, in: plugins, isIndirect: isIndirect)
            let (first, second) = (plugins.file("first/libdep.so.1"), plugins.file("second/libdep.so.1"))
            let words =
                "its library libdep.so.1 (\(second)) is not the one of First (\(first)), and both use whichever "
                + "is loaded first; give one of them another soname, or link it statically"
            let checked = try await hslink("check", plugins.path)
            #expect(checked.status == 1)
            #expect(checked.standardOutput.contains("\(plugins.file("libSecond.so")): \(words)\n"), "\(checked)")
            #expect(
                checked.standardOutput.contains(
                    "libFirst.so: its library libdep.so.1 (\(first)) is not the one of Second"))
            let listed = try await hslink("list", "--json", "--plugins", plugins.path)
            #expect(listed.standardOutput.contains(words), "\(listed)")
            // This is what the warning is about.
            let host = try await RunningHost.start(["--plugins", plugins.path])
            #expect(try await host.call("FirstLink", "value", "--class-method") == printed("1"))
            #expect(!host.log.contains("does not use its library"))
            #expect(try await host.call("SecondLink", "value", "--class-method") == printed("1"))
            #expect(
                host.log.contains(
                    "Second does not use its library libdep.so.1 (\(second)), because First has already loaded \(first)"
                ),
                "\(host.log)")
            #expect(await host.end() == 0)
        }
    }

    @Test(
        "the library of a description, and what it needs, are told like those of a component", arguments: [false, true])
    func described(isIndirect: Bool) async throws {
        try await withPlugins { plugins in
            let first = plugins.file("first/libdep.so.1")
            try await plugins.compile(
                "first/libdep.so.1", from: "int dep(void) { return 1; }", options: ["-Wl,-soname,libdep.so.1"])
            let options = isIndirect ? ["-Wl,-soname,libway.so.1", "-Wl,-rpath,$ORIGIN", first] : []
            try await plugins.compile(
                "first/libway.so.1", from: "extern int dep(void); int way(void) { return dep(); }", options: options)
            try plugins.write(
                """
                {"name": "First", "version": "1.0.0", "library": ["./first/lib\(isIndirect ? "way" : "dep").so.1"],
                 "class": "First", "declarations": ["int \(isIndirect ? "way" : "dep")(void);"]}
                """, to: "first.hslink.json")
            try await compile("Second", returning: 2, in: plugins)
            let second = plugins.file("second/libdep.so.1")
            let words =
                "its library libdep.so.1 (\(second)) is not the one of First (\(first)), and "
                + "\(isIndirect ? "both use" : "it uses") whichever is loaded first; give one of them another "
                + "soname, or link it statically"
            let checked = try await hslink("check", plugins.path)
            #expect(checked.status == 1)
            #expect(checked.standardOutput.contains("\(plugins.file("libSecond.so")): \(words)\n"), "\(checked)")
            let listed = try await hslink("list", "--json", "--plugins", plugins.path)
            #expect(listed.standardOutput.contains(words), "\(listed)")
            let host = try await RunningHost.start(["--plugins", plugins.path])
            #expect(try await host.call("First", isIndirect ? "way" : "dep") == printed("1"))
            #expect(try await host.call("SecondLink", "value", "--class-method") == printed("1"))
            #expect(
                host.log.contains(
                    "Second does not use its library libdep.so.1 (\(second)), because First has already loaded \(first)"
                ), "\(host.log)")
            #expect(await host.end() == 0)
        }
    }

    @Test("copies of one file, and files of different sonames, are no problem")
    func copies() async throws {
        try await withPlugins { plugins in
            try await compile("First", returning: 1, in: plugins)
            try await compile("Second", returning: 1, in: plugins)
            try await plugins.compile(
                "third/libother.so.1", from: "int dep(void) { return 3; }", options: ["-Wl,-soname,libother.so.1"])
            try await plugins.compileComponent(
                "Third", code: "extern int dep(void);\nstatic int value(void) { return dep(); }",
                options: ["-fvisibility=hidden", "-Wl,-rpath,$ORIGIN/third", plugins.file("third/libother.so.1")])
            #expect(try await hslink("check", plugins.path) == printed("3 files: no problems"))
            let listed = try await hslink("list", "--json", "--plugins", plugins.path)
            #expect(!listed.standardOutput.contains("its library"), "\(listed)")
        }
    }

    /// Whether GCC is there, which makes unique symbols by itself.
    private static let hasGCC = FileManager.default.isExecutableFile(atPath: "/usr/bin/g++")

    @Test(
        "variables of C++ that a process has once are told by check, with the flags against it",
        .enabled(if: SharedLibraryTests.hasGCC),
        arguments: [
            ([], true), (["-fvisibility=hidden", "-fvisibility-inlines-hidden"], false), (["-fno-gnu-unique"], false),
        ])
    func variables(options: [String], areShared: Bool) async throws {
        try await withPlugins { plugins in
            // Also what is weak and no variable of the author: the type's name and its table of methods.
            let code = """
                struct Shape { virtual ~Shape() {} virtual int sides() { return 0; } };
                struct Counter { static inline int count = 0; };
                inline int &calls() { static int calls = 0; return calls; }
                static int value() { Shape shape; return shape.sides() + ++Counter::count + 0 * ++calls(); }
                """
            for name in ["First", "Second"] {
                try await plugins.compileComponent(
                    name, code: code, compiler: "g++", options: ["-std=c++17"] + options)
            }
            let checked = try await hslink("check", plugins.file("libFirst.so"))
            #expect(checked.status == (areShared ? 1 : 0), "\(checked)")
            if areShared {
                #expect(
                    checked.standardOutput.contains(
                        "it shares variables of C++ with every other component that has them: _ZN7Counter5countE and 1 "
                            + "more; compile it with -fvisibility=hidden -fvisibility-inlines-hidden, or with "
                            + "-fno-gnu-unique\n"), "\(checked)")
            }
            let host = try await RunningHost.start(["--plugins", plugins.path])
            #expect(try await host.call("FirstLink", "value", "--class-method") == printed("1"))
            #expect(try await host.call("SecondLink", "value", "--class-method") == printed(areShared ? "2" : "1"))
            #expect(await host.end() == 0)
        }
    }
}
