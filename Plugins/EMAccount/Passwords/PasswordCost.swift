/// What deriving a hash from a password costs (scrypt, RFC 7914).
struct PasswordCost: Hashable, Sendable {
    /// N: a power of two.
    let rounds: Int
    /// r.
    let blockSize: Int
    /// p.
    let parallelism: Int

    /// One of those that OWASP's Password Storage Cheat Sheet names as equally strong. Of them it takes 32 MiB, so that
    /// several sign-ins at a time fit into a small machine.
    static let standard = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 3)

    private init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// A cost that comes from a file.
    ///
    /// - Returns: nil for what scrypt does not allow, or what takes more than 1 GiB or about a minute.
    init?(checking rounds: Int, _ blockSize: Int, _ parallelism: Int) {
        guard (2...1 << 20).contains(rounds), rounds.nonzeroBitCount == 1, (1...32).contains(blockSize),
            (1...16).contains(parallelism), 128 * rounds * blockSize <= 1 << 30
        else { return nil }
        self.init(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    }

    /// From the three numbers with spaces between them, as the table of settings has them.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Int($0) }
        guard numbers.count == 3, let rounds = numbers[0], let blockSize = numbers[1], let parallelism = numbers[2]
        else { return nil }
        self.init(checking: rounds, blockSize, parallelism)
    }

    /// To compare costs by.
    var work: Int { rounds * blockSize * parallelism }
}
