import ComponentHost
import ComponentKit
import Testing

@Suite("SQLite")
struct SQLiteTests {
    private func open(_ host: LinkHost) async throws -> Payload {
        try await host.call("SQLite", "sqlite3_open", ["filename": ":memory:"]).value("ppDb")
    }

    private func run(_ host: LinkHost, _ database: Payload, _ sql: String) async throws {
        _ = try await host.call("SQLite", "sqlite3_exec", ["db": database, "sql": .string(sql)])
    }

    private func prepare(_ host: LinkHost, _ database: Payload, _ sql: String) async throws -> Payload {
        try await host.call("SQLite", "sqlite3_prepare_v2", ["db": database, "sql": .string(sql)]).value("ppStmt")
    }

    @Test("rows are passed to a closure")
    func rows() async throws {
        try await withLibraries("sqlite") { host async throws in
            let database = try await open(host)
            try await run(
                host, database, "create table t (a integer, b text); insert into t values (1, 'one'), (2, null)")
            let rows = Lock<[Payload]>([])
            let callback = host.link.closure { row in
                let copy = try row.copy()
                rows.withLock { $0.append(copy) }
                return 0
            }
            _ = try await host.call(
                "SQLite", "sqlite3_exec",
                ["db": database, "sql": "select a, b from t order by a", "callback": callback])
            let expected: [Payload] = [
                [2, ["1", "one"], ["a", "b"]],
                [2, ["2", nil], ["a", "b"]],
            ]
            #expect(rows.withLock { $0 } == expected)
        }
    }

    @Test("an error of a closure ends the query, and fails the call")
    func thrown() async throws {
        try await withLibraries("sqlite") { host async throws in
            let database = try await open(host)
            let calls = Lock(0)
            let callback = host.link.closure { _ -> Payload in
                calls.withLock { $0 += 1 }
                throw LinkError(domain: "test", number: 7, message: "enough")
            }
            let error = await failure {
                try await host.call(
                    "SQLite", "sqlite3_exec",
                    ["db": database, "sql": "select 1 union select 2", "callback": callback])
            }
            #expect(error?.message == "enough")
            #expect(error?.number == 7)
            #expect(calls.withLock { $0 } == 1)
            // The database still works.
            try await run(host, database, "create table t (a)")
        }
    }

