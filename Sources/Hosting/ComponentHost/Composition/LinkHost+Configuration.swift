public import ComponentKit

extension LinkHost {
    /// Reads the files and directories of `HostOptions.configuration` again. Components whose values have changed
    /// receive the event ``ComponentKit/ConfigurationChanged``, and those that failed because of their configuration
    /// are tried again at their next call.
    ///
    /// Reads files; do not call it from code that must not block. Nothing changes if a file cannot be read.
    ///
    /// - Returns: The names of the components whose values have changed, in the order in which they can be loaded.
    /// - Throws: `LinkError` in the domain `hslink.configuration` with the file that cannot be used, and why.
    @discardableResult
    public func reloadConfiguration() throws(LinkError) -> [String] {
        try features.configuration.reload(in: core)
    }

    /// Returns the setting that disables a component, whether or not there is one with this name; nil if there is none.
    package func settingDisabling(_ component: String) -> String? {
        features.configuration.store.initialSection.settings(of: component).disabledBy
    }

    /// Checks the configuration of all components, and what the host's own section says of them, without loading them.
    ///
    /// - Returns: The problems: for each component the values that do not have the declared types and those that are
    ///   missing, with files and keys.
    /// - Throws: `LinkError` in the domain `hslink.configuration` if the files could not be read.
    public func configurationProblems() throws(LinkError) -> [String] {
        if let error = features.configuration.store.error { throw error }
        return try features.configuration.sections(in: core).flatMap(\.errors)
    }

    /// Returns what is probably a mistake in the configuration but has no effect, such as a key that no component reads.
    package func configurationWarnings() -> [String] {
        let sections = (try? features.configuration.sections(in: core)) ?? []
        let unknown = features.configuration.warnings(in: core).filter(\.isMisspelt).map(\.message)
        return sections.flatMap(\.warnings) + unknown
    }
}

#if CommandLine || Configuration
    extension HostOptions {
        /// What operators configure for components; nil for nothing.
        ///
        /// The files are read when the host is created, and again by ``LinkHost/reloadConfiguration()``.
        public var configuration: HostConfiguration? {
            get { configurationLoader as? HostConfiguration }
            set { configurationLoader = newValue }
        }
    }
#endif
