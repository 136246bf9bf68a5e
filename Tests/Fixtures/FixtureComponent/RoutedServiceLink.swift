import ComponentKit
import FixtureContract

/// Provides a service with routes.
@LinkClass("RoutedServiceLink", provides: (any RoutedService).self)
final class RoutedServiceLink: RoutedService {
    func room(_ number: Int, for names: [String], shape: Shape?) throws -> [String] {
        ["\(number)"] + names + (shape.map { ["\($0)"] } ?? [])
    }

    func secret(id: Int) async throws -> String { "room \(id)" }

    func each(of numbers: [Int], call: @escaping @Sendable (Int) async throws -> Int) async throws -> Int {
        var sum = 0
        for number in numbers { sum += try await call(number) }
        return sum
    }

    func refuse(name: String) throws { throw Refusal.notNow }

    func plain(number: Int) throws -> Int { number }
}
