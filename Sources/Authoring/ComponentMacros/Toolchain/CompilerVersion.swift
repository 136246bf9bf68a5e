/// The version of the Swift compiler that compiled this plugin.
///
/// The toolchain that builds a plugin also builds the plugin's users, so this is their compiler too. A Swift program
/// can query its compiler's version only with `#if compiler`, hence the table. To support a new compiler, add its
/// releases below the first condition and raise the version in that condition. Until then all newer compilers are
/// reported as "6.5 or later".
enum CompilerVersion {
    static var current: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4.9)
            "6.4.9"
        #elseif compiler(>=6.4.8)
            "6.4.8"
        #elseif compiler(>=6.4.7)
            "6.4.7"
        #elseif compiler(>=6.4.6)
            "6.4.6"
        #elseif compiler(>=6.4.5)
            "6.4.5"
        #elseif compiler(>=6.4.4)
            "6.4.4"
        #elseif compiler(>=6.4.3)
            "6.4.3"
        #elseif compiler(>=6.4.2)
            "6.4.2"
        #elseif compiler(>=6.4.1)
            "6.4.1"
        #elseif compiler(>=6.4)
            "6.4.0"
        #elseif compiler(>=6.3.9)
            "6.3.9"
        #elseif compiler(>=6.3.8)
            "6.3.8"
        #elseif compiler(>=6.3.7)
            "6.3.7"
        #elseif compiler(>=6.3.6)
            "6.3.6"
        #elseif compiler(>=6.3.5)
            "6.3.5"
        #elseif compiler(>=6.3.4)
            "6.3.4"
        #elseif compiler(>=6.3.3)
            "6.3.3"
        #elseif compiler(>=6.3.2)
            "6.3.2"
        #elseif compiler(>=6.3.1)
            "6.3.1"
        #elseif compiler(>=6.3)
            "6.3.0"
        #else
            #error("HSLink needs Swift 6.3 or later, for @section and @used (SE-0492)")
        #endif
    }
}
