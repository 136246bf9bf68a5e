import ComponentKit

/// A component of a package of its own.
@Component(version: "1.0.0")
struct Greeter {}

@LinkClass
final class GreeterLink {
    @Selector func greet(name: String) -> String { "Hello, \(name)!" }

    @Selector func sumLater(a: Int, b: Int = 2) async -> Int {
        await Task.yield()
        return a + b
    }
}
