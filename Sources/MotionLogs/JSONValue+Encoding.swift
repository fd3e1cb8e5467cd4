import Foundation
import Gate

extension JSONValue {
    /// Encodes a value. Each number is the shortest decimal that is read back to the same number.
    init(encoding value: some Encodable) throws {
        self = try JSONValue(JSONEncoder().encode(value), within: .message)
    }
}
