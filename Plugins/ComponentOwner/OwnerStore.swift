import ComponentKit
import ComponentOwnerContract
import GRDB
import NXStorage

/// The SQL statements of ComponentOwner. Failures of the database become ``OwnerError/storage(failure:message:)``. The
/// hub is notified of each change, in the order of the transactions.
struct OwnerStore: Sendable {
    private let storage: Storage
    private let hub: ChangeHub
    private let limits: GuestLimits
    private let now: @Sendable () -> Timestamp

    init(
        _ storage: Storage, _ hub: ChangeHub, limits: GuestLimits = GuestLimits(),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.storage = storage
        self.hub = hub
        self.limits = limits
        self.now = now
    }

    func counts(of owner: Owner) async throws -> (addresses: Int, companies: Int) {
        try await read { db in
            let sql = "SELECT count(*) FROM \(OwnerItem.address.table) WHERE owner = ?"
            let other = "SELECT count(*) FROM \(OwnerItem.company.table) WHERE owner = ?"
            return (
                try Int.fetchOne(db, sql: sql, arguments: [owner.key]) ?? 0,
                try Int.fetchOne(db, sql: other, arguments: [owner.key]) ?? 0
            )
        }
    }

    func addresses(of owner: Owner) async throws -> [Address] {
        try await read { db in try OwnerStore.rows(.address, of: owner, in: db).map(Address.init) }
    }

    func companies(of owner: Owner) async throws -> [Company] {
        try await read { db in try OwnerStore.rows(.company, of: owner, in: db).map(Company.init) }
    }

    func address(_ id: Int64, of owner: Owner) async throws -> Address {
        try await read { db in try Address(OwnerStore.row(.address, id, of: owner, in: db)) }
    }

    func company(_ id: Int64, of owner: Owner) async throws -> Company {
        try await read { db in try Company(OwnerStore.row(.company, id, of: owner, in: db)) }
    }

    /// - Returns: The address with its identifier.
    func add(_ address: Address, of owner: Owner) async throws -> Address {
        try await write { db in
            var address = address
            try GuestTable.checkRoom(for: owner, limits: limits, field: "label", in: db)
            try GuestTable.note(owner, at: now(), limits: limits, in: db)
            try db.execute(
                sql: "INSERT INTO address VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    owner.key, address.label, address.street, address.city, address.postalCode, address.country,
                    address.addedAt.milliseconds,
                ])
            address.id = db.lastInsertedRowID
            notify(OwnerChange(item: .address, action: .added, id: address.id), of: owner, after: db)
            return address
        }
    }

    /// - Returns: The company with its identifier.
    func add(_ company: Company, of owner: Owner) async throws -> Company {
        try await write { db in
            var company = company
            try GuestTable.checkRoom(for: owner, limits: limits, field: "name", in: db)
            try GuestTable.note(owner, at: now(), limits: limits, in: db)
            try db.execute(
                sql: "INSERT INTO company VALUES (NULL, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    owner.key, company.name, company.position, company.city, company.website,
                    company.addedAt.milliseconds,
                ])
            company.id = db.lastInsertedRowID
            notify(OwnerChange(item: .company, action: .added, id: company.id), of: owner, after: db)
            return company
        }
    }

    /// Writes all fields of an address, except when it was added.
    func change(_ address: Address, of owner: Owner) async throws {
        let sql = """
            UPDATE address SET label = ?, street = ?, city = ?, postalCode = ?, country = ? WHERE id = ? AND owner = ?
            """
        let values: StatementArguments = [
            address.label, address.street, address.city, address.postalCode, address.country, address.id, owner.key,
        ]
        try await change(.address, address.id, of: owner, sql: sql, values: values)
    }

    /// Writes all fields of a company, except when it was added.
    func change(_ company: Company, of owner: Owner) async throws {
        let sql = "UPDATE company SET name = ?, position = ?, city = ?, website = ? WHERE id = ? AND owner = ?"
        let values: StatementArguments = [
            company.name, company.position, company.city, company.website, company.id, owner.key,
        ]
        try await change(.company, company.id, of: owner, sql: sql, values: values)
    }

    private func change(
        _ item: OwnerItem, _ id: Int64, of owner: Owner, sql: String, values: StatementArguments
    ) async throws {
        try await write { db in
            try db.execute(sql: sql, arguments: values)
            guard db.changesCount == 1 else { throw OwnerError.notFound(item: item, id: id) }
            try GuestTable.note(owner, at: now(), limits: limits, in: db)
            notify(OwnerChange(item: item, action: .changed, id: id), of: owner, after: db)
        }
    }

    func delete(_ item: OwnerItem, _ id: Int64, of owner: Owner) async throws {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM \(item.table) WHERE id = ? AND owner = ?", arguments: [id, owner.key])
            guard db.changesCount == 1 else { throw OwnerError.notFound(item: item, id: id) }
            notify(OwnerChange(item: item, action: .deleted, id: id), of: owner, after: db)
        }
    }

    /// Moves what belongs to the guest of a session to the session that takes its place.
    func move(from former: Session, to next: Session) async throws {
        try await write { db in try GuestTable.move(from: former, to: next, in: db) }
    }

    private func notify(_ change: OwnerChange, of owner: Owner, after db: Database) {
        db.afterNextTransaction { [hub] _ in hub.send(change, of: owner.key) }
    }

    private static func rows(_ item: OwnerItem, of owner: Owner, in db: Database) throws -> [Row] {
        try Row.fetchAll(db, sql: "SELECT * FROM \(item.table) WHERE owner = ? ORDER BY id", arguments: [owner.key])
    }

    private static func row(_ item: OwnerItem, _ id: Int64, of owner: Owner, in db: Database) throws -> Row {
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM \(item.table) WHERE id = ? AND owner = ?", arguments: [id, owner.key])
        guard let row else { throw OwnerError.notFound(item: item, id: id) }
        return row
    }

    private func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await storage.read(body)
        } catch let error as StorageError {
            throw OwnerError(error)
        }
    }

    private func write<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await storage.write(body)
        } catch let error as StorageError {
            throw OwnerError(error)
        }
    }
}

