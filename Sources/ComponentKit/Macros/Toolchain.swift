#toolchain(abi: "1.0")

/// The version of the Swift compiler that this copy of ComponentKit was built with, as in "6.3.1".
package let compilerVersion = #compilerVersion

/// The version of the Swift compiler that builds this code, such as `"6.3.1"`; `"6.5 or later"` for those that this
/// version of ComponentKit does not know.
@freestanding(expression)
macro compilerVersion() -> String =
    #externalMacro(module: "ComponentMacros", type: "CompilerVersionMacro")

/// Notes in the file that this is linked into which ABI and which compiler it was built with: type 16 of hslink.h,
/// `{"abi":"1.0","compiler":"6.3.1"}`. ComponentKit uses it once, at file scope; nobody else has to.
///
/// - Parameter abi: A string literal MAJOR.MINOR with the values of `HSLINK_ABI_MAJOR` and `HSLINK_ABI_MINOR`.
@freestanding(declaration)
macro toolchain(abi: StaticString) = #externalMacro(module: "ComponentMacros", type: "ToolchainMacro")
