import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin that implements ComponentKit's macros. It runs during the build, never in a component or a host.
@main
struct ComponentMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        ToolchainMacro.self,
        CompilerVersionMacro.self,
        ComponentMacro.self,
        LinkClassMacro.self,
        LinkServiceMacro.self,
        ModelMacro.self,
        SelectorMacro.self,
        RouteMacro.self,
        InterceptsMacro.self,
        EventMacro.self,
        OnMacro.self,
        PageModuleMacro.self,
    ]
}
