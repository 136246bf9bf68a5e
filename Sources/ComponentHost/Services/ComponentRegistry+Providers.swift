import ComponentKit

extension ComponentRegistry {
    /// Loads the component that is chosen for a service that another requires; where it fails, the next best.
    ///
    /// - Throws: ``LinkError/Code/requirementNotMet`` when there is none that can be loaded.
    func loadProvider(
        of service: String, for unit: ComponentUnit, caller: ComponentUnit?, in core: HostCore
    ) throws(LinkError) {
        var tried: Set<ObjectIdentifier> = []
        while true {
            let provider: ComponentUnit
            do throws(LinkError) {
                guard let found = try findService(service, for: unit.name).unit, found !== unit, !found.isHost else {
                    return
                }
                provider = found
            } catch {
                throw unmet(service, by: unit, error)
            }
            do throws(LinkError) {
                try load(provider, for: caller, in: core)
                return
            } catch {
                if error.code == .stopped || error.code == .wouldDeadlock { throw error }
                // It counts as failed now, so another one is found next, unless somebody has it tried again.
                guard tried.insert(ObjectIdentifier(provider)).inserted else { throw unmet(service, by: unit, error) }
            }
        }
    }

    private func unmet(_ service: String, by unit: ComponentUnit, _ error: LinkError) -> LinkError {
        LinkError(
            .requirementNotMet, message: "it requires service \(service): \(error.message)", component: unit.name,
            cause: error)
    }
}
