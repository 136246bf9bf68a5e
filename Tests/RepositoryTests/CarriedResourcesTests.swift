import Foundation
import TestSupport
import Testing

@Suite("scripts/lib.sh")
struct CarriedResourcesTests {
    @Test("components are laid out with their resources, each once and readable for everyone")
    func layOut() async throws {
        let place = try TemporaryDirectory()
        try place.makeDirectory("scripts")
        try FileManager.default.copyItem(
            at: BuiltProducts.packageDirectory.appending(path: "scripts/lib.sh"),
            to: URL(filePath: place.path(of: "scripts/lib.sh")))
        for folder in [
            "Plugins/Player/Player.resources/de.lproj", "Plugins/Other/Other.resources", "Sources/Wing/Drawing",
            "built/HSLink_Player.resources", "built/HSLink_Other.resources", "built/HSLink_Drawing.resources",
            "built/HSLink_PlayerTests.resources", "built/GRDB_GRDB.resources",
        ] {
            try place.makeDirectory(folder)
            try place.write(folder, to: "\(folder)/a.txt")
        }
        for name in ["Player", "Other"] { try place.write(name, to: "built/lib\(name).so") }
        try place.link("Plugins/Player/Player.resources/b.txt", to: "de.lproj/a.txt")
        try place.setMode(0o666, of: "Plugins/Player/Player.resources/de.lproj/a.txt")
        try place.setMode(0o700, of: "Plugins/Player/Player.resources/de.lproj")
        try place.makeDirectory("out/Old.resources")

        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            ["bash", "-c", "umask 000; source '\(place.path(of: "scripts/lib.sh"))'; lay_out built out Player"])
        #expect(run.status == 0, "\(run)")
        let list = try await ProgramRun.of(
            URL(filePath: "/usr/bin/find"), [place.path(of: "out"), "-mindepth", "1", "-printf", "%M %P\n"])
        #expect(
            list.standardOutput.split(separator: "\n").map(String.init).sorted() == [
                "-rw-r--r-- HSLink_Drawing.resources/a.txt", "-rw-r--r-- HSLink_Player.resources/a.txt",
                "-rw-r--r-- Player.resources/b.txt", "-rw-r--r-- Player.resources/de.lproj/a.txt",
                "-rw-r--r-- libPlayer.so", "drwxr-xr-x HSLink_Drawing.resources",
                "drwxr-xr-x HSLink_Player.resources", "drwxr-xr-x Player.resources",
                "drwxr-xr-x Player.resources/de.lproj",
            ])
    }
}
