import Foundation

/// The unique material identifier (UMID) in a broadcast extension: SMPTE ST 330:2011. EBU Tech 3285, 2.4, defines its
/// place.
enum UniqueMaterial {
    /// Size of a basic identifier, bytes. `field` is the size of the chunk's field, which has room for an extended
    /// identifier.
    private static let basic = 32
    static let field = 64

    /// Returns a new identifier. It consists of a universal label, the length of the rest, instance 0, and a material
    /// number of 16 random bytes (ST 330, 5.2 to 5.5; material type not identified, number by UUID).
    static func new() -> [UInt8] {
        let label: [UInt8] = [0x06, 0x0A, 0x2B, 0x34, 0x01, 0x01, 0x01, 0x05, 0x01, 0x01, 0x0F, 0x20]
        let number = withUnsafeBytes(of: UUID().uuid) { Array($0) }
        let whole = label + [0x13, 0, 0, 0] + number
        return whole + [UInt8](repeating: 0, count: field - basic)
    }
}
