import CHSLink
import CHostThread
import ComponentCatalog
import ComponentKit
import Glibc

/// Loads a listed component: checks its file, opens it with the dynamic loader, reads its descriptor and calls
/// `create`. If a step fails, nothing is left running.
struct ComponentLoader {
    let unit: ComponentUnit
    let options: KernelOptions
    let core: HostCore

    /// - Throws: `LinkError` that names the component and says why it cannot be loaded.
    func load() throws(LinkError) -> LoadedComponent {
        do {
            return try CrashStep.run("while it was loaded", of: unit.name) { () throws(LinkError) in
                let reader = try unsafe DescriptorReader(try findDescriptor())
                let classes = try reader.classes(declaredBy: unit.manifest)
                if unit.checksPayloads {
                    for problem in unit.manifest.typeProblems { options.log(.warning, problem, component: unit.name) }
                }
                return try unsafe create(reader.descriptor, classes)
            }
        } catch {
            throw error.naming(className: "", selector: "", component: unit.name)
        }
    }

    private func findDescriptor() throws(LinkError) -> UnsafePointer<hslink_descriptor> {
        switch unit.source {
        case .builtIn(let descriptor), .host(let descriptor): return unsafe descriptor
        case .file(let file):
            let opened = try reopen(file)
            let content = try digest(file, opened)
            if let format = file.format { return unsafe try open(opened, format) }
            let entry = try unsafe DynamicLibrary.entry(of: file.path, opened.identity, content)
            guard opened.isUnchanged else { throw LinkError(.fileChanged) }
            unsafe hslink_crash_add_image(unsafeBitCast(entry, to: UnsafeRawPointer.self), unit.name)
            guard let descriptor = unsafe entry() else {
                throw LinkError(.missingEntry, message: "its function hslink_component returned NULL")
            }
            return unsafe descriptor
        }
    }

    /// Opens a component of another format than shared objects.
    private func open(
        _ file: borrowing OpenFile, _ format: ComponentFormat
    ) throws(LinkError) -> UnsafePointer<hslink_descriptor> {
        guard let place = core.registry.scan.places.first(where: { $0.format.suffix.isExactly(format.suffix) }) else {
            throw LinkError(.invalidFile, message: "this host loads no files that end in \(format.suffix)")
        }
        return unsafe try place.load(file, folder: unit.directory) { (path) throws(LinkError) in
            var checker = TrustChecker(policy: options.trust)
            do throws(ComponentFileError) {
                return try checker.openLibrary(path: path).path
            } catch {
                throw LinkError(.untrustedFile, message: error.message)
            }
        }
    }

    /// Opens the file again with all checks, since it may have been replaced after it was listed.
    private func reopen(_ file: ComponentFile) throws(LinkError) -> OpenFile {
        var checker = TrustChecker(policy: options.trust)
        do throws(ComponentFileError) {
            return try checker.reopen(file, unit.manifest)
        } catch {
            if error.code == .changed { throw LinkError(.fileChanged) }
            let isGone = error.code == .notFound
            throw LinkError(isGone ? .fileChanged : .untrustedFile, message: error.message)
        }
    }

    /// Computes the digest of the file's content, and remembers it so that the file can be recognised later.
    private func digest(_ file: ComponentFile, _ opened: borrowing OpenFile) throws(LinkError) -> ContentDigest {
        do throws(ComponentFileError) {
            return try LoadedContents.note(file, opened)
        } catch {
            throw LinkError(.fileChanged, message: error.message)
        }
    }

    private func create(
        _ descriptor: UnsafePointer<hslink_descriptor>, _ classes: [DescriptorReader.Class]
    ) throws(LinkError) -> LoadedComponent {
        let table = HostTable(core: core, unit: unit)
        var value: UnsafeMutableRawPointer?
        if let create = unsafe descriptor.pointee.create {
            let report = FailureReport()
            // The component must not receive what its first caller carries.
            let status = CrashStep.run("while it started", of: unit.name) {
                CallerContext.withNothingCarried {
                    unsafe report.withUnsafeFailure { unsafe create(descriptor, table.pointer, &value, $0) }
                }
            }
            guard status == 0 else {
                unsafe table.runState.stop()
                unit.keep(table)
                let reason = report.error ?? LinkError(.methodFailed, message: "it gave no reason (status \(status))")
                throw LinkError(.createFailed, message: "its start failed: \(reason.message)", cause: reason)
            }
        }
        return unsafe LoadedComponent(
            descriptor: descriptor, value: value, table: table, classes: classes, unit: unit)
    }
}

/// Checks whether a file was built for this host. It uses the manifest and the list of needed libraries, before any
/// part of the file is mapped.
struct BuildCheck {
    let manifest: Manifest
    let allowsOtherCompilers: Bool

    /// - Parameter sharesRuntime: whether the file uses this process's Swift runtime.
    /// - Throws: `LinkError` with code `wrongABI`, `otherCompiler` or `invalidFile` if this process cannot load the
    ///   file.
    func check(sharesRuntime: Bool) throws(LinkError) {
        if let abi = manifest.abi, Int(abi.major) != HSLINK_ABI_MAJOR {
            throw LinkError(
                .wrongABI,
                message: "it was built for ABI \(abi), but this host has \(HSLINK_ABI_MAJOR).\(HSLINK_ABI_MINOR); "
                    + "rebuild the component")
        }
        guard let compiler = manifest.compiler else { return }
        if sharesRuntime, compiler != ComponentKit.compilerVersion, !allowsOtherCompilers {
            throw LinkError(
                .otherCompiler,
                message: "it was built by Swift \(compiler), but this host by Swift \(ComponentKit.compilerVersion), "
                    + "and it shares the host's Swift runtime; rebuild it, or link it with -static-stdlib")
        }
        if !sharesRuntime, let method = mainActorSelector() {
            throw LinkError(
                .invalidFile,
                message: "its selector \(method) needs the main actor, which never runs in a component with "
                    + "a Swift runtime of its own; link it without -static-stdlib")
        }
    }

    private func mainActorSelector() -> String? {
        manifest.classes.lazy.flatMap(\.selectors).first(where: \.isMainActor)?.name
    }
}
