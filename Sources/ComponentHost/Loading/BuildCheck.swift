import CHSLink
import ComponentKit

/// Whether a file was built for this host: known from its manifest and the libraries it needs, before
/// anything of it is mapped.
struct BuildCheck {
    let manifest: Manifest
    let options: HostOptions

    /// - Throws: what keeps the file from being loaded in this process.
    func check(_ file: ComponentFile) throws(LinkError) {
        if let abi = manifest.abi, Int(abi.major) != HSLINK_ABI_MAJOR {
            throw LinkError(
                .wrongABI,
                message: "it was built for ABI \(abi), this host has \(HSLINK_ABI_MAJOR).\(HSLINK_ABI_MINOR); "
                    + "rebuild the component")
        }
        guard let compiler = manifest.compiler else { return }
        if file.sharesSwiftRuntime, compiler != ComponentKit.compilerVersion, !options.allowsOtherCompilers {
            throw LinkError(
                .otherCompiler,
                message: "it was built by Swift \(compiler), this host by Swift \(ComponentKit.compilerVersion), and "
                    + "it shares the host's Swift runtime; rebuild it, or link it with -static-stdlib")
        }
        if !file.sharesSwiftRuntime, let method = mainActorSelector() {
            throw LinkError(
                .invalidFile,
                message: "its selector \(method) works on the main actor, which never runs in a component with "
                    + "a Swift runtime of its own; link it without -static-stdlib")
        }
    }

    private func mainActorSelector() -> String? {
        manifest.classes.lazy.flatMap(\.selectors).first(where: \.isMainActor)?.name
    }
}
