import CExpat

/// Reads the `axml` chunk (ITU-R BS.2076) by expat; what is kept of it is a `ModelDocument`.
///
/// Nothing outside the chunk is ever opened, and there are no entities but XML's own five: a document type ends the
/// reading before it can define any. UTF-8, UTF-16 and what else expat reads. One thread; 25 to 65 MB a second.
final class ModelReader {
    private let parser: XML_Parser
    private var builder = ModelBuilder()
    private var failure: ADMError?

    private init(_ parser: XML_Parser) { self.parser = parser }

    /// Reads a document whole.
    ///
    /// - Parameter bytes: up to `AudioModel.largestDocument`.
    /// - Throws: `notXML`, `documentType`, `tooDeep`, `tooMany`.
    static func read(_ bytes: [UInt8]) throws(ADMError) -> ModelDocument {
        guard let parser = XML_ParserCreate(nil) else { throw .notXML(line: 0, reason: "out of memory") }
        defer { XML_ParserFree(parser) }
        let reader = ModelReader(parser)
        XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
        XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in ModelReader.behind(user).stop(.documentType) }
        XML_SetElementHandler(
            parser, { ModelReader.behind($0).begin($1, $2) }, { user, _ in ModelReader.behind(user).end() })
        XML_SetCharacterDataHandler(parser) { user, characters, count in
            guard let characters else { return }
            ModelReader.behind(user).builder.add(UnsafeBufferPointer(start: characters, count: Int(count)))
        }
        // Expat holds the reader by its address alone.
        try withExtendedLifetime(reader) { () throws(ADMError) in try reader.feed(bytes, Self.length(bytes)) }
        return reader.builder.document
    }

    /// Bytes of text: writers leave room behind it, filled with zeros.
    private static func length(_ bytes: [UInt8]) -> Int {
        let length = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
        // The last character's second byte may be a zero.
        let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        return isWide ? min(bytes.count, length + (length & 1)) : length
    }

    private func feed(_ bytes: [UInt8], _ length: Int) throws(ADMError) {
        // All at once: expat neither copies it nor reads anything twice.
        let status = bytes.withUnsafeBytes { raw in
            XML_Parse(parser, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(length), 1)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown"
            throw .notXML(line: Int(XML_GetCurrentLineNumber(parser)), reason: reason)
        }
    }

    private static func behind(_ user: UnsafeMutableRawPointer?) -> ModelReader {
        Unmanaged<ModelReader>.fromOpaque(user!).takeUnretainedValue()
    }

    /// Expat may call on for what it has read already.
    private func stop(_ error: ADMError) {
        failure = failure ?? error
        XML_StopParser(parser, 0)
    }

    private func begin(_ name: UnsafePointer<CChar>?, _ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard failure == nil, let name else { return }
        do throws(ADMError) {
            try builder.begin {
                var attributes: [String: String] = [:]
                var pair = pairs
                while let at = pair, let key = at[0], let value = at[1] {
                    attributes[Self.local(key)] = String(cString: value)
                    pair = at + 2
                }
                return (Self.local(name), attributes)
            }
        } catch {
            stop(error)
        }
    }

    private func end() {
        guard failure == nil else { return }
        do throws(ADMError) { try builder.end() } catch { stop(error) }
    }

    /// A name without its prefix: models lie within other documents, with a prefix of their own or without.
    private static func local(_ name: UnsafePointer<CChar>) -> String {
        let whole = String(cString: name)
        return whole.lastIndex(of: ":").map { String(whole[whole.index(after: $0)...]) } ?? whole
    }
}
