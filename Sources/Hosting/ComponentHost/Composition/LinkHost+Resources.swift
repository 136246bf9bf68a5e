public import ComponentKit

extension LinkHost {
    /// Returns the resources of a component, loaded or not. Loads nothing. May be called from any thread.
    ///
    /// - Parameter component: the name of the component. If there is none with this name, each request fails.
    public func resources(of component: String) -> Resources {
        Resources(HostResources(component: component, core: core, search: features.files.search))
    }
}