extension OwnerItem {
    /// The name of the table of these items.
    fileprivate var table: String { rawValue }
}

extension OwnerError {
    fileprivate init(_ error: StorageError) {
        self = .storage(failure: StorageFailure(rawValue: error.kind.rawValue) ?? .other, message: error.message)
    }
}

extension Address {
    /// - Throws: An error if the row does not match the schema.
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.decode(Int64.self, forColumn: "id"), label: try row.decode(String.self, forColumn: "label"),
            street: try row.decode(String.self, forColumn: "street"),
            city: try row.decode(String.self, forColumn: "city"),
            postalCode: try row.decode(String?.self, forColumn: "postalCode"),
            country: try row.decode(String?.self, forColumn: "country"),
            addedAt: Timestamp(milliseconds: try row.decode(Int64.self, forColumn: "addedAt")))
    }
}

extension Company {
    /// - Throws: An error if the row does not match the schema.
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.decode(Int64.self, forColumn: "id"), name: try row.decode(String.self, forColumn: "name"),
            position: try row.decode(String?.self, forColumn: "position"),
            city: try row.decode(String?.self, forColumn: "city"),
            website: try row.decode(String?.self, forColumn: "website"),
            addedAt: Timestamp(milliseconds: try row.decode(Int64.self, forColumn: "addedAt")))
    }
}

/// The tables of `owner.sqlite` and their migrations. Times are milliseconds since 1970; `owner` is the identifier of
/// an account, "guest", or that of the guest of a session.
enum OwnerSchema {
    static var migrations: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 addresses and companies") { db in
            try db.execute(
                sql: """
                    CREATE TABLE address (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, label TEXT NOT NULL,
                        street TEXT NOT NULL, city TEXT NOT NULL, postalCode TEXT, country TEXT,
                        addedAt INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX addressOwner ON address (owner);
                    CREATE TABLE company (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, name TEXT NOT NULL,
                        position TEXT, city TEXT, website TEXT, addedAt INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX companyOwner ON company (owner);
                    """)
        }
        migrator.registerMigration("2 guests") { db in try GuestTable.create(db) }
        return migrator
    }
}
