/// Which axis of Data.IR, or of Data.Real and Data.Imag, is which.
///
/// AES69-2020 and later have emitters last (M×R×N×E); AES69-2015 and the drafts of FIRE and MultiSpeakerBRIR had
/// samples last (M×R×E×N), and files of both kinds bear the same names. What fits the number of emitters is taken.
enum EmitterAxes: Hashable {
    /// M×R×N
    case single
    /// M×R×N×E
    case emittersLast
    /// M×R×E×N
    case samplesLast

    /// Tells four axes apart. `emitters`: how many there are by EmitterPosition. `prefersLast`: which to take where
    /// both fit. Nil where neither does.
    init?(_ shape: [Int], emitters: Int, prefersEmittersLast: Bool) {
        guard shape.count == 4 else { return nil }
        let (last, before) = (shape[3] == emitters, shape[2] == emitters)
        guard last || before else { return nil }
        self = last && (prefersEmittersLast || !before) ? .emittersLast : .samplesLast
    }

    /// Samples and emitters of a shape.
    func counts(_ shape: [Int]) -> (samples: Int, emitters: Int) {
        switch self {
        case .single: (shape[2], 1)
        case .emittersLast: (shape[2], shape[3])
        case .samplesLast: (shape[3], shape[2])
        }
    }
}
