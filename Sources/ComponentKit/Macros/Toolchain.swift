#toolchain(abi: "1.0")

/// The version of the Swift compiler that this copy of ComponentKit was built with, as in "6.3.1".
package let compilerVersion = #compilerVersion
