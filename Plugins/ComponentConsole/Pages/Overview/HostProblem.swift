import HostContract

/// Something about a host that an operator should know at first sight.
struct HostProblem: Hashable, Sendable {
    /// What is wrong, as a sentence.
    var text: String
    /// Whether something does not work that is meant to; else it is something to be careful about.
    var isFailure: Bool
    /// The page that says more; nil if the overview does.
    var page: String?

    /// The most components of which each has a sentence of its own.
    private static let mostNamed = 3

    /// Finds everything that is wrong, failures first.
    static func all(of contents: HostContents, _ refusedRoutes: [UnusedRouteRow]) -> [HostProblem] {
        let failed = contents.components.filter { $0.state == "failed" }
        var problems = failed.prefix(mostNamed).map { component in
            let reason = component.reason.isEmpty ? "." : ": \(component.reason.oneLine(300).fullStop)"
            return HostProblem(
                text: "\(component.name.oneLine(120)) has failed\(reason)", isFailure: true,
                page: ConsolePage.id(of: component.name))
        }
        if failed.count > mostNamed {
            let more = failed.count - mostNamed
            let subject = more == 1 ? "component has" : "components have"
            problems.append(HostProblem(text: "\(more) more \(subject) failed.", isFailure: true))
        }
        problems += unused(contents, refusedRoutes)
        return problems + warnings(contents.components)
    }

    /// What the host has found and does not use. The overview has the details.
    private static func unused(_ contents: HostContents, _ refusedRoutes: [UnusedRouteRow]) -> [HostProblem] {
        let files = contents.rejectedFiles.map { row in
            (name: String(row.path.split(separator: "/").last ?? ""), reason: row.reason)
        }
        let all = [
            sentence("file", "not used", of: files),
            sentence("directory", "not searched", of: contents.rejectedDirectories.map { ($0.path, $0.reason) }),
            sentence("class", "declared more than once", of: contents.conflicts.map { ($0.className, "") }),
            sentence("route", "not used", of: refusedRoutes.map { ($0.pattern, $0.reason) }),
        ]
        return all.compactMap { $0.map { HostProblem(text: $0, isFailure: true) } }
    }

    /// Names the things with the reason of the only one, as in "2 files are not used: libA.so, libB.so."
    private static func sentence(
        _ noun: String, _ words: String, of things: [(name: String, reason: String)]
    ) -> String? {
        guard let first = things.first else { return nil }
        let names = things.map(\.name.orDash).listed(most: mostNamed)
        let reason = things.count == 1 && !first.reason.isEmpty ? " – \(first.reason.oneLine(300))" : ""
        let verb = things.count == 1 ? "is" : "are"
        return "\(things.count.counted(noun)) \(verb) \(words): \(names)\(reason)".fullStop
    }

    private static func warnings(_ components: [ComponentRow]) -> [HostProblem] {
        let warnings = components.compactMap { component -> HostProblem? in
            let name = component.name.oneLine(120)
            let text: String
            if let crash = component.lastCrash, component.state != "failed" {
                text = "\(name) \(crash.oneLine(300)), and ended the host before."
            } else if component.isFileGone {
                text = "\(name) runs, but its file is gone. It will be missing after a restart."
            } else if let version = component.restartVersion {
                let loaded = component.version.oneLine(60)
                text = "\(name) is still version \(loaded). A restart loads version \(version.oneLine(60))."
            } else if component.stuckCalls > 0 {
                let calls = component.stuckCalls.counted("stuck call")
                text = "\(name) has \(calls): the caller has given up, but the method still runs."
            } else {
                return nil
            }
            return HostProblem(text: text, isFailure: false, page: ConsolePage.id(of: component.name))
        }
        return Array(warnings.prefix(10))
    }
}

extension String {
    /// The text with a full stop at its end, unless it has one.
    fileprivate var fullStop: String { last.map { ".!?…".contains($0) } == true ? self : self + "." }
}
