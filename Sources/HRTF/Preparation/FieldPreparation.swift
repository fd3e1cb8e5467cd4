import Convolution
import Geometry
import Glibc
import SOFA
import Signal

/// Prepares a field from a file's responses. The steps are: align, equalise, replace the bass, trim, interpolate (and
/// complete), set the level, convert the rate.
///
/// Not for the audio thread. Debian's KEMAR (710 directions) takes about a second on two cores.
struct FieldPreparation {
    let set: MeasuredSet
    private(set) var alignment: Alignment
    let options: HRTFOptions
    let sampleRate: SampleRate
    private let file: FreeFieldHRIR
    /// The grid whose points are the set's directions; nil if the set must be interpolated.
    private let ownGrid: RingGrid?
    /// Whether all responses have one onset, so that they contain the delays between the ears.
    private(set) var hasCommonOnset = false

    var steps: [String] = []
    var remarks: [String] = []
    var deviation = (decibels: 0.0, frequency: 1000.0)

    /// Deviation of a third of an octave of the diffuse field from flat, dB, above which the field is equalised.
    static let tolerableDeviation = 1.0
    /// Tolerable change of critical bands by shortening: dB RMS over 0.5…16 kHz, averaged over responses.
    static let tolerableTrim = 0.08
    /// Tolerable change at 60…500 Hz, where bands are narrower than the detail of a head's response.
    static let tolerableLowTrim = 0.75
    /// Largest number of floats of the grid. The grid is coarser if long responses would exceed this number.
    static let largestGrid = 64 << 20
    /// Largest number of floats of a set's own responses, at its own rate, or at the session's if they play as stored.
    static let largestSet = 128 << 20

    /// Path of the file, for messages.
    var path: String { file.path }

    init(_ file: FreeFieldHRIR, sampleRate: SampleRate, options: HRTFOptions) throws(HRTFError) {
        var set = try MeasuredSet(file, distance: options.distance)
        var alignment = Alignment(set)
        // If the farther ear leads by less than 50 µs, this does not prove that the ears are exchanged.
        if let lead = alignment.lateralLead(set), lead < -50e-6 {
            set = set.exchangingEars()
            alignment = Alignment(set)
        }
        self.file = file
        self.set = set
        ownGrid = [RingGrid.usualStep, RingGrid.fineStep].map(RingGrid.init).first { $0.has(set.directions) }
        self.alignment = alignment
        self.sampleRate = sampleRate
        self.options = options
        remarks = set.remarks
    }

