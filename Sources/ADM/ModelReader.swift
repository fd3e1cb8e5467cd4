import CExpat

/// Reader of the `axml` chunk (ITU-R BS.2076) with expat; its result is a `ModelDocument`.
///
/// It opens no file, and supports only XML's five predefined entities. A document type declaration, which could define
/// others, is an error. The text may be in UTF-8, UTF-16 or another encoding of expat. It reads 25 to 65 MB/s on the
/// calling thread.
final class ModelReader {
    private let parser: XML_Parser
    private var builder = ModelBuilder()
    private var failure: ADMError?

    private init(_ parser: XML_Parser) { self.parser = parser }

    /// Reads a whole document.
    ///
    /// - Parameter bytes: content of the chunk, up to `AudioModel.largestDocument`.
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
        // Expat holds only the address of the reader, so this function must keep the reader alive.
        try withExtendedLifetime(reader) { () throws(ADMError) in try reader.feed(bytes, Self.length(bytes)) }
        return reader.builder.document
    }

    /// Returns the length of the text in bytes, without the zeros that some writers add as a reserve.
    private static func length(_ bytes: [UInt8]) -> Int {
        let length = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
        // In UTF-16 the second byte of the last character may be zero, and belongs to the text.
        let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        return isWide ? min(bytes.count, length + (length & 1)) : length
    }

    private func feed(_ bytes: [UInt8], _ length: Int) throws(ADMError) {
        // One call passes all bytes, so that expat copies no data and reads none twice.
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

    /// Keeps the first error and stops expat. Elements that expat has already parsed and still reports are ignored.
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

    /// Returns a name without its namespace prefix. A model within another document may use such a prefix.
    private static func local(_ name: UnsafePointer<CChar>) -> String {
        let whole = String(cString: name)
        return whole.lastIndex(of: ":").map { String(whole[whole.index(after: $0)...]) } ?? whole
    }
}
