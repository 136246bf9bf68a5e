import ComponentHost
import ComponentKit

extension FileReport {
    /// Returns the report as one JSON object, described in the help of `hslink inspect`.
    func json() throws(PayloadError) -> String {
        var report = JSONObject()
        try report.set("file", path)
        try report.set("size", size.map { Payload.int($0) } ?? .null)
        try report.set("sha256", sha256)
        report.set("trust", json: size == nil ? "null" : try trust().text)
        try report.set("abi", manifest?.abi?.description)
        try report.set("compiler", manifest?.compiler)
        try report.set("soname", dynamic?.soname)
        try report.set("neededLibraries", list(dynamic?.needed))
        try report.set("runPath", list(dynamic?.runPath))
        try report.set("exportedSymbols", list(exportedSymbols))
        try report.set("manifest", manifest?.json ?? .null)
        if let problems = manifest?.routeProblems, !problems.isEmpty { try report.set("routeProblems", list(problems)) }
        if let error {
            var object = JSONObject()
            try object.set("code", "\(error.code)")
            try object.set("message", error.message)
            report.set("error", object)
        }
        return report.text
    }

    private func trust() throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("isTrusted", Payload(distrust == nil))
        if let distrust {
            try object.set("code", "\(distrust.code)")
            try object.set("reason", distrust.message)
        }
        return object
    }

    private func list(_ texts: [String]?) -> Payload {
        texts.map { Payload($0.map { Payload($0) }) } ?? .null
    }
}
