import ComponentKit

/// Texts and tables that come with the component.
@LinkClass
final class WeatherTexts {
    private let resources: Resources

    init(_ context: ComponentContext) { resources = context.resources }

    /// The altitudes of cities in metres.
    @Selector func altitudes() throws -> [String: Int] { try resources.json("altitudes.json") }

    /// Advice in the host's language, or in another one.
    @Selector func advice(sky: String, language: String? = nil) throws -> String {
        let texts = language.map { resources.localized(for: [$0]) } ?? resources
        return try texts.string("\(sky).txt")
    }

    /// The altitude of a city; nil if it is unknown.
    @Selector func altitude(city: String) throws -> Int? {
        do {
            return try resources.json("altitudes.json", as: [String: Int].self)[city]
        } catch {
            // The table is optional.
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}
