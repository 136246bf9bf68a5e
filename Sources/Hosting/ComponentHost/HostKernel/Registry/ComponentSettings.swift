/// What the configuration of the host says of a component, in place of what its manifest says.
struct ComponentSettings: Sendable {
    /// The setting that disables it, with the file; nil if it is enabled.
    var disabledBy: String?
    /// The priority with which it starts; nil for that of the manifest.
    var priority: Int?
}
