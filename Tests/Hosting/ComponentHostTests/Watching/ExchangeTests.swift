import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

/// A way in which people exchange a component's file, as two scripts that run in the directory of components. `$old` and
/// `$new` are the files of two versions.
struct Exchange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: String
    let change: String
    /// What the host reports.
    var told = "replaced Versioned 1.0.0→2.0.0"

    /// A file in a folder, and a link to it.
    private static let file = "mkdir lib; cp $old lib/v.so.1; ln -s lib/v.so.1 v.so"

    static let all = [
        Exchange(
            testDescription: "Kubernetes",
            before: "mkdir ..1; cp $old ..1/v.so; ln -s ..1 ..data; ln -s ..data/v.so v.so",
            change: "mkdir ..2; cp $new ..2/v.so; ln -s ..2 ..data_tmp; mv -T ..data_tmp ..data; rm -r ..1"),
        Exchange(
            testDescription: "dpkg", before: file,
            change: """
                cp $new lib/v.so.1.dpkg-new; ln lib/v.so.1 lib/v.so.1.dpkg-tmp
                mv lib/v.so.1.dpkg-new lib/v.so.1; rm lib/v.so.1.dpkg-tmp
                """),
        Exchange(testDescription: "install", before: file, change: "install -m 755 $new lib/v.so.1"),
        Exchange(testDescription: "mv", before: "\(file); cp $new next", change: "mv next lib/v.so.1"),
        Exchange(testDescription: "cp over", before: file, change: "cp $new lib/v.so.1"),
        Exchange(
            testDescription: "cp after unlink", before: file, change: "cp --remove-destination $new lib/v.so.1"),
        Exchange(
            testDescription: "rsync", before: file,
            change: "cp $new lib/.v.so.1.a8Xq2L; mv lib/.v.so.1.a8Xq2L lib/v.so.1"),
        Exchange(
            testDescription: "an editor that keeps a backup", before: file,
            change: "mv lib/v.so.1 lib/v.so.1~; cp $new lib/v.so.1; rm lib/v.so.1~"),
        Exchange(
            testDescription: "ln -sfn of a directory",
            before: "mkdir 1 2; cp $old 1/v.so; cp $new 2/v.so; ln -s 1 current; ln -s current/v.so v.so",
            change: "ln -sfn 2 current"),
        Exchange(
            testDescription: "ln -sf of a link in the middle of a chain",
            before: "mkdir c; cp $old c/1; cp $new c/2; ln -s c/1 b; ln -s b a; ln -s a v.so", change: "ln -sf c/2 b"),
        Exchange(
            testDescription: "a directory that takes the place of another",
            before: "\(file); mkdir next; cp $new next/v.so.1", change: "mv lib former; mv next lib"),
        Exchange(
            testDescription: "a path with ..", before: "mkdir x lib; cp $old lib/v.so.1; ln -s x/../lib/v.so.1 v.so",
            change: "cp $new lib/next; mv lib/next lib/v.so.1"),
        Exchange(
            testDescription: "a directory that appears later", before: "ln -s late/deep/v.so.1 v.so",
            change: "mkdir -p late/deep; cp $new late/deep/v.so.1", told: "appeared Versioned 2.0.0"),
        Exchange(
            testDescription: "a dangling link that becomes valid", before: "ln -s a v.so; ln -s b a",
            change: "cp $new b", told: "appeared Versioned 2.0.0"),
        Exchange(
            testDescription: "a link whose other name is removed at once", before: "cp $new stage",
            change: "ln stage v.so; rm stage", told: "appeared Versioned 2.0.0"),
        Exchange(
            testDescription: "a target that is removed", before: file, change: "rm lib/v.so.1",
            told: "vanished Versioned 1.0.0"),
        Exchange(
            testDescription: "a target that others may write to", before: file, change: "chmod o+w lib/v.so.1",
            told: "vanished Versioned 1.0.0"),
        Exchange(
            testDescription: "a folder on the way that others may write to", before: file, change: "chmod o+w lib",
            told: "vanished Versioned 1.0.0"),
        Exchange(
            testDescription: "a description",
            before: """
                mkdir ..1 ..2; ln -s ..1 ..data; ln -s ..data/v.hslink.json v.hslink.json
                for v in 1 2; do printf '{"name": "Versioned", "version": "%s.0.0", "library": ["libm.so.6"], "class": \
                "M", "declarations": ["double cos(double x);"]}' $v >..$v/v.hslink.json; done
                """, change: "ln -s ..2 ..tmp; mv -T ..tmp ..data"),
    ]

    /// Runs a script in a directory.
    static func run(_ script: String, in directory: String) async throws {
        let run = try await ProgramRun.of(
            URL(filePath: "/bin/sh"), ["-ec", "umask 022; cd \"$0\"; \(script)", directory],
            environment: [
                "old": try Fixtures.file("VersionedOld").path, "new": try Fixtures.file("VersionedNew").path,
            ])
        try #require(run.status == 0, "\(run)")
    }
}

