import ComponentHost
import ComponentKit

/// Prints what comes with the component Weather, without loading it.
func printAdvice(of host: LinkHost) throws {
    let resources = host.resources(of: "Weather")
    for name in try resources.names() { print(name, try resources.data(name).count) }
    print(try resources.localized(for: ["de-AT", "en"]).string("snow.txt"))
}

/// Makes a host whose components speak German, whatever the language of the environment is.
func germanHost() -> LinkHost {
    var options = HostOptions()
    options.resources.languages = ["de-DE"]
    return LinkHost(options: options)
}
