#if CommandLine || Configuration
    import CHSLink
    import ComponentCatalog
    import ComponentKit
    import Glibc
    import SystemSupport

    extension ConfigurationOrigin {
        /// The size of the largest file that is read, far beyond any real one.
        private static let maximumSize = 1 << 20
        /// A directory with more files, or larger ones, is not meant for secrets.
        static let maximumSecrets = 4096
        static let maximumSecretsSize = 64 << 20

        /// Reads a file in JSON or YAML.
        ///
        /// - Throws: `LinkError` in the domain `hslink.configuration` with the file, and why it cannot be used.
        init(file path: String, isSecret: Bool, _ policy: TrustPolicy) throws(LinkError) {
            let bytes: [UInt8]
            do throws(ComponentFileError) {
                bytes = try ConfigurationOrigin.read(path, policy)
            } catch {
                throw ConfigurationOrigin.failure(path, error.message)
            }
            let tree: ConfigurationTree
            do throws(ConfigurationTree.Refusal) {
                let isYAML = path.hasExactSuffix(".yaml") || path.hasExactSuffix(".yml")
                tree = isYAML ? try ConfigurationTree(yaml: bytes) : try ConfigurationTree(json: bytes)
            } catch {
                let isNamed = [".yaml", ".yml", ".json"].contains { path.hasExactSuffix($0) }
                let advice = isNamed ? "" : " (it is read as JSON, since its name does not end in .yaml or .yml)"
                throw ConfigurationOrigin.failure(path, error.reason + advice)
            }
            self.init(
                name: path, isSecret: isSecret, keys: tree.keys, revision: String(decoding: bytes, as: UTF8.self)
            ) { (key, type) throws(Mismatch) in try tree.find(key, type, in: path) }
        }

        /// Reads a file of secrets, or a directory with a file for each. A file in a directory that cannot be used, such
        /// as a pipe, a link that leads nowhere, or the folder that Docker makes in the place of a missing file, counts
        /// only for a component that asks for its key, since it may belong to another program.
        ///
        /// - Throws: `LinkError` in the domain `hslink.configuration` with the file, and why it cannot be used.
        init(secretsAt path: String, _ policy: TrustPolicy) throws(LinkError) {
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                try self.init(file: path, isSecret: true, policy)
                return
            }
            var texts: [ConfigurationKey: String] = [:]
            var failures: [ConfigurationKey: String] = [:]
            var size = 0
            var excess: String?
            do throws(DirectoryEntries.Failure) {
                let entries = try DirectoryEntries(path)
                for entry in entries {
                    let name = entry.name
                    let file = "\(path)/\(name)"
                    // Kubernetes keeps the files themselves in hidden directories.
                    guard entry.isText, !name.hasExactPrefix("."), name.hasASCII(".") else { continue }
                    guard texts.count + failures.count < ConfigurationOrigin.maximumSecrets else {
                        excess = "\(ConfigurationOrigin.maximumSecrets) files of secrets"
                        break
                    }
                    do throws(ComponentFileError) {
                        let text = try ConfigurationOrigin.secret(file, policy)
                        size += text.utf8.count
                        guard size <= ConfigurationOrigin.maximumSecretsSize else {
                            excess = "\(ConfigurationOrigin.maximumSecretsSize >> 20) MB of secrets"
                            break
                        }
                        texts[ConfigurationKey(text: name)] = text
                    } catch {
                        failures[ConfigurationKey(text: name)] = error.message
                    }
                }
                try entries.checkComplete()
            } catch {
                throw ConfigurationOrigin.failure(path, systemMessage(error.number))
            }
            if let excess {
                throw ConfigurationOrigin.failure(path, "it has more than \(excess); give a directory with fewer")
            }
            self.init(texts: texts, failures: failures, name: path, isSecret: true) { "\(path)/\($0.text)" }
        }

        /// Reads the file of one secret.
        private static func secret(_ file: String, _ policy: TrustPolicy) throws(ComponentFileError) -> String {
            var bytes = try read(file, policy)
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ComponentFileError(.notReadable, "it is not UTF-8")
            }
            return text
        }

        private static func read(_ path: String, _ policy: TrustPolicy) throws(ComponentFileError) -> [UInt8] {
            // It may be replaced meanwhile.
            for _ in 0..<3 { if let bytes = try readOnce(path, policy) { return bytes } }
            throw ComponentFileError(.notReadable, "it changed while it was read")
        }

        /// - Returns: Nil if the file has changed meanwhile.
        private static func readOnce(_ path: String, _ policy: TrustPolicy) throws(ComponentFileError) -> [UInt8]? {
            var checker = TrustChecker(policy: policy)
            let target = try TrustChecker.canonicalPath(path)
            let file = try checker.openFile(path: target, as: .configuration)
            // A link to a file elsewhere is common for configurations, but who can change it decides what is read.
            guard case .file(let followed) = try checker.follow(AbsolutePath.of(path)), followed.isExactly(target)
            else {
                throw ComponentFileError(.notReadable, "a link on its path has just changed")
            }
            guard file.identity.size <= maximumSize else {
                throw ComponentFileError(.notReadable, "it is larger than the limit of \(maximumSize >> 20) MB")
            }
            let bytes = try file.contents()
            return file.isUnchanged ? bytes : nil
        }

        private static func failure(_ path: String, _ reason: String) -> LinkError {
            LinkError(
                configuration: HSLINK_CONFIGURATION_SOURCE, "the configuration \(path.escaped): \(reason.escaped)")
        }
    }
#endif