    /// Returns the content of the field and the report on its preparation.
    mutating func content() throws(HRTFError) -> (FilterField.Content, HRTFReport) {
        var plan = options.processing == .automatic ? automaticPlan() : plainPlan()
        try checkSize(plan)
        let source = scattered(plan)
        remarkOnCoverage()
        // The played spectra contain the delays as well.
        let ratio = sampleRate.hertz / set.sampleRate
        let played = (Double(source.taps) + (source.onsets.max() ?? 0) - (source.onsets.min() ?? 0)) * max(1, ratio)
        let points = Double(FieldPreparation.largestGrid) / (2 * played * Double(1 + options.sourceDistances.count))
        let step = options.processing == .none && set.isEvaluated ? RingGrid.fineStep : RingGrid.usualStep
        let grid = RingGrid(stepDegrees: max(step, (41_253 / points).squareRoot()))
        let spread = flattened(source, on: grid, &plan)
        let shells = shells(of: spread, taps: source.taps, grid: grid)
        var rows = shells.responses
        let (own, taps) = (shells.arrivals, shells.taps)
        var gain = plan.gain
        if options.processing == .automatic {
            let correction = StageLevel.gain(rows, taps: taps, grid: grid, sampleRate: set.sampleRate)
            for i in rows.indices { rows[i] *= Float(correction) }
            gain *= correction
            steps.append(
                "level: \(Decibels(amplitude: gain)); pink noise from the loudspeakers of 7.1 is as loud as with any "
                    + "other set")
        }

        // The field is prepared at the set's own rate and converted last, so that every rate plays the same.
        let responses = GridResponses(rows: rows, taps: taps, arrivals: own, onset: Double(plan.onset))
            .divided(plan.parts?.extended(to: taps), sampleRate: set.sampleRate)
            .converted(from: set.sampleRate, to: sampleRate.hertz)
        let arrivals = responses.arrivals
        let earliest = min(Double(arrivals.min() ?? 0), (source.onsets.min() ?? 0) * ratio)
        let latest = max(Double(arrivals.max() ?? 0), (source.onsets.max() ?? 0) * ratio)
        let margins = responses.margins
        let lag = responses.onset + Double(margins.lead)
        var base = earliest
        var stored: (directions: [Direction<Head>], spacing: Double, responses: (Int) -> [Float])?
        var minimum = 0
        if options.processing == .none, !set.isEvaluated {
            let exact = StoredResponses(set, sampleRate: sampleRate.hertz)
            // Stored responses are delayed by whole samples and keep all of their samples.
            let shift = max((lag - earliest).rounded(.up), -exact.earliest.rounded(.down))
            base = lag - shift
            minimum = exact.length(shift: shift)
            stored = (set.directions, nearestSpacing(), { exact.placed(shift: shift, taps: $0) })
        }
        let content = FilterField.Content(
            grid: grid, responses: responses.rows, wideTaps: responses.taps, low: responses.low,
            delays: arrivals.map { $0 - Float(base) }, alignedOnset: responses.onset, margins: margins,
            shellCount: 1 + options.sourceDistances.count, minimumTapCount: minimum, measured: stored)
        let report = HRTFReport(
            name: file.attribute("Title") ?? file.attribute("DatabaseName") ?? file.path, path: file.path,
            licence: file.attribute("License") ?? "the file names none",
            citation: file.attribute("References") ?? file.attribute("Organization") ?? "",
            directions: set.directions.count, distance: set.distance, setRate: set.sampleRate,
            sessionRate: sampleRate.hertz, storedTaps: set.sampleCount, playedTaps: content.tapCount,
            gridPoints: grid.count, delaySpread: (latest - earliest) / sampleRate.hertz,
            commonDelayRemoved: (base - lag) / sampleRate.hertz, headRadius: alignment.radius,
            diffuseFieldDeviation: abs(deviation.decibels), gain: Decibels(amplitude: gain), processing: steps,
            remarks: remarks)
        return (content, report)
    }

    /// Throws if the set's responses would take too much memory; called before memory is allocated for the field.
    private func checkSize(_ plan: ResponsePlan) throws(HRTFError) {
        // Responses that play as stored are converted with the margins around them, and contain the delays.
        let ratio = max(1, sampleRate.hertz / set.sampleRate)
        let onsets = (alignment.onsets.max() ?? 0) - (alignment.onsets.min() ?? 0)
        let isConverted = sampleRate.hertz != set.sampleRate
        let margins = isConverted ? 2 * ResponseConversion.reach(from: set.sampleRate, to: sampleRate.hertz) : 0
        let taps =
            options.processing == .none
            ? (Double(max(plan.taps, set.sampleCount) + margins) + onsets) * ratio : Double(plan.taps)
        let floats = 2 * Double(set.directions.count) * taps
        guard floats <= Double(FieldPreparation.largestSet) else {
            throw .implausible(
                path: file.path,
                reason:
                    "\(set.directions.count) directions of \(Int(taps)) samples at \(Int(sampleRate.hertz)) Hz would take "
                    + "\(Int(floats * 4) >> 20) MB, more than \(FieldPreparation.largestSet >> 18) MB; choose a smaller set "
                    + "or a lower rate")
        }
    }

    // MARK: Parts

