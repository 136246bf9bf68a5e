import ComponentKit

extension HostCore {
    /// Reads the configuration again and tells components what has changed; see ``LinkHost/reloadConfiguration()``.
    func reloadConfiguration() throws(LinkError) -> [String] {
        let units = registry.contents.withLock { $0.ordered }
        let changed = try configuration.reload(units)
        for unit in units where unit.hasFailedOnConfiguration { unit.reset() }
        logConfiguration()
        guard !changed.isEmpty else { return changed }
        // If the host stops meanwhile, there is no one to tell.
        try? postForHost(ConfigurationChanged(components: changed))
        return changed
    }

    /// Reads the configuration again after a file may have changed. Logs what has changed, and a problem once.
    func reloadChangedConfiguration() {
        guard configuration.loader != nil else { return }
        let former = configuration.error
        do throws(LinkError) {
            let changed = try reloadConfiguration()
            if !changed.isEmpty { log(.info, "the configuration of \(changed.joined(separator: ", ")) has changed") }
        } catch {
            if error.message != former?.message {
                log(.error, "the previous configuration stays in effect: \(error.message)")
            }
        }
    }

    /// The section of each component that declares one or for which there is one.
    func configurationSections() throws(LinkError) -> [ConfigurationSection] {
        var sections: [ConfigurationSection] = []
        for unit in registry.contents.withLock({ $0.ordered }) where !unit.isHost {
            let section = try configuration.presentSection(of: unit)
            if section.isDeclared || !section.entries.isEmpty { sections.append(section) }
        }
        return sections
    }

    /// Logs everything that is wrong with the configuration and has not been logged yet.
    func logConfiguration() {
        var problems: [(level: LogLevel, message: String, component: String)] = []
        if let error = configuration.error { problems.append((.error, error.message, "host")) }
        let held = Set(registry.contents.withLock { $0.ordered }.filter(configuration.holds).map(\.name))
        for section in (try? configurationSections()) ?? [] {
            let end = held.contains(section.component) ? "; the previous values stay in effect" : ""
            problems += section.errors.map { (.error, $0 + end, section.component) }
            problems += section.warnings.map { (.warning, $0, section.component) }
        }
        problems += configurationWarnings.map { ($0.isMisspelt ? .warning : .info, $0.message, "host") }
        let new = configuration.takeNew(problems.map(\.message))
        for problem in problems where new.contains(problem.message) {
            options.log(problem.level, problem.message, component: problem.component)
        }
    }
}

extension ComponentUnit {
    /// Whether it could not start because of its configuration.
    fileprivate var hasFailedOnConfiguration: Bool {
        guard case .failed(let error) = currentState else { return false }
        return error.concernsConfiguration
    }
}
