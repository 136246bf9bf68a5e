import Foundation
import TestSupport
import Testing

@Suite("A full disk")
struct FullDiskTests {
    @Test(
        "refuses writes, keeps written data, and recovers when there is space again",
        .enabled(if: MountNamespace.isAllowed, "needs root or user namespaces, to mount a small disk"),
        arguments: [400, 600])
    func full(kilobytes: Int) async throws {
        let place = try TemporaryDirectory()
        try place.makeDirectory("disk")
        let disk = place.path(of: "disk")
        let run = try await withPlugins("ComponentOwner") { plugins in
            try await MountNamespace.run(
                "mount -t tmpfs -o size=$2k,mode=700 tmpfs \"$1\" && head -c 100k /dev/zero >\"$1/ballast\"",
                [disk, "\(kilobytes)"], BuiltProducts.storageDriver,
                ["fill", plugins.path, "\(disk)/data", "\(disk)/ballast"])
        }
        let lines = run.standardOutput.split(separator: "\n")
        #expect(run.status == 0, "\(run)")
        #expect(lines.first?.contains("the disk is full, so nothing was written") == true, "\(run)")
        #expect(lines.dropFirst() == ["kept true", "again true"], "\(run)")
    }
}
