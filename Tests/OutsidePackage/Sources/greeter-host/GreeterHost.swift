import ComponentHost
import ComponentKit

@main
struct GreeterHost {
    static func main() async {
        let host = LinkHost(components: Array(CommandLine.arguments.dropFirst()))
        for component in host.components { print(component.name, component.manifest.version, component.state) }
        do {
            print(try await host.call("GreeterLink", "greet", ["name": "Ada"], timeout: .seconds(10)))
        } catch {
            print("not greeted:", error)
        }
        host.call("GreeterLink", "greet", ["name": "Bob"]) { returnValue, performSuccess, classIsLoad in
            print(returnValue?.description ?? "no value", performSuccess, classIsLoad)
        }
        await host.stop()
    }
}
