/// The places that may compare text as Swift's `String` does, and why that is right there.
enum ExactTextException {
    /// Folders in which all text is of one kind.
    static let folders: [(folder: String, reason: String)] = [
        ("Sources/CLibraries/CDeclarations/", "names of C, which its lexer limits to ASCII"),
        ("Sources/CLibraries/ForeignFunctions/", "names of C; what only a description names is looked up by bytes"),
        ("Sources/CLibraries/HeaderImport/", "names of C; files are looked up by bytes"),
        ("Sources/Tools/hslink/Importing/", "names of C"),
        ("Sources/Authoring/ComponentMacros/", "names within one source file, which the compiler compares again"),
        ("Sources/Tools/ModelDrift/", "names of types in sources, which are only reported"),
        ("Sources/Tools/PackageLayers/", "names of targets and products, which SwiftPM compares in the same way"),
        ("Sources/Authoring/PageKit/Changes/", "keys of views, of which no two look the same"),
        ("Sources/Authoring/PageKit/Limits/", "keys and names of fields, of which no two may look the same"),
        ("Plugins/ComponentConsole/", "what is only shown"),
        ("Plugins/ComponentPages/", "ids of pages and names of modules, which are ASCII; files are looked up by bytes"),
    ]

    /// The number of places in each file.
    static let all = Dictionary(files.flatMap { $0.places.map { ($0.key, $0.value) } }) { $0 + $1 }

