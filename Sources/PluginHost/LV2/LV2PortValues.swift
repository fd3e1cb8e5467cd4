import CLilv
import CPlugins

/// Values of control inputs by symbol, which lilv saves into a state or restores from one.
final class LV2PortValues {
    /// Indices of the values in `floats`, by the symbols of their controls.
    private let symbols: [String: Int]
    private let floats: UnsafeMutablePointer<Float>
    private let type = URIDMap.shared(URIs.atom + "Float")
    /// Values that were read from a state.
    private(set) var taken: [(symbol: String, value: Float)] = []

    /// Creates the values that lilv reads.
    init(symbols: [String: Int] = [:], values: [Float] = []) {
        self.symbols = symbols
        floats = .allocate(capacity: max(1, values.count))
        for (i, value) in values.enumerated() { floats[i] = value }
    }

    deinit { floats.deallocate() }

    /// lilv's callback that reads a value; its context is this object.
    static var get: LilvGetPortValueFunc {
        { symbol, context, size, type in
            guard let symbol, let context, let size, let type else { return nil }
            let values = Unmanaged<LV2PortValues>.fromOpaque(context).takeUnretainedValue()
            guard let index = values.symbols[String(cString: symbol)] else {
                (size.pointee, type.pointee) = (0, 0)
                return nil
            }
            (size.pointee, type.pointee) = (4, values.type)
            return UnsafeRawPointer(values.floats + index)
        }
    }

    /// lilv's callback that delivers a value of a state; its context is this object.
    static var set: LilvSetPortValueFunc {
        { symbol, context, value, size, type in
            guard let symbol, let context, let value else { return }
            let values = Unmanaged<LV2PortValues>.fromOpaque(context).takeUnretainedValue()
            let uris = Vocabulary()
            let number: Float? =
                switch (type, size) {
                case (uris.float, 4): value.loadUnaligned(as: Float.self)
                case (uris.double, 8): Float(value.loadUnaligned(as: Double.self))
                case (uris.int, 4), (uris.bool, 4): Float(value.loadUnaligned(as: Int32.self))
                case (uris.long, 8): Float(value.loadUnaligned(as: Int64.self))
                default: nil
                }
            if let number { values.taken.append((String(cString: symbol), number)) }
        }
    }
}
