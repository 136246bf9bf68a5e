import ComponentKit

/// Where a component stands between two looks at the directories: what is compared to say what has changed.
struct ComponentSnapshot {
    let version: Version
    /// What is used, or would be; nil when it is linked into the program.
    let file: ComponentFile?
    let isInMemory: Bool
    /// Why it is not to be loaded; empty when it may be.
    let refusal: String
    let limitations: [Catalog.Entry.Limitation]
    let onDisk: OnDiskState
    /// The active version in the directories.
    let found: ComponentFile?

    init(_ unit: ComponentUnit, limitations: [Catalog.Entry.Limitation], found catalog: Catalog) {
        version = unit.manifest.version
        file = unit.file
        isInMemory = unit.isInMemory
        refusal = unit.refusal?.message ?? ""
        self.limitations = limitations
        onDisk = isInMemory ? OnDiskState(of: unit, found: catalog) : .same
        found = catalog.entry(named: unit.name)?.file
    }
}
