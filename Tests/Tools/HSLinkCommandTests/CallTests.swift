import Foundation
import TestSupport
import Testing

@Suite("hslink call")
struct CallTests {
    @Test(
        "the payload comes from the arguments",
        arguments: [
            ([], "null"),
            ([#"{"a": 1, "b": [true, null]}"#], "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ]\n}"),
            (["[]"], "[]"),
            ([#""text""#], #""text""#),
            (["7"], "7"),
            (["--", "-7"], "-7"),
            (["a=1"], "{\n  \"a\": 1\n}"),
            (["a=-1"], "{\n  \"a\": -1\n}"),
            (["path=clip.mp4"], "{\n  \"path\": \"clip.mp4\"\n}"),
            (["a=007"], "{\n  \"a\": \"007\"\n}"),
            (["a="], "{\n  \"a\": \"\"\n}"),
            (["a==b=c"], "{\n  \"a\": \"=b=c\"\n}"),
            (["a.b=1"], "{\n  \"a.b\": 1\n}"),
            ([#"a="1""#], "{\n  \"a\": \"1\"\n}"),
            ([#"b={"c": 1.0}"#, "a=null"], "{\n  \"b\": {\n    \"c\": 1.0\n  },\n  \"a\": null\n}"),
            (["a=@@file"], "{\n  \"a\": \"@file\"\n}"),
            (["a=@@"], "{\n  \"a\": \"@\"\n}"),
            (["a=x@file"], "{\n  \"a\": \"x@file\"\n}"),
        ])
    func payload(arguments: [String], printedValue: String) async throws {
        try await withPlugins("CGood") { plugins in
            let run = try await hslink(
                ["call", "CGoodLink", "echo", "--class-method", "--plugins", plugins.path] + arguments)
            #expect(run == printed(printedValue))
        }
    }

    @Test("the payload comes from a file, or from standard input")
    func payloadFile() async throws {
        try await withPlugins("CGood") { plugins async throws in
            try plugins.write("\n{\"a\": 40, \"b\": 2}\n", to: "request.json")
            let call = ["call", "CGoodLink", "sum", "--class-method", "--plugins", plugins.path]
            #expect(try await hslink(call + ["@\(plugins.file("request.json"))"]) == printed("42"))
            let input = try await hslink(
                "call", "CGoodLink", "sum", "@-", "--class-method", "--plugins", plugins.path,
                input: #"{"a": 1, "b": 2}"#)
            #expect(input == printed("3"))
        }
    }

    @Test("every kind of value is printed")
    func types() async throws {
        try await withPlugins("CGood") { plugins in
            let run = try await hslink(
                "call", "CGoodLink", "types", "--class-method", "--json", "--plugins", plugins.path)
            #expect(
                run
                    == printed(
                        #"{"returnValue":{"null":null,"true":true,"false":false,"int":-42,"#
                            + #""intMin":-9223372036854775808,"intMax":9223372036854775807,"#
                            + #""uint":18446744073709551615,"double":0.1,"string":"Grüße 组件","#
                            + #""stringWithNul":"a\u0000b","emptyString":"","bytes":{"$bytes":"AAEA/w=="},"#
                            + #""emptyBytes":{"$bytes":""},"date":{"$date":"2023-11-14T22:13:20.123456789Z"},"#
                            + #""dateBefore1970":{"$date":"1969-12-31T00:00:00.999999999Z"},"#
                            + #""array":[1,"two",3.5],"emptyArray":[],"map":{"leaf":{"list":[1,"two",3.5]},"#
                            + #""":"the empty key"},"emptyMap":{}},"performSuccess":true,"classIsLoad":true}"#))
        }
    }

    @Test("class methods and object methods with the same name are different")
    func kinds() async throws {
        try await withPlugins("CGood") { plugins async throws in
            let call = ["call", "CGoodLink", "kind", "--plugins", plugins.path]
            #expect(try await hslink(call) == printed(#""object""#))
            #expect(try await hslink(call + ["--class-method"]) == printed(#""class""#))
        }
    }

    @Test("without --plugins, HSLINK_PATH names the directories")
    func environment() async throws {
        try await withPlugins("CGood") { plugins in
            let run = try await hslink(
                "call", "CGoodLink", "sum", "a=1", "b=2", "--class-method", environment: ["HSLINK_PATH": plugins.path])
            #expect(run == printed("3"))
        }
    }

    @Test("a method's own failure is shown completely")
    func ownFailure() async throws {
        try await withPlugins("CGood") { plugins async throws in
            let call = ["call", "CGoodLink", "fail", "--class-method", "--plugins", plugins.path]
            #expect(
                try await hslink(call)
                    == failed(
                        "Error: fail of CGoodLink in CGood: CGood fails because it was asked to (CGood 42): "
                            + "the cause of the failure",
                        #"details: {"reason": "asked to", "attempt": 3}"#))
            let json =
                #"{"returnValue":null,"performSuccess":false,"classIsLoad":true,"error":{"code":"methodFailed","#
                + #""message":"CGood fails because it was asked to","class":"CGoodLink","selector":"fail","#
                + #""component":"CGood","domain":"CGood","number":42,"details":{"reason":"asked to","attempt":3},"#
                + #""cause":{"code":"methodFailed","message":"the cause of the failure","class":null,"selector":null,"#
                + #""component":null}}}"#
            #expect(
                try await hslink(call + ["--json"])
                    == ProgramRun(standardOutput: json + "\n", standardError: "", status: 1))
        }
    }

    @Test("a returned object is reported with a hint on how to use it")
    func object() async throws {
        try await withPlugins("CGood") { plugins in
            let run = try await hslink("call", "CGoodLink", "makeCounter", "--plugins", plugins.path)
            #expect(
                run
                    == failed(
                        "Error: makeCounter of CGoodLink in CGood: performed, but the result cannot be printed as "
                            + "JSON: the payload: expected a value that JSON can hold, found object",
                        "Later calls in the same process can use the object; see SCRIPTS in 'hslink call --help'."))
        }
    }

    @Test("a call that returns a value without a JSON form is performed, but not printed")
    func notPrintable() async throws {
        try await withPlugins("UnknownTag") { plugins async throws in
            let call = ["call", "UnknownTagLink", "run", "--class-method", "--plugins", plugins.path]
            let message =
                "performed, but the result cannot be printed as JSON: strange: expected a value that JSON "
                + "can hold, found a value with unknown tag 99"
            #expect(try await hslink(call) == failed("Error: run of UnknownTagLink in UnknownTag: \(message)"))
            let json =
                #"{"returnValue":null,"performSuccess":true,"classIsLoad":true,"error":{"code":"notPrintable","#
                + #""message":"\#(message)","class":"UnknownTagLink","selector":"run","component":"UnknownTag"}}"#
            #expect(
                try await hslink(call + ["--json"])
                    == ProgramRun(standardOutput: json + "\n", standardError: "", status: 1))
        }
    }

    @Test(
        "similar names are suggested",
        arguments: [
            ("VersionedLnk", "version", "Error: version of VersionedLnk: no component has this class", "VersionedLink"),
            (
                "versionedLINK", "version",
                "Error: version of versionedLINK: no component has this class", "VersionedLink"
            ),
            ("Versioned", "version", "Error: version of Versioned: no component has this class", "VersionedLink"),
            (
                "VersionedLink", "verison",
                "Error: verison of VersionedLink in Versioned: the class has no such selector of this kind", "version"
            ),
        ])
    func similarName(className: String, selector: String, error: String, meant: String) async throws {
        try await withPlugins("VersionedNew") { plugins in
            let run = try await hslink("call", className, selector, "--class-method", "--plugins", plugins.path)
            #expect(run == failed(error, "Did you mean \(meant)?"))
        }
    }

    @Test("a method of the other kind is named")
    func otherKind() async throws {
        try await withPlugins("CGood") { plugins async throws in
            let missing = "the class has no such selector of this kind"
            #expect(
                try await hslink("call", "CGoodLink", "count", "--class-method", "--plugins", plugins.path)
                    == failed(
                        "Error: count of CGoodLink in CGood: \(missing)",
                        "It is an object method: leave out --class-method."))
        }
    }

    @Test("a class without similar names leads to the list")
    func nothingNear() async throws {
        try await withPlugins("CGood") { plugins async throws in
            #expect(
                try await hslink("call", "VideoLink", "probe", "--plugins", plugins.path)
                    == failed(
                        "Error: probe of VideoLink: no component has this class",
                        "'hslink list --all --plugins \(plugins.path)' shows the components; 'hslink inspect FILE' "
                            + "shows a component's classes."))
        }
        try await withPlugins { plugins async throws in
            let missing = plugins.file("none")
            #expect(
                try await hslink("call", "VideoLink", "probe", "--plugins", missing)
                    == failed(
                        "Warning: \(missing): the system could not find it: No such file or directory",
                        "Error: probe of VideoLink: no component has this class",
                        "No component was found; 'hslink list --all --plugins \(missing)' shows rejected files and "
                            + "directories."))
        }
        // More than one, quoted for a shell.
        let place = try TemporaryDirectory()
        let others = [try place.makeDirectory("a b"), try place.makeDirectory("it's")]
        let run = try await hslink("call", "VideoLink", "--plugins", others[0], "--plugins", others[1])
        #expect(
            run
                == failed(
                    "Error: VideoLink: no component has this class",
                    "No component was found; 'hslink list --all --plugins '\(place.path)/a b' --plugins "
                        + #"'\#(place.path)/it'\''s'' shows rejected files and directories."#))
    }

    @Test("a component of another compiler is called if that is allowed")
    func otherCompiler() async throws {
        try await withPlugins("OtherCompiler") { plugins async throws in
            let call = ["call", "OtherCompilerLink", "run", "--class-method", "--plugins", plugins.path]
            #expect(try await hslink(call).status == 1)
            #expect(try await hslink(call + ["--allow-other-compilers"]) == printed("true"))
        }
    }

    @Test("a method that does not return does not keep the program from ending")
    func stuck() async throws {
        try await withPlugins("RepliesLate") { plugins in
            let run = try await hslink(
                "call", "RepliesLateLink", "sleep", "seconds=10", "--class-method", "--deadline", "0.05", "--plugins",
                plugins.path)
            #expect(
                run == failed("Error: sleep of RepliesLateLink in RepliesLate: the deadline passed before the reply"))
        }
    }
}
