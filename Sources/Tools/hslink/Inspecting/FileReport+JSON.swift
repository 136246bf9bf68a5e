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
        report.set("resources", json: try resourcesText())
        if let problems = manifest?.routeProblems, !problems.isEmpty { try report.set("routeProblems", list(problems)) }
        if let error { report.set("error", try json(error)) }
        return report.text
    }

    private func json(_ error: ComponentFileError) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("code", "\(error.code)")
        try object.set("message", error.message)
        return object
    }

    private func resourcesText() throws(PayloadError) -> String {
        guard let resources else { return "null" }
        var object = JSONObject()
        try object.set("path", resources.path)
        if let problem = resources.problem { object.set("error", try json(problem)) }
        var files: [JSONObject] = []
        for file in resources.files {
            var entry = JSONObject()
            try entry.set("name", file.name)
            try entry.set("size", file.size.map { Payload($0) } ?? .null)
            if let problem = file.problem { entry.set("error", try json(problem)) }
            files.append(entry)
        }
        object.set("files", files)
        try object.set("isComplete", Payload(!resources.isIncomplete))
        return object.text
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
