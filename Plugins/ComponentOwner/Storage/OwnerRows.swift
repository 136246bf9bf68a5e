import ComponentKit
import ComponentOwnerContract
import GRDB
import NXStorage

extension Address {
    /// - Throws: when the row is not what the schema says.
    init(_ row: Row) throws {
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
    /// - Throws: when the row is not what the schema says.
    init(_ row: Row) throws {
        self.init(
            id: try row.decode(Int64.self, forColumn: "id"), name: try row.decode(String.self, forColumn: "name"),
            position: try row.decode(String?.self, forColumn: "position"),
            city: try row.decode(String?.self, forColumn: "city"),
            website: try row.decode(String?.self, forColumn: "website"),
            addedAt: Timestamp(milliseconds: try row.decode(Int64.self, forColumn: "addedAt")))
    }
}
