import CHSLink
import ComponentCatalog
import ComponentKit

/// The directories that a host keeps for its components, and the resources that components bring.
final class FileFeature: HostFeature {
    static var place: Int { 4 }
    static let classes = [ResourcesLink.provided]

    /// The directory in which components keep their data.
    let data: DataDirectory
    /// The directory in which components keep what they can make again.
    let cache: DataDirectory
    /// How the host finds resources.
    let search: ResourceSearch

    /// - Parameters:
    ///   - data: the path of the directory of data; nil if the host keeps none.
    ///   - cache: the path of the directory of caches; nil if the host keeps none.
    ///   - whenClaimed: receives the open directory of data when the host claims it; must not ask for directories.
    init(
        data: String?, cache: String?, _ search: ResourceSearch,
        whenClaimed: @escaping @Sendable (_ descriptor: Int32, _ path: String) -> Void
    ) {
        self.data = DataDirectory(.data, data, policy: search.trust, whenClaimed: whenClaimed)
        self.cache = DataDirectory(.cache, cache, besides: data, policy: search.trust)
        self.search = search
    }

    func resourceProblem(of unit: ComponentUnit, _ bundles: ResourceBundles) -> String? {
        ComponentResources(of: unit, search)?.problem(bundles)
    }

    func extensionTable(_ name: hslink_string) -> UnsafeRawPointer? {
        if unsafe hslink_string_equals(name, HSLINK_DATA) != 0 {
            return unsafe UnsafeRawPointer(HostTable.dataExtension)
        }
        guard unsafe hslink_string_equals(name, HSLINK_RESOURCES) != 0 else { return nil }
        return unsafe UnsafeRawPointer(HostTable.resourceExtension)
    }

    func stopped(_ report: StopReport, in core: HostCore) {
        // A component that is still running may still write, so the process keeps the directory until it ends.
        guard report.stillRunning.isEmpty else { return }
        data.release()
        cache.release()
    }

    /// Returns the resources of a component; nil if it has none.
    func listing(of unit: ComponentUnit) -> ResourceListing? {
        ComponentResources(of: unit, search).flatMap { ResourceListing($0.place, policy: search.trust) }
    }
}
