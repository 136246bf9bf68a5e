import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin behind ComponentKit's macros. It runs inside the build, never in a component or a host.
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
    ]
}
