import ComponentHost
import ComponentKit
import SystemSupport

/// A service that a new component provides, and the models in its payloads and results.
struct ProvidedContract {
    let service: ServiceDeclaration
    /// The declarations of the service and of its models, as a manifest has them.
    let declarations: (service: Payload, models: [Payload])
    /// All models that the source describes.
    let models: ModelPool

    /// The largest description that is read, in bytes.
    private static let limit = 16 << 20

    /// Reads a contract from a component that was compiled with it, or from the JSON of `hslink inspect`.
    ///
    /// - Parameters:
    ///   - path: A shared object, a file of JSON, or "-" for JSON from standard input.
    ///   - name: The service; nil if there is only one.
    /// - Throws: a ``ScaffoldError`` if the file cannot be read, or does not have this one service.
    init(_ path: String, service name: String?) throws(ScaffoldError) {
        let place = path == "-" ? "standard input" : path.escaped
        let manifest = try ProvidedContract.manifest(path, place)
        let names = manifest.services.map { $0.name.escaped }.joined(separator: ", ")
        guard !manifest.services.isEmpty else {
            throw ScaffoldError(
                "\(place): describes no service; pass the file of a component that provides the service, or was compiled "
                    + "with its contract")
        }
        let services = name.map { name in manifest.services.filter { $0.name.isExactly(name) } } ?? manifest.services
        guard services.count <= 1 else {
            throw ScaffoldError("\(place): describes several services (\(names)); choose one with --service")
        }
        guard let service = services.first else {
            throw ScaffoldError("\(place): describes no service \((name ?? "").escaped), but \(names)")
        }
        guard service.arguments == nil else {
            throw ScaffoldError(
                "\(place): instances of \(service.name.escaped) are made with arguments, which only a provider in Swift can "
                    + "read: make it without --provides, and let its link class conform to \(service.protocolName.escaped)"
            )
        }
        guard !service.selectors.isEmpty else {
            throw ScaffoldError("\(place): \(service.name.escaped) has no selectors, so there is nothing to provide")
        }
        self.service = service
        let pool = ModelPool(manifest.models)
        models = pool
        let needed = ProvidedContract.models(of: service, in: pool)
        // They are written as they are read, so that the contracts stay the same.
        let json = manifest.json
        let written = (try? json["models"]?.items()) ?? []
        let own = (try? json["services"]?.items()) ?? []
        let index = manifest.services.firstIndex { $0.name.isExactly(service.name) } ?? 0
        declarations = (own[index], needed.map { written[$0] })
    }

    private static func manifest(_ path: String, _ place: String) throws(ScaffoldError) -> Manifest {
        guard path == "-" || (path.hasExactSuffix(".json") && !path.hasExactSuffix(DescriptionFile.suffix)) else {
            let report = FileReport(path)
            if let manifest = report.manifest { return manifest }
            throw ScaffoldError("\(place): \(report.error?.message.escaped ?? "it is not a component")")
        }
        let bytes: [UInt8]
        do throws(InputError) {
            bytes = try InputFile.read(path, limit: limit)
        } catch {
            throw ScaffoldError("\(place): cannot be read: \(error.message)")
        }
        do throws(PayloadError) {
            let json = try Payload(json: bytes)
            return try Manifest(json["manifest"] ?? json)
        } catch {
            throw ScaffoldError(
                "\(place): expected the JSON of 'hslink inspect FILE --json': \(error.text(root: nil).escaped)")
        }
    }

    /// Returns the indices of the models that a service needs, in their order.
    private static func models(of service: ServiceDeclaration, in pool: ModelPool) -> [Int] {
        var found: Set<Int> = []
        var pending: [(String, ModelPool.Scope)] = service.selectors.flatMap { selector in
            (selector.parameters.map(\.type) + [selector.result].compactMap(\.self)).map {
                ($0, ModelPool.Scope(module: service.module, owner: ""))
            }
        }
        while let (text, scope) = pending.popLast() {
            for name in WrittenType(text).type.names {
                guard case .model(let index) = pool.find(name, in: scope), found.insert(index).inserted else {
                    continue
                }
                let model = pool.models[index]
                let inner = ModelPool.Scope(module: model.module, owner: model.name)
                switch model.content {
                case .fields(let fields): pending += fields.map { ($0.type, inner) }
                case .cases(let cases, _): pending += cases.flatMap(\.values).map { ($0.type, inner) }
                }
            }
        }
        // Errors are thrown, and no type names them.
        let errors = pool.models.indices.filter {
            pool.models[$0].isError && pool.models[$0].module.isExactly(service.module)
        }
        return found.union(errors).sorted()
    }
}
