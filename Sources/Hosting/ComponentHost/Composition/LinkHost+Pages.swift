extension LinkHost {
    /// The page modules that components offer, sorted by name. Loads nothing.
    public var pageModules: [PageModuleInfo] { core.pageModuleInfos() }
}
