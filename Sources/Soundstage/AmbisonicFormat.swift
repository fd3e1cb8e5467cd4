import Geometry

/// Format of a sound field's channels: the ambisonic order, and the sequence and scale of the channels.
package struct AmbisonicFormat: Hashable, Sendable {
    /// Conventions of channel order and scale.
    package enum Convention: String, CaseIterable, Hashable, Sendable {
        /// AmbiX: ACN order, SN3D.
        case sn3d
        /// ACN order, N3D: degree l is scaled by √(2l + 1) relative to SN3D.
        case n3d
        /// Furse-Malham: W X Y Z R S T U V K L M N O P Q. Each channel is scaled to a maximum of 1, except W to 1/√2.
        /// The order is at most 3.
        case fuma
    }

    /// Highest order of a sound field.
    package static let greatestOrder = SphericalHarmonics.maximumOrder

    /// The names of sound fields, in ascending order: `ambi1` to `ambi7`.
    package static let names = (1...greatestOrder).map { "ambi\($0)" }

    /// Order of the field, 1…7.
    package let order: Int
    /// Order and scale of the channels.
    package let convention: Convention

    /// Makes a format. Throws `unknownLayout` for an order outside 1…7, and `noFurseMalham` for Furse-Malham above
    /// order 3.
    package init(order: Int, convention: Convention = .sn3d) throws(SoundstageError) {
        guard (1...Self.greatestOrder).contains(order) else {
            throw .unknownLayout("ambi\(order)", known: AmbisonicFormat.names)
        }
        guard convention != .fuma || order <= 3 else { throw .noFurseMalham(order: order) }
        self.order = order
        self.convention = convention
    }

    /// Number of channels, (order + 1)².
    package var channelCount: Int { SphericalHarmonics.count(order: order) }

    /// Returns the ACN index of a channel of this format, and the gain that scales it to SN3D.
    ///
    /// Source of Furse-Malham's weights: Malham, "Higher order ambisonic systems", 2003, table 3. Relative to SN3D they
    /// are 1/√2 for W, 2/√3 for S T U V, √(45/32) for L M, 3/√5 for N O and √(8/5) for P Q, and 1 for all others.
    package func place(ofChannel index: Int) -> (acn: Int, gain: Double) {
        switch convention {
        case .sn3d: return (index, 1)
        case .n3d: return (index, 1 / Double(2 * SphericalHarmonics.degree(ofIndex: index) + 1).squareRoot())
        case .fuma:
            let found = AmbisonicFormat.furseMalham[index]
            return (found.acn, 1 / found.weight)
        }
    }

    /// Returns a channel's name in ports (`ACN5` becomes the port `in_ACN5`), and its name for display.
    package func name(ofChannel index: Int) -> (symbol: String, pretty: String) {
        let acn = place(ofChannel: index).acn
        let degree = SphericalHarmonics.degree(ofIndex: acn)
        let harmonic = "degree \(degree), index \(acn - degree * degree - degree)"
        guard convention == .fuma else { return ("ACN\(index)", "Ambisonic \(index) (\(harmonic))") }
        let letter = String(AmbisonicFormat.furseMalham[index].letter)
        return (letter, "Ambisonic \(letter) (\(harmonic))")
    }

    private static let furseMalham: [(letter: Character, acn: Int, weight: Double)] = [
        ("W", 0, 0.5.squareRoot()), ("X", 3, 1), ("Y", 1, 1), ("Z", 2, 1),
        ("R", 6, 1), ("S", 7, 2 / 3.0.squareRoot()), ("T", 5, 2 / 3.0.squareRoot()), ("U", 8, 2 / 3.0.squareRoot()),
        ("V", 4, 2 / 3.0.squareRoot()),
        ("K", 12, 1), ("L", 13, (45.0 / 32).squareRoot()), ("M", 11, (45.0 / 32).squareRoot()),
        ("N", 14, 3 / 5.0.squareRoot()), ("O", 10, 3 / 5.0.squareRoot()), ("P", 15, (8.0 / 5).squareRoot()),
        ("Q", 9, (8.0 / 5).squareRoot()),
    ]
}
