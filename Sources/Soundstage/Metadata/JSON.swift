import Foundation

/// Any JSON value.
package enum JSON: Decodable {
    case null, bool(Bool), number(Double), text(String), list([JSON]), object([String: JSON])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    /// Where the text stops being JSON, by line and column.
    package static func fault(in bytes: [UInt8]) -> String {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(bytes))
            return "it is nested too deeply or not UTF-8"
        } catch {
            let text = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "unexpected end or character"
            // Foundation says "… around character 12."
            guard let around = text.range(of: " around character "),
                let offset = Int(text[around.upperBound...].prefix { $0.isNumber }), offset <= bytes.count
            else { return text }
            let lines = bytes[..<offset].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            return "\(text[..<around.lowerBound]) at line \(lines.count), column \((lines.last?.count ?? 0) + 1)"
        }
    }
}
