import ComponentHost
import ComponentKit
import Testing

@Suite("C gets no more memory than there is, and no null unless allowed")
struct MemorySafetyTests {
    private func description(_ declarations: String, _ annotations: String) -> String {
        """
        {"name": "safety", "version": "1.0.0", "library": "./libPlainFunctions.so", "class": "Safety",
         "declarations": "\(declarations)", "annotations": \(annotations)}
        """
    }

    private static let sum = "int64_t plain_bytes_sum(const uint8_t *bytes, int64_t count);"
    private static let area = "int64_t plain_area(const uint8_t *bytes, uint64_t rows, uint64_t columns);"
    private static let named = "struct plain_named { const char *name; int32_t number; };"
    private static let nameLength = named + " int64_t plain_name_length(const struct plain_named *named);"

    struct Refused: Sendable {
        let declarations: String
        let annotations: String
        let payload: Payload
        let message: String

        init(_ declarations: String, _ annotations: String, _ payload: Payload, _ message: String) {
            self.declarations = declarations
            self.annotations = annotations
            self.payload = payload
            self.message = message
        }
    }

    private static let misfits: [Refused] = [
        Refused(
            sum, #"{"plain_bytes_sum": {"bytes": "bytes[count]", "count": "= 4096000"}}"#,
            ["bytes": .bytes([1, 2, 3])], "bytes: expected at least 4096000 bytes, found 3"
        ),
        Refused(
            sum, #"{"plain_bytes_sum": {"bytes": "bytes[count + 9]"}}"#,
            ["bytes": .bytes([1, 2, 3]), "count": -8],
            "bytes: expected \"count\" to be at least 0, as part of a length, found -8"
        ),
        Refused(
            area, #"{"plain_area": {"bytes": "bytes[rows * columns]"}}"#,
            ["bytes": .bytes([1, 2, 3, 4]), "rows": .uint(.max), "columns": .uint(.max - 3)],
            "bytes: expected a length of at most 1073741824 bytes, found one that cannot be computed"
        ),
        Refused(
            area, #"{"plain_area": {"bytes": "bytes[(rows - 2) * (columns - 2)]"}}"#,
            ["bytes": .bytes([1, 2, 3, 4]), "rows": 0, "columns": 0],
            "bytes: expected a length of at most 1073741824 bytes, found one that cannot be computed"
        ),
        Refused(
            "void plain_count_up(int8_t *values, uint32_t count);",
            #"{"plain_count_up": {"values": "out items[count]"}}"#, ["count": 1_000_000_000],
            "values: expected a length of at most 4194304 items, found 1000000000"
        ),
        Refused(nameLength, "{}", ["named": ["number": 1]], "named.name: expected string, found nothing"),
        Refused(
            nameLength, "{}", ["named": ["name": nil, "number": 1]], "named.name: expected string, found null"
        ),
        Refused(nameLength, "{}", ["named": [:]], "named.name: expected string, found nothing"),
        Refused(
            named + " int64_t plain_first_name(const struct plain_named *named, size_t count);",
            #"{"plain_first_name": {"named": "items[count]"}}"#, ["named": [["number": 1]]],
            "named[0].name: expected string, found nothing"
        ),
        Refused(
            "size_t plain_total(const char *const *texts, size_t count);",
            #"{"plain_total": {"texts": "items[count]"}}"#, ["texts": ["a", nil]],
            "texts[1]: expected string, found null"
        ),
        Refused(
            "int64_t plain_text_length(char *text, ...);",
            #"{"plain_text_length": {"text": "string", "...": "(char *)"}}"#,
            ["text": "a", "...": [nil]], "\"...\"[0]: expected string, found null"
        ),
        Refused(
            "int64_t plain_text_length(char *text);", #"{"plain_text_length": {"text": "inout string[3]"}}"#,
            ["text": "a\0b"], "text: expected a string without NUL characters, found one with a NUL"
        ),
    ]

