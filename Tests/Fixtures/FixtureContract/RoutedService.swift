// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// These declarations exist only to travel; their names say it all.

public import ComponentKit

/// A service whose functions have routes, except for one.
@LinkService("org.hslink.fixture.routed/1")
public protocol RoutedService: Sendable {
    /// Blocks; names are in the query, the shape is passed beside the URL.
    @Route("fixture-room://:number")
    func room(_ number: Int, for names: [String], shape: Shape?) throws -> [String]
    @Route("fixture-room://secret/:id", tags: ["fixture-signed-in"])
    func secret(id: Int) async throws -> String
    @Route("fixture-room://each")
    func each(of numbers: [Int], call: @escaping @Sendable (Int) async throws -> Int) async throws -> Int
    /// Throws a model, and returns nothing.
    @Route("fixture-room://refuse/:name")
    func refuse(name: String) throws
    /// Has no route.
    func plain(number: Int) throws -> Int
}
