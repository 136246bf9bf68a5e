import ComponentHost

extension Catalog {
    /// The names of the entries that are available, in order.
    var available: [String] { entries.filter { $0.state == .available }.map(\.manifest.name) }
}