    @Test("a value that does not fit is refused before C sees it", arguments: misfits)
    func refused(misfit: Refused) async throws {
        try await withDescription(description(misfit.declarations, misfit.annotations)) { host async throws in
            let selector = try #require(
                host.catalog.entry(ofClass: "Safety")?.manifest.classes.first?.selectors.last?.name)
            let error = await failure { try await host.call("Safety", selector, misfit.payload) }
            #expect(error?.message == misfit.message)
            #expect(error?.code == .payloadMismatch)
        }
    }

    @Test("a constant may point past the end of a buffer made for the call")
    func ends() async throws {
        let text = description(
            "int64_t plain_room(uint8_t *begin, const uint8_t *end);",
            #"{"plain_room": {"begin": "out bytes[16]", "end": "= begin + 16"}}"#)
        try await withDescription(text) { host async throws in
            #expect(
                try await host.call("Safety", "plain_room")
                    == ["begin": .bytes(Array(repeating: 7, count: 16)), "return": 16])
        }
    }

    @Test("a constant length that matches the data is accepted")
    func constant() async throws {
        let text = description(
            MemorySafetyTests.sum, #"{"plain_bytes_sum": {"bytes": "bytes[count]", "count": "= 2"}}"#)
        try await withDescription(text) { host async throws in
            #expect(try await host.call("Safety", "plain_bytes_sum", ["bytes": .bytes([1, 2, 3])]) == 3)
        }
    }

    @Test("a nullable field may be omitted")
    func nullable() async throws {
        let text = description(
            MemorySafetyTests.named + " int64_t plain_value(const struct plain_named *box);",
            #"{"plain_value": {"box.name": "nullable"}}"#)
        try await withDescription(text) { host async throws in
            // The function reads the bytes of the pointer.
            #expect(try await host.call("Safety", "plain_value", ["box": ["number": 1]]) == 0)
            #expect(try await host.call("Safety", "plain_value", ["box": ["name": nil]]) == 0)
        }
    }

    @Test("an overlapping pointer is not returned")
    func unions() async throws {
        let text = description(
            "struct plain_item { int32_t kind; union { const char *text; int64_t number; }; }; void plain_get_item(struct plain_item *item);",
            #"{"plain_get_item": {"item": "out"}}"#)
        try await withDescription(text) { host async throws in
            #expect(
                try await host.call("Safety", "plain_get_item") == ["item": ["kind": 1, "number": 5]])
        }
    }

    @Test("items and values are freed like text")
    func givenBack() async throws {
        let text = description(
            "int32_t *plain_numbers(int32_t count); int32_t *one(int32_t count) __asm__(\\\"plain_numbers\\\"); void plain_give_back(void *memory); int32_t plain_given_back(void);",
            #"{"plain_numbers": {"return": "items[count] free(plain_give_back)"}, "one": {"return": "value free(plain_give_back)"}}"#
        )
        try await withDescription(text) { host async throws in
            let before = try await host.call("Safety", "plain_given_back").int()
            #expect(try await host.call("Safety", "plain_numbers", ["count": 3]) == [0, 1, 2])
            #expect(try await host.call("Safety", "one", ["count": 3]) == 0)
            #expect(try await host.call("Safety", "plain_given_back").int() == before + 2)
        }
    }

    @Test("a function whose result could not be freed is not called")
    func missingRelease() async throws {
        let text = description(
            "int32_t *plain_numbers(int32_t count); void plain_not_there(void *memory);",
            #"{"plain_numbers": {"return": "items[count] free(plain_not_there)"}}"#)
        try await withDescription(text) { host async throws in
            let error = await failure { try await host.call("Safety", "plain_numbers", ["count": 3]) }
            #expect(error?.code == .selectorNotFound)
            #expect(error?.message.contains("plain_not_there") == true)
        }
    }

    @Test("one function with a bad annotation does not affect others")
    func badAnnotation() async throws {
        let text = description(
            "int32_t plain_released(void); int8_t plain_int8(int8_t value);", #"{"plain_int8": {"value": "bogus["}}"#)
        try await withDescription(text) { host async throws in
            #expect(try await host.call("Safety", "plain_released").int() >= 0)
            let error = await failure { try await host.call("Safety", "plain_int8", ["value": 1]) }
            #expect(error?.code == .selectorNotFound)
        }
    }
}
