/// The layers that a component may declare.
package enum ComponentLayers {
    /// The names of the layers, lowest first: the cases of ComponentKit's `ComponentLayer`, for macros and tools, which do
    /// not import it.
    package static let names = ["base", "common", "weakBusiness", "business", "host"]
}
