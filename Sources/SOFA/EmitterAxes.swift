/// Order of the axes of Data.IR, or of Data.Real and Data.Imag.
///
/// AES69-2020 and later have emitters last (M×R×N×E: measurements, receivers, samples or frequencies, emitters).
/// AES69-2015 and the drafts of FIRE and MultiSpeakerBRIR have samples last (M×R×E×N), under the same convention names.
/// The number of emitters distinguishes them.
enum EmitterAxes: Hashable {
    /// M×R×N
    case single
    /// M×R×N×E
    case emittersLast
    /// M×R×E×N
    case samplesLast

    /// Determines the order of four axes from the number of `emitters` in EmitterPosition. If both orders fit,
    /// `prefersEmittersLast` decides. Nil if neither fits, or if there are not four axes.
    init?(_ shape: [Int], emitters: Int, prefersEmittersLast: Bool) {
        guard shape.count == 4 else { return nil }
        let (last, before) = (shape[3] == emitters, shape[2] == emitters)
        guard last || before else { return nil }
        self = last && (prefersEmittersLast || !before) ? .emittersLast : .samplesLast
    }

    /// Determines the order of the axes of a head's data from the number of `emitters` in EmitterPosition.
    ///
    /// - Throws: `shape` if the data have another number of emitters, fewer than two samples, or too many directions.
    init(_ shape: [Int], emitters: Int, of header: SOFAHeader) throws(SOFAError) {
        let name = header.dataType.variable
        guard let axes = EmitterAxes(shape, emitters: emitters, prefersEmittersLast: !header.hasSamplesLast) else {
            throw .shape(
                path: header.path, variable: name, found: shape,
                expected: "\(emitters) emitters on its last axis, as EmitterPosition has")
        }
        let (samples, count) = axes.counts(shape)
        guard samples >= 2, shape[0] <= FreeFieldHRIR.mostMeasurements / count else {
            throw .shape(
                path: header.path, variable: name, found: shape,
                expected: "two samples or more, and \(FreeFieldHRIR.mostMeasurements) directions at most")
        }
        self = axes
    }

    /// Returns the numbers of samples and emitters of a shape.
    func counts(_ shape: [Int]) -> (samples: Int, emitters: Int) {
        switch self {
        case .single: (shape[2], 1)
        case .emittersLast: (shape[2], shape[3])
        case .samplesLast: (shape[3], shape[2])
        }
    }
}