@Suite("Exchanging files that links lead to")
struct ExchangeTests {
    @Test("the host finds the new file by itself", arguments: Exchange.all)
    func exchange(_ exchange: Exchange) async throws {
        try await withPlugins { directory in
            try await Exchange.run(exchange.before, in: directory.path)
            try await withWatchedHost(over: directory.path) { _, told in
                // The watching has begun when a change is seen.
                try directory.add("CGood")
                #expect(await told.has("appeared CGood 1.0.0"))
                try await Exchange.run(exchange.change, in: directory.path)
                #expect(await told.has(exchange.told), "\(told.all)")
            }
        }
    }

    @Test("what has been exchanged is watched again")
    func again() async throws {
        try await withPlugins { directory in
            try await Exchange.run(
                "mkdir ..0; cp $old ..0/v.so; ln -s ..0 ..data; ln -s ..data/v.so v.so", in: directory.path)
            try await withWatchedHost(over: directory.path) { host, told in
                for (round, file) in ["$new", "$old", "$new", "$old"].enumerated() {
                    try await Exchange.run(
                        """
                        mkdir ..\(round + 1); cp \(file) ..\(round + 1)/v.so; ln -s ..\(round + 1) ..tmp
                        mv -T ..tmp ..data; rm -r ..\(round)
                        """, in: directory.path)
                    let version = file == "$new" ? "2.0.0" : "1.0.0"
                    #expect(
                        await holds { host.catalog.entry(named: "Versioned")?.manifest.version.description == version })
                    // Written in place, behind both links.
                    try await Exchange.run("cp $new ..data/v.so", in: directory.path)
                    #expect(
                        await holds { host.catalog.entry(named: "Versioned")?.manifest.version.description == "2.0.0" })
                }
                #expect(!told.all.isEmpty)
            }
        }
    }

    @Test("other files beside those that links lead to wake no watcher")
    func aside() async throws {
        try await withPlugins { directory in
            try await Exchange.run("mkdir lib; cp $old lib/v.so.1; ln -s lib/v.so.1 v.so", in: directory.path)
            var watches = InotifyWatches(formats: [.description])
            watches.arm([directory.path])
            for name in ["lib/other", "lib/v.so.2", "lib/.v.so.1.tmp", "lib/v.so.1.dpkg-new", "lib/plugin.so"] {
                try directory.write("x", to: name)
                let isNoticed = watches.readEvents()
                #expect(!isNoticed, "\(name)")
            }
            try directory.write("x", to: "lib/v.so.1")
            let isNoticed = watches.readEvents()
            #expect(isNoticed)
        }
    }

    @Test("a library that a component or a description needs is waited for")
    func libraries() async throws {
        try await withPlugins { directory in
            try await directory.compile(
                "parts/text.1", from: "int dep(void) { return 7; }", options: ["-Wl,-soname,libdep.so.1"])
            try await directory.compileComponent(
                "Needs", code: "extern int dep(void);\nstatic int value(void) { return dep(); }",
                options: ["-fvisibility=hidden", "-Wl,-rpath,$ORIGIN/lib", directory.file("parts/text.1")])
            try directory.write(
                """
                {"name": "Described", "version": "1.0.0", "library": ["./own/libdep.so.1"], "class": "Described",
                 "declarations": ["int dep(void);"]}
                """, to: "described.hslink.json")
            // The loader remembers for the rest of the process which directories of a search path it has not found.
            try await Exchange.run("mkdir lib", in: directory.path)
            try await withWatchedHost(over: directory.path) { host, told in
                for call in [("NeedsLink", "value"), ("Described", "dep")] {
                    #expect(await host.blockingCall(call.0, call.1).error?.code == .notLoaded)
                }
                try directory.add("CGood")
                #expect(await told.has("appeared CGood 1.0.0"))
                // Links to files with other names, one of them in a folder that does not exist yet.
                try await Exchange.run(
                    """
                    mkdir own; ln -s ../parts/text.1 lib/libdep.so.1
                    ln -s text.1 own/libdep.so.1; cp parts/text.1 own/text.1
                    """, in: directory.path)
                let componentWorks = await holds { try await host.call("NeedsLink", "value", kind: .class) == 7 }
                #expect(componentWorks)
                let descriptionWorks = await holds { try await host.call("Described", "dep") == 7 }
                #expect(descriptionWorks)
            }
        }
    }

    @Test("a library that a description's library needs is waited for")
    func indirectLibraries() async throws {
        try await withPlugins { directory in
            try await directory.compile(
                "parts/text.1", from: "int deep(void) { return 7; }", options: ["-Wl,-soname,libdeep.so.1"])
            try await directory.compile(
                "lib/libway.so.1", from: "extern int deep(void); int way(void) { return deep(); }",
                options: ["-Wl,-rpath,$ORIGIN/../deep", directory.file("parts/text.1")])
            try directory.write(
                """
                {"name": "Described", "version": "1.0.0", "library": ["./lib/libway.so.1"], "class": "Described",
                 "declarations": ["int way(void);"]}
                """, to: "described.hslink.json")
            // As above.
            try await Exchange.run("mkdir deep", in: directory.path)
            try await withWatchedHost(over: directory.path) { host, told in
                #expect(await host.blockingCall("Described", "way").error?.code == .notLoaded)
                try directory.add("CGood")
                #expect(await told.has("appeared CGood 1.0.0"))
                try await Exchange.run("cp parts/text.1 deep/libdeep.so.1", in: directory.path)
                let works = await holds { try await host.call("Described", "way") == 7 }
                #expect(works)
            }
        }
    }

    @Test("what the trust in a component's libraries depends on is watched")
    func trust() async throws {
        try await withPlugins { directory in
            for (name, number) in [("dep", 7), ("more", 8)] {
                try await directory.compile(
                    "lib/lib\(name).so.1", from: "int \(name)(void) { return \(number); }",
                    options: ["-Wl,-soname,lib\(name).so.1"])
            }
            try await directory.compileComponent(
                "Needs", code: "extern int dep(void);\nstatic int value(void) { return dep(); }",
                options: [
                    "-fvisibility=hidden", "-Wl,-rpath,$ORIGIN/lib", directory.file("lib/libdep.so.1"),
                    "-Wl,--auxiliary=libmore.so.1",
                ])
            try await Exchange.run("mkdir -p lib/glibc-hwcaps/x86-64-v3", in: directory.path)
            try await withWatchedHost(over: directory.path) { host, told in
                #expect(host.isAvailable("NeedsLink"))
                // The watching has begun when a change is seen.
                try directory.add("CGood")
                #expect(await told.has("appeared CGood 1.0.0"))
                for name in [
                    "lib", "lib/libdep.so.1", "lib/libmore.so.1", "lib/glibc-hwcaps", "lib/glibc-hwcaps/x86-64-v3",
                ] {
                    try directory.setMode(0o777, of: directory.file(name))
                    #expect(await holds { !host.isAvailable("NeedsLink") }, "\(name)")
                    try directory.setMode(0o755, of: directory.file(name))
                    #expect(await holds { host.isAvailable("NeedsLink") }, "\(name)")
                }
            }
        }
    }

    @Test("secrets in files elsewhere, behind links, are watched")
    func secrets() async throws {
        let place = try TemporaryDirectory()
        try place.makeDirectory("secrets")
        try place.makeDirectory("elsewhere")
        try place.write("one", to: "elsewhere/key")
        try place.link("secrets/Notes.key", to: "../elsewhere/key")
        var watches = InotifyWatches(formats: [.description])
        watches.arm([], files: [place.path(of: "secrets")])
        try place.write("other", to: "elsewhere/other")
        let isNoticed = watches.readEvents()
        #expect(!isNoticed)
        try place.write("two", to: "elsewhere/key")
        let isNoticedNow = watches.readEvents()
        #expect(isNoticedNow)
    }

    @Test("no watches are added for files that are no links")
    func cost() throws {
        try withPlugins("CGood") { directory in
            for number in 0..<200 { try directory.write("x", to: "lib\(number).so") }
            var watches = InotifyWatches(formats: [.description])
            watches.arm([directory.path])
            let information = try String(contentsOfFile: "/proc/self/fdinfo/\(watches.descriptor)", encoding: .utf8)
            let count = information.split(separator: "\n").count { $0.hasPrefix("inotify ") }
            // One for each directory on the path.
            #expect(count == directory.path.split(separator: "/").count + 1)
        }
    }
}
