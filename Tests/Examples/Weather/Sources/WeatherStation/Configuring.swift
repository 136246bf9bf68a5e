import ComponentHost
import Configuration

/// A host whose components are configured by a file and by the program's own provider.
func configuredHost(_ directories: [String], own: some ConfigProvider) -> LinkHost {
    var options = HostOptions()
    options.environment = .stage
    options.configuration = HostConfiguration(files: ["station.yaml"])
    // The program's own file has the sections of components under "components".
    options.configuration?.providers = [own.prefixKeys(with: "components")]
    return LinkHost(components: directories, options: options)
}