    private static let files: [(reason: String, places: [String: Int])] = [
        (
            "the names are ASCII: TextRule allows nothing else",
            [
                "Plugins/ComponentWeb/ComponentWeb.swift": 1,
                "Plugins/NXService/NXService.swift": 1,
                "Sources/Hosting/ComponentHost/HostKernel/Calls/OpenCalls.swift": 2,
                "Sources/Hosting/ComponentCatalog/Catalog/CandidateSelection.swift": 1,
                "Sources/Hosting/ComponentCatalog/Catalog/Catalog.swift": 3,
                "Sources/Hosting/ComponentCatalog/Catalog/CatalogScanner.swift": 1,
                "Sources/Hosting/ComponentCatalog/Catalog/LibraryConflict.swift": 1,
                "Sources/Hosting/ComponentCatalog/Catalog/RequirementResolver.swift": 2,
                "Sources/Hosting/ComponentCatalog/Catalog/ServiceProviders.swift": 2,
                "Sources/Hosting/ComponentHost/HostKernel/Changes/CatalogDifference.swift": 1,
                "Sources/Hosting/ComponentCatalog/Contracts/ContractComparer.swift": 5,
                "Sources/Hosting/ComponentHost/HostKernel/Counters/CallCounters.swift": 1,
                "Sources/Hosting/ComponentHost/HostKernel/Counters/CounterTable.swift": 1,
                "Sources/Hosting/ComponentHost/Features/Events/EventDirectory.swift": 3,
                "Sources/Hosting/ComponentHost/Features/Events/EventInfo.swift": 3,
                "Sources/Hosting/ComponentHost/Features/Events/EventRegistry.swift": 7,
                "Sources/Hosting/ComponentHost/Features/Events/StickyEvents.swift": 1,
                "Sources/Hosting/ComponentHost/Composition/LinkHost.swift": 1,
                "Sources/Hosting/ComponentCatalog/Manifest/Contract.swift": 1,
                "Sources/Hosting/ComponentCatalog/Manifest/ManifestJoin.swift": 3,
                "Sources/Hosting/ComponentCatalog/Manifest/ServiceNotes.swift": 1,
                "Sources/Hosting/ComponentHost/Features/HostService/Pages/PageModuleInfo.swift": 1,
                "Sources/Hosting/ComponentHost/HostKernel/Registry/ComponentRegistry.swift": 1,
                "Sources/Hosting/ComponentHost/HostKernel/Services/ServiceDirectory.swift": 2,
            ]
        ),
        (
            "the texts are those of this file",
            [
                "Plugins/ComponentImage/Pages/PictureView.swift": 2,
                "Plugins/ComponentWeb/Rendering/Pages/PageRenderer.swift": 1,
                "Plugins/ComponentWeb/Rendering/Views/ViewWriter+Media.swift": 1,
                "Plugins/EMAccount/Accounts.swift": 1,
                "Sources/Hosting/ComponentCatalog/Catalog/Catalog.swift": 1,
                "Sources/Hosting/ComponentHost/DescribedLibraries/DescriptionRepair.swift": 1,
                "Sources/Hosting/ComponentCatalog/Contracts/JSONSchema.swift": 1,
                "Sources/Hosting/HostContract/HostCountersService.swift": 1,
                "Sources/Hosting/HostContract/HostSchemasService.swift": 1,
                "Sources/Hosting/ComponentCatalog/Contracts/TypeExpression.swift": 2,
                "Sources/Hosting/ComponentCatalog/Contracts/TypeParser.swift": 2,
                "Sources/Hosting/ComponentCatalog/Contracts/ValueCheck.swift": 1,
                "Sources/Hosting/ComponentCatalog/Manifest/RouteParameter.swift": 1,
                "Sources/Authoring/ComponentKit/Errors/ModelError.swift": 2,
                "Sources/Authoring/ComponentKit/Expansion/RouteBuilder.swift": 1,
                "Sources/Authoring/ComponentKit/Routes/RouteDecision.swift": 1,
                "Sources/Authoring/ComponentKit/Values/Codable/PayloadDecoder.swift": 2,
                "Sources/Authoring/ManifestRules/EventRules.swift": 3,
                "Sources/Tools/hslink/Inspecting/Manifest+Lines.swift": 1,
                "Sources/Tools/hslink/Making/ScaffoldName.swift": 2,
                "Sources/Tools/hslink/Routing/RouteTableFile.swift": 1,
            ]
        ),
        (
            "a dictionary of the public interface, whose keys the caller writes",
            [
                "Sources/Hosting/ComponentHost/HostKernel/Calls/CallTracing.swift": 2,
                "Sources/Hosting/ComponentHost/Features/Configuration/HostConfiguration.swift": 2,
                "Sources/Hosting/ComponentHost/Features/Routes/HostRoutes.swift": 2,
                "Sources/Hosting/ComponentHost/Features/Routes/RouteOptions.swift": 1,
                "Sources/Authoring/ComponentKit/Calling/CarriedContext.swift": 4,
                "Sources/Authoring/ComponentKit/Payload/Payload+Making.swift": 1,
                "Sources/Authoring/ComponentKit/Values/Conformances/Collections+PayloadConvertible.swift": 1,
                "Sources/Authoring/PageKit/Actions/Action.swift": 3,
                "Sources/Authoring/PageKit/Pages/PageAddress.swift": 1,
                "Sources/Authoring/Routing/Patterns/RoutePattern+URL.swift": 1,
                "Sources/Authoring/Routing/Patterns/ValueType.swift": 1,
                "Sources/Authoring/Routing/RoutingOptions.swift": 1,
                "Sources/Authoring/Routing/Tables/RouteMatch.swift": 3,
            ]
        ),
        (
            "what is split is ASCII, or is refused",
            [
                "Plugins/ComponentWeb/Security/PasswordDigest.swift": 1,
                "Plugins/ComponentWeb/Security/RequestGuard.swift": 2,
                "Plugins/ComponentWeb/Security/TokenDigest.swift": 1,
                "Plugins/NXService/WebAddress.swift": 1,
                "Sources/Hosting/ComponentHost/Features/Files/Resources/ResourceLanguages.swift": 1,
                "Sources/Authoring/ManifestRules/RouteParameterType.swift": 1,
                "Sources/Authoring/ManifestRules/TextRule.swift": 1,
                "Sources/Authoring/Routing/Diagnosis/RouteMismatch.swift": 2,
                "Sources/Authoring/Routing/Tables/RouteSet.swift": 1,
                "Sources/Tools/hslink/Calling/ValueArgument.swift": 1,
            ]
        ),
        (
            "the names of the fields of a form, of which no two are equal for Swift either: ViewCheck refuses them",
            [
                "Plugins/ComponentWeb/Rendering/Pages/PageRenderer+Questions.swift": 3,
                "Plugins/ComponentWeb/Rendering/Views/FormState.swift": 2,
                "Plugins/ComponentWeb/Rendering/Views/ViewWriter+Forms.swift": 1,
                "Plugins/ComponentWeb/Server/WebPath.swift": 2,
                "Sources/Authoring/PageKit/Services/PageService.swift": 1,
                "Sources/Tools/hslink/Pages/PageClient.swift": 1,
                "Sources/Tools/hslink/Pages/PageSession.swift": 2,
            ]
        ),
        (
            "only for display",
            [
                "Plugins/ComponentImage/Editing/Picture.swift": 1,
                "Sources/Hosting/ComponentHost/Features/Configuration/ConfigurationStore.swift": 2,
                "Sources/Tools/hslink/Inspecting/Manifest+Lines.swift": 2,
                "Sources/Tools/hslink/Commands/LayersCommand.swift": 1,
                "Sources/Tools/hslink/Making/PackageSource.swift": 1,
                "Sources/Tools/hslink/Stats/StatsTable.swift": 1,
            ]
        ),
        (
            "one of the texts is ASCII and of the program",
            [
                "Plugins/NXService/KeptDocuments.swift": 1,
                "Sources/Hosting/ComponentCatalog/Manifest/ManifestReading.swift": 1,
                "Sources/Hosting/ComponentHost/Features/Files/Resources/ResourceLanguages.swift": 1,
            ]
        ),
        (
            "the names of the sections of a page, which all sides compare in this way",
            [
                "Plugins/ComponentWeb/Rendering/Changes/PageOperations.swift": 4,
                "Sources/Authoring/PageKit/Pages/Page.swift": 1,
                "Sources/Authoring/PageKit/Pages/PageUpdate.swift": 3,
            ]
        ),
        (
            "what is compared is no text",
            ["Sources/Hosting/ComponentCatalog/Contracts/ContractComparer+Routes.swift": 1]
        ),
        (
            "what changes is looked at again; names are only told apart",
            ["Sources/Hosting/ComponentCatalog/Watching/InotifyWatches.swift": 2]
        ),
        (
            "keys of views that look the same are told apart on purpose",
            [
                "Sources/Application/NXKit/UniqueKeys.swift": 1
            ]
        ),
        (
            "it is what the others use",
            [
                "Sources/Boundary/SystemSupport/DirectoryEntries.swift": 1
            ]
        ),
    ]
}
