import Testing

@testable import HostControl

@Suite("The default path of the socket")
struct ControlSocketChoiceTests {
    private typealias Row = (given: String?, isRoot: Bool, variables: [String: String], choice: ControlSocketChoice)

    @Test("is the given one, else one in the system's runtime directory")
    func choice() {
        let rows: [Row] = [
            ("none", true, ["XDG_RUNTIME_DIR": "/run/user/0"], .none),
            ("/tmp/s", false, ["XDG_RUNTIME_DIR": "/run/user/1"], .path("/tmp/s")),
            (nil, false, ["XDG_RUNTIME_DIR": "/run/user/1"], .path("/run/user/1/hslink.sock")),
            (nil, true, ["XDG_RUNTIME_DIR": "/run/user/0"], .path("/run/user/0/hslink.sock")),
            (
                nil, true, ["RUNTIME_DIRECTORY": "/run/hslink:/run/b", "XDG_RUNTIME_DIR": "/x"],
                .path("/run/hslink/hslink.sock")
            ),
            (nil, false, ["XDG_RUNTIME_DIR": "relative"], .noPlace), (nil, false, ["XDG_RUNTIME_DIR": ""], .noPlace),
            (nil, false, [:], .noPlace), (nil, true, [:], .path("/run/hslink.sock")),
        ]
        for row in rows {
            let choice = ControlSocketChoice(row.given, isRoot: row.isRoot) { row.variables[$0] }
            #expect(choice == row.choice, "\(row)")
        }
    }
}
