import GRDB

/// The tables of `accounts.sqlite`, and how they came to be. Times are milliseconds since 1970.
enum AccountSchema {
    static var migrations: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE account (
                        id TEXT NOT NULL PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
                        createdAt INTEGER NOT NULL, salt BLOB NOT NULL, hash BLOB NOT NULL,
                        rounds INTEGER NOT NULL, blockSize INTEGER NOT NULL, parallelism INTEGER NOT NULL
                    ) STRICT;
                    -- Who is signed in: one row or none.
                    CREATE TABLE session (
                        slot INTEGER NOT NULL PRIMARY KEY CHECK (slot = 1),
                        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE
                    ) STRICT;
                    -- Under a digest of the name: people type passwords where names belong.
                    CREATE TABLE attempt (
                        digest BLOB NOT NULL PRIMARY KEY, failures INTEGER NOT NULL, failedAt INTEGER NOT NULL
                    ) STRICT;
                    -- 'scrypt': the cost of new hashes as 'N r p', in place of the standard; 'secret': of the digests.
                    CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
                    INSERT INTO setting VALUES ('secret', hex(randomblob(32)));
                    """)
        }
        migrator.registerMigration("2 costs in use") { db in
            try db.execute(sql: "CREATE INDEX accountCost ON account (rounds, blockSize, parallelism)")
        }
        return migrator
    }
}
