import CLilv
import CPlugins

/// Value of a property as an atom of the property's type.
struct LV2PropertyValue {
    /// Type and body of the atom.
    let type: UInt32
    let body: [UInt8]

    /// Converts a value for a property of type `range` (a URI, or empty if unstated). Returns nil if the value does not
    /// fit the type.
    init?(_ value: PropertyValue, range: String, _ uris: Vocabulary) {
        switch value {
        case .number(let number):
            switch range {
            case URIs.atom + "Int": self.init(uris.int, Int32(exactly: number))
            case URIs.atom + "Long": self.init(uris.long, Int64(exactly: number))
            case URIs.atom + "Bool": self.init(uris.bool, number == 0 || number == 1 ? Int32(number) : nil)
            case URIs.atom + "Double": self.init(uris.double, number)
            case URIs.atom + "Float", "": self.init(uris.float, Float(number))
            default: return nil
            }
        case .text(let text):
            switch range {
            case URIs.atom + "String", "": self.init(uris.string, text: text)
            case URIs.atom + "URI": self.init(uris.uri, text: text)
            case URIs.atom + "URID": self.init(uris.urid, URIDMap.shared(text))
            default: return nil
            }
        case .path(let path):
            guard range == URIs.atom + "Path" || range.isEmpty, path.hasPrefix("/") else { return nil }
            self.init(uris.path, text: path)
        }
    }

    private init(_ type: UInt32, text: String) {
        self.type = type
        body = Array(text.utf8) + [0]
    }

    private init?<Number: BitwiseCopyable>(_ type: UInt32, _ number: Number?) {
        guard let number else { return nil }
        self.type = type
        body = withUnsafeBytes(of: number) { Array($0) }
    }
}
