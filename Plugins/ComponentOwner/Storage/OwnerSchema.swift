import GRDB

/// The tables of `owner.sqlite`, and how they came to be. Times are milliseconds since 1970; `owner` is the identifier
/// of an account, or "guest".
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
        return migrator
    }
}
