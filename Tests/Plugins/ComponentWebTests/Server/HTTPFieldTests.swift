import HTTPTypes
import Testing

@testable import ComponentWeb

@Suite("Headers of requests for files and of what is accepted")
struct HTTPFieldTests {
    @Test(
        "times are written in one form",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
        ])
    func dates(seconds: Int, text: String) {
        #expect(HTTPDate.text(seconds) == text)
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(
        "times are read in three forms",
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 32 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil), ("", nil), ("0", nil),
            ("Sun, 06 nov 1994 08:49:37 GMT", nil), ("Sun, +6 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Int?)])
    func forms(text: String, seconds: Int?) { #expect(HTTPDate.seconds(text) == seconds) }

    @Test(
        "entity tags are compared in two ways",
        arguments: [
            (#""a""#, true, true), (#"W/"a""#, true, false), (#""b", "a""#, true, true), ("*", true, true),
            (#""b",W/"a","#, true, false), (#""b""#, false, false), ("a", false, false), ("", false, false),
            (#""a"#, false, false), (#""b"a, "a""#, false, false), (#"w/"a""#, false, false), (#""a,b""#, false, false),
            (#"*, "b""#, false, false),
        ])
    func tags(header: String, isWeakly: Bool, isStrongly: Bool) {
        #expect(EntityTags(header).matchWeakly("a") == isWeakly)
        #expect(EntityTags(header).matchStrongly("a") == isStrongly)
    }

    @Test(
        "JSON is answered to who prefers it to a page",
        arguments: [
            ("application/json", true), ("text/html", false), ("*/*", false), ("", false),
            ("application/json, text/html;q=0.9", true), ("text/html, application/json;q=0.9", false),
            ("APPLICATION/JSON", true), ("application/*", true), ("application/json;q=0", false),
            ("application/jsonp", false), ("*/*;q=0.1, application/json", true), ("text/html;q=0, */*", true),
            ("application/json;q=x", false), ("application/json;q=1e400", false), ("application/json;q=nan", false),
        ])
    func accepted(value: String, prefersJSON: Bool) {
        #expect(MediaRanges([.accept: value]).preferJSON == prefersJSON)
    }

    @Test(
        "a media type is compared without its parameters",
        arguments: [
            ("application/json", true), ("Application/JSON ; charset=utf-8", true), ("application/json5", false),
            ("application/jso", false), ("text/json", false), ("", false), ("application/json, text/html", false),
        ])
    func types(value: String, isJSON: Bool) {
        #expect(HTTPFields([HTTPField(name: .contentType, value: value)]).hasMediaType("application/json") == isJSON)
    }
}