    @Test("a statement is bound, stepped through and read")
    func statement() async throws {
        try await withLibraries("sqlite") { host async throws in
            let database = try await open(host)
            try await run(host, database, "create table t (a integer, b real, c text, d blob)")
            let insert = try await prepare(host, database, "insert into t values (?, ?, ?, ?)")
            _ = try await host.call(
                "SQLite", "sqlite3_bind_int64", ["stmt": insert, "index": 1, "value": -9_000_000_000])
            _ = try await host.call("SQLite", "sqlite3_bind_double", ["stmt": insert, "index": 2, "value": 0.1])
            _ = try await host.call("SQLite", "sqlite3_bind_text", ["stmt": insert, "index": 3, "text": "Grüße"])
            _ = try await host.call(
                "SQLite", "sqlite3_bind_blob", ["stmt": insert, "index": 4, "blob": .bytes([0, 1, 255])])
            #expect(try await host.call("SQLite", "sqlite3_step", ["stmt": insert]) == 101)
            #expect(try await host.call("SQLite", "sqlite3_changes", ["db": database]) == 1)
            let select = try await prepare(host, database, "select a, b, c, d from t; select 2")
            #expect(try await host.call("SQLite", "sqlite3_step", ["stmt": select]) == 100)
            #expect(try await host.call("SQLite", "sqlite3_column_count", ["stmt": select]) == 4)
            #expect(try await host.call("SQLite", "sqlite3_column_name", ["stmt": select, "n": 2]) == "c")
            #expect(
                try await host.call("SQLite", "sqlite3_column_int64", ["stmt": select, "iCol": 0]) == -9_000_000_000)
            #expect(try await host.call("SQLite", "sqlite3_column_double", ["stmt": select, "iCol": 1]) == 0.1)
            #expect(try await host.call("SQLite", "sqlite3_column_text", ["stmt": select, "iCol": 2]) == "Grüße")
            #expect(
                try await host.call("SQLite", "sqlite3_column_blob", ["stmt": select, "iCol": 3])
                    == .bytes([0, 1, 255]))
            #expect(try await host.call("SQLite", "sqlite3_finalize", ["stmt": select]) == 0)
            let tail = try await host.call(
                "SQLite", "sqlite3_prepare_v2", ["db": database, "sql": "select 1; select 2"])
            #expect(try tail.string("pzTail") == " select 2")
        }
    }

    @Test("errors have the library's own message")
    func errors() async throws {
        try await withLibraries("sqlite") { host async throws in
            let database = try await open(host)
            let syntax = await failure { try await prepare(host, database, "selekt 1") }
            #expect(syntax?.message == "near \"selekt\": syntax error")
            #expect(syntax?.domain == "sqlite")
            #expect(syntax?.number == 1)
            let open = await failure {
                try await host.call("SQLite", "sqlite3_open", ["filename": "/nowhere/at/all.sqlite"])
            }
            #expect(open?.message == "unable to open database file")
            #expect(open?.number == 14)
            let select = try await prepare(host, database, "select ?")
            let range = await failure {
                try await host.call("SQLite", "sqlite3_bind_int64", ["stmt": select, "index": 9, "value": 1])
            }
            #expect(range?.message == "column index out of range")
        }
    }

    @Test("a function of the database is a closure while the database is open")
    func function() async throws {
        try await withLibraries("sqlite") { host async throws in
            let database = try await open(host)
            let link = host.link
            let double = link.typedClosure { (context: Payload, _: Int, arguments: Payload) -> Payload in
                let value = try link.callAndWait("SQLite", "sqlite3_value_int64", ["value": arguments.value(0)])
                _ = try link.callAndWait(
                    "SQLite", "sqlite3_result_int64",
                    ["context": context, "value": .int(Int64(try value.int() * 2))])
                return .null
            }
            _ = try await host.call(
                "SQLite", "sqlite3_create_function_v2",
                ["db": database, "name": "twice", "nArg": 1, "function": double])
            let select = try await prepare(host, database, "select twice(column1) from (values (1), (21))")
            var results: [Payload] = []
            while try await host.call("SQLite", "sqlite3_step", ["stmt": select]) == 100 {
                results.append(try await host.call("SQLite", "sqlite3_column_int64", ["stmt": select, "iCol": 0]))
            }
            #expect(results == [2, 42])
        }
    }

    @Test("an error of a database function fails the step that called it")
    func throwingFunction() async throws {
        try await withLibraries("sqlite") { host async throws in
            let database = try await open(host)
            let function = host.link.closure { _ -> Payload in throw LinkError(domain: "test", number: 3, message: "no")
            }
            _ = try await host.call(
                "SQLite", "sqlite3_create_function_v2",
                ["db": database, "name": "refuse", "nArg": 0, "function": function])
            let select = try await prepare(host, database, "select refuse()")
            let error = await failure { try await host.call("SQLite", "sqlite3_step", ["stmt": select]) }
            #expect(error?.message == "no")
            #expect(error?.domain == "test")
        }
    }

    @Test("a database lives as long as its statements, and accepts no calls once closed")
    func order() async throws {
        try await withLibraries("sqlite") { host async throws in
            let database = try await open(host)
            let select = try await prepare(host, database, "select 1")
            let early = await failure { try await host.call("SQLite", "sqlite3_close_v2", ["db": database]) }
            #expect(
                early?.message == "the handle sqlite3 cannot be released while others need it (1); release those first")
            let again = try await host.call("SQLite", "sqlite3_db_handle", ["stmt": select])
            #expect(try await host.call("SQLite", "sqlite3_changes", ["db": again]) == 0)
            _ = try await host.call("SQLite", "sqlite3_finalize", ["stmt": select])
            let part = await failure { try await host.call("SQLite", "sqlite3_changes", ["db": again]) }
            #expect(part?.code == .payloadMismatch)
            let twice = await failure { try await host.call("SQLite", "sqlite3_finalize", ["stmt": select]) }
            #expect(twice?.message == "the handle sqlite3_stmt has been released")
            #expect(try await host.call("SQLite", "sqlite3_close_v2", ["db": database]) == 0)
            let late = await failure {
                try await run(host, database, "select 1")
                return .null
            }
            #expect(late?.message == "the handle sqlite3 has been released")
            let wrong = await failure { try await host.call("SQLite", "sqlite3_step", ["stmt": database]) }
            #expect(wrong?.message == "stmt: expected an object sqlite3_stmt, found an object sqlite3")
        }
    }
}
