#if CommandLine || Configuration
    import CHSLink
    import ComponentKit
    import Configuration
    import Glibc
    import SystemSupport

    extension ConfigurationOrigin {
        /// The size of the largest file that is read, far beyond any real one.
        private static let maximumSize = 1 << 20

        /// Reads a file in JSON or YAML.
        ///
        /// - Throws: `LinkError` in the domain `hslink.configuration` with the file, and why it cannot be used.
        init(file path: String, isSecret: Bool, _ policy: TrustPolicy) throws(LinkError) {
            let bytes = try ConfigurationOrigin.read(path, policy)
            let keys = Lock<[String]>([])
            let isYAML = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
            guard !isYAML || ConfigurationOrigin.hasContent(bytes) else {
                self.init(name: path, isSecret: isSecret, keys: [], revision: "") { (_, _) throws(Mismatch) in nil }
                return
            }
            let snapshot: any ConfigSnapshot
            do {
                if isYAML {
                    // The specifier is asked for each key in the file.
                    let specifier = SecretsSpecifier<String, Void>.dynamic { key, _ in
                        keys.withLock { $0.append(key) }
                        return isSecret
                    }
                    snapshot = try bytes.withBytes {
                        try YAMLSnapshot(
                            data: $0, providerName: path, parsingOptions: .init(secretsSpecifier: specifier))
                    }
                } else {
                    // Its errors name the line and the column, and it refuses a key that is there twice.
                    _ = try Payload(json: bytes)
                    let specifier = SecretsSpecifier<String, any Sendable>.dynamic { key, _ in
                        keys.withLock { $0.append(key) }
                        return isSecret
                    }
                    snapshot = try bytes.withBytes {
                        try JSONSnapshot(
                            data: $0, providerName: path, parsingOptions: .init(secretsSpecifier: specifier))
                    }
                }
            } catch {
                // After its first line, Yams shows the line with the problem, which may have a secret.
                throw ConfigurationOrigin.failure(path, String("\(error)".prefix { !$0.isNewline }))
            }
            self.init(
                name: path, isSecret: isSecret, keys: keys.withLock { $0.sorted() },
                revision: String(decoding: bytes, as: UTF8.self)
            ) { (key, type) throws(Mismatch) in
                if isYAML, ConfigurationOrigin.isNull(key, type, in: snapshot) { return nil }
                return try ConfigurationOrigin.value(key, type, place: path, snapshot.value)
            }
        }

        /// Whether a YAML file has more than comments.
        private static func hasContent(_ bytes: [UInt8]) -> Bool {
            String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
                let text = line.drop { $0 == " " || $0 == "\t" }
                return !text.isEmpty && !text.hasPrefix("#") && text != "---"
            }
        }

        /// Whether a YAML file says that a key has no value. The snapshot does not tell a null from a text that looks
        /// like one.
        private static func isNull(_ key: [String], _ type: ConfigurationType, in snapshot: any ConfigSnapshot) -> Bool
        {
            guard let result = try? snapshot.value(forKey: AbsoluteConfigKey(key), type: .string),
                case .string(let text)? = result.value?.content
            else { return false }
            return ["~", "null", "Null", "NULL"].contains(text) || (text.isEmpty && type != .scalar(.string))
        }

        /// Reads a file of secrets, or a directory with a file for each.
        ///
        /// - Throws: `LinkError` in the domain `hslink.configuration` with the file, and why it cannot be used.
        init(secretsAt path: String, _ policy: TrustPolicy) throws(LinkError) {
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                try self.init(file: path, isSecret: true, policy)
                return
            }
            guard let stream = unsafe opendir(path) else {
                throw ConfigurationOrigin.failure(path, systemMessage(errno))
            }
            defer { unsafe closedir(stream) }
            var texts: [String: String] = [:]
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                let file = "\(path)/\(name)"
                // Kubernetes keeps the files themselves in hidden directories.
                guard !name.hasPrefix("."), name.contains("."), unsafe stat(file, &status) == 0,
                    status.st_mode & S_IFMT == S_IFREG
                else { continue }
                var bytes = try ConfigurationOrigin.read(file, policy)
                if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
                if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw ConfigurationOrigin.failure(file, "it is not UTF-8")
                }
                texts[name] = text
            }
            self.init(texts: texts, name: path, isSecret: true) { "\(path)/\($0)" }
        }

        private static func read(_ path: String, _ policy: TrustPolicy) throws(LinkError) -> [UInt8] {
            do throws(ComponentFileError) {
                var checker = TrustChecker(policy: policy)
                // A link to a file elsewhere is common for configurations; what counts is who can change that file.
                let file = try checker.openFile(path: TrustChecker.canonicalPath(path), as: .configuration)
                guard file.identity.size <= maximumSize else {
                    throw ComponentFileError(
                        code: .notReadable, message: "it is larger than the limit of \(maximumSize >> 20) MB")
                }
                var buffer = FileBuffer(capacity: max(Int(file.identity.size), 1))
                try buffer.fill(Int(file.identity.size), at: 0, from: file.descriptor)
                return unsafe [UInt8](buffer.bytes)
            } catch {
                throw failure(path, error.message)
            }
        }

        private static func failure(_ path: String, _ reason: String) -> LinkError {
            LinkError(
                configuration: HSLINK_CONFIGURATION_SOURCE, "the configuration \(path.escaped): \(reason.escaped)")
        }
    }

    extension [UInt8] {
        fileprivate func withBytes<Value>(_ body: (RawSpan) throws -> Value) throws -> Value {
            try unsafe body(span.bytes)
        }
    }
#endif
