import ComponentKit

/// Says hello.
@Component(version: "1.0.0")
struct Greeter {}

/// Greetings, and a sum.
@LinkClass
final class GreeterLink {
    /// Greets by name.
    @Route("greeter://greet/:name")
    @Selector func greet(name: String, greeting: String = "Hello") -> String { "\(greeting), \(name)!" }

    /// Adds two numbers, a little later.
    @Selector func sumLater(a: Int, b: Int = 2) async -> Int {
        await Task.yield()
        return a + b
    }

    /// The languages that it speaks.
    @Selector(.quick) static func languages() -> [String] { ["en"] }
}