    /// Sets one onset for all responses, so that they keep the delays between the ears. Only applies to a set of
    /// spherical harmonics at the points of the usual or the fine grid (`RingGrid`).
    ///
    /// Sums of spherical harmonics are already smooth over directions. Above the frequency up to which their order
    /// describes a head, the delay of sound no longer depends on direction. At these frequencies separate onsets would
    /// make the delay rough, and would remove the ringing before the onsets.
    mutating func takeCommonOnset() {
        guard set.isEvaluated, ownGrid != nil else { return }
        let first = alignment.onsets.min() ?? 0
        alignment.onsets = [Double](repeating: first, count: alignment.onsets.count)
        hasCommonOnset = true
        steps.append("not aligned: spherical harmonics are smooth over directions as they are")
    }

    /// Returns the set's responses, processed by a plan, and their onsets.
    private func scattered(_ plan: ResponsePlan) -> ScatteredResponses {
        ScatteredResponses(
            directions: set.directions, rows: set.aligned(plan, alignment, of: Array(set.directions.indices)),
            taps: plan.rowTaps,
            onsets: options.processing == .none || hasCommonOnset ? alignment.onsets : alignment.smoothedOnsets(set),
            sampleRate: set.sampleRate, model: alignment)
    }

    /// Returns the field on a grid, balanced for linear interpolation between its points. If the set has the grid's
    /// directions, the field consists of the set's own responses; otherwise the best method interpolates them, and the
    /// report names this method. If an equalised field is not flat between the set's directions, the plan gets another
    /// common filter, and the field is computed again.
    private mutating func flattened(
        _ source: ScatteredResponses, on grid: RingGrid, _ plan: inout ResponsePlan
    ) -> (responses: [Float], onsets: [Float]) {
        if grid == ownGrid {
            steps.append("not interpolated: the set has a response at each point of the grid")
            return GridInterpolation.balanced((source.rows, source.onsets.map(Float.init)), on: grid, taps: source.taps)
        }
        let choice = InterpolationChoice.best(for: source)
        steps.append(choice.sentence)
        let spread = GridInterpolation.field(source, on: grid, choice.method)
        guard plan.isFlattened,
            let correction = correction(of: spread.responses, taps: source.taps, on: grid, plan: plan)
        else { return spread }
        plan.correct(by: correction)
        return GridInterpolation.field(scattered(plan), on: grid, choice.method)
    }

    /// Returns the smallest angle between two directions, radians.
    private func nearestSpacing() -> Double {
        let spline = SphericalSpline(set.directions)
        var smallest = Double.pi
        for (index, direction) in set.directions.enumerated() {
            for other in spline.nearest(to: direction.unit, count: 2, leavingOut: index) {
                smallest = min(smallest, direction.angle(to: set.directions[other]))
            }
        }
        return smallest
    }

    /// Adds remarks if the set is sparse, is a ring, or has no directions far below or far above the horizon, and if
    /// onsets were corrected.
    private mutating func remarkOnCoverage() {
        let elevations = set.directions.map { $0.elevation * 180 / .pi }
        let (low, high) = (elevations.min() ?? 0, elevations.max() ?? 0)
        if set.directions.count < 50 {
            remarks.append(
                "only \(set.directions.count) directions: most of the sphere is far from a measured direction")
        }
        if high - low < 10 {
            remarks.append("a ring of directions without height cues: elsewhere \(Completion.sentence)")
        } else {
            if low > -75 {
                remarks.append("no directions below \(Int(low.rounded()))° elevation: there \(Completion.sentence)")
            }
            if high < 75 {
                remarks.append("no directions above \(Int(high.rounded()))° elevation: there \(Completion.sentence)")
            }
        }
        if alignment.corrected > 0 {
            remarks.append(
                "\(alignment.corrected) onsets deviated from those of neighbouring directions and were corrected")
        }
    }

    func tenths(_ value: Double) -> String {
        let number = (value * 10).rounded() / 10
        return number > 0 ? "+\(number)" : "\(number)"
    }
}
