#toolchain(abi: "1.0")

/// The version of the Swift compiler that this copy of ComponentKit was built with, such as `"6.3.1"`.
package let compilerVersion = #compilerVersion

/// The version of the Swift compiler that builds this code, such as `"6.3.1"`, or `"6.5 or later"` for compilers that
/// this version of ComponentKit does not know.
@freestanding(expression)
macro compilerVersion() -> String =
    #externalMacro(module: "ComponentMacros", type: "CompilerVersionMacro")

/// Records the ABI and the compiler that the linked file was built with, in a note of type `HSLINK_NOTE_TOOLCHAIN`
/// (16): `{"abi":"1.0","compiler":"6.3.1"}`. Only ComponentKit uses this macro, once, at file scope.
///
/// - Parameter abi: A string literal, MAJOR.MINOR, that matches `HSLINK_ABI_MAJOR` and `HSLINK_ABI_MINOR`.
@freestanding(declaration)
macro toolchain(abi: StaticString) = #externalMacro(module: "ComponentMacros", type: "ToolchainMacro")
