import Convolution
import Geometry
import Glibc
import SOFA
import Signal

/// From a file's responses to a playable field: align, equalise, complete, trim, level, convert the rate, spread.
///
/// Off the audio thread. Debian's KEMAR (710 directions) takes about a second on two cores.
struct FieldPreparation {
    let set: MeasuredSet
    let alignment: Alignment
    private let processing: HRTFProcessing
    private let sampleRate: SampleRate
    private let file: FreeFieldHRIR

    private var steps: [String] = []
    private var remarks: [String] = []
    private var gain = 1.0
    private var deviation = 0.0

    /// The diffuse field may deviate from flat by this much (rms, dB) before it is equalised.
    static let tolerableDeviation = 2.0
    /// How far 60…150 Hz may be from 300…600 Hz, dB, before low frequencies are replaced.
    static let tolerableBass = 2.0
    /// How much shortening may change critical bands, dB rms over 60 Hz…16 kHz, in the mean over responses.
    static let tolerableTrim = 0.75
    /// Floats the grid may hold; longer responses get a coarser grid.
    static let largestGrid = 64 << 20
    /// Floats that a set's own responses may take at the session's rate.
    static let largestSet = 128 << 20

    init(_ file: FreeFieldHRIR, sampleRate: SampleRate, processing: HRTFProcessing) throws(HRTFError) {
        var set = try MeasuredSet(file)
        var alignment = Alignment(set)
        // Below 50 µs there is no side to tell.
        if let lead = alignment.lateralLead(set), lead < -50e-6 {
            set = set.exchangingEars()
            alignment = Alignment(set)
        }
        self.file = file
        self.set = set
        self.alignment = alignment
        self.sampleRate = sampleRate
        self.processing = processing
        remarks = set.remarks
    }

    /// What the field is made of, and what was done for it.
    mutating func content() throws(HRTFError) -> (FilterField.Content, HRTFReport) {
        let plan = processing == .automatic ? automaticPlan() : plainPlan()
        try checkSize(plan)
        let all = Array(set.directions.indices)
        var source = ScatteredResponses(
            directions: set.directions, rows: set.aligned(plan, alignment, of: all), taps: plan.taps,
            onsets: alignment.onsets, sampleRate: set.sampleRate, model: alignment)
        var preroll = Double(plan.preroll)
        if sampleRate.hertz != set.sampleRate { try convert(&source, &preroll) }

        let spacing = nearestSpacing()
        remarkOnCoverage()
        // The spectra that are played span the delays as well.
        let played = source.taps + Int(((source.onsets.max() ?? 0) - (source.onsets.min() ?? 0)).rounded(.up))
        let points = Double(FieldPreparation.largestGrid) / Double(2 * played)
        let grid = RingGrid(stepDegrees: max(2, (41_253 / points).squareRoot()))
        let (responses, arrivals) = GridInterpolation.spread(source, to: grid)

        let earliest = min(Double(arrivals.min() ?? 0), source.onsets.min() ?? 0)
        let latest = max(Double(arrivals.max() ?? 0), source.onsets.max() ?? 0)
        let lag = preroll + Double(DelayKernel.taps / 2 - 1)
        var base = earliest
        var stored: (directions: [Direction<Head>], spacing: Double, responses: (Int) -> [Float])?
        var minimum = 0
        if processing == .none {
            let exact = try StoredResponses(set, sampleRate: sampleRate.hertz)
            // Stored responses move by whole samples, and none of their samples is lost.
            let shift = max((lag - earliest).rounded(.up), -exact.earliest.rounded(.down))
            base = lag - shift
            minimum = exact.length(shift: shift)
            stored = (set.directions, spacing, { exact.placed(shift: shift, taps: $0) })
        }
        let content = FilterField.Content(
            grid: grid, responses: responses, alignedTaps: source.taps, delays: arrivals.map { $0 - Float(base) },
            alignedOnset: preroll, minimumTapCount: minimum, measured: stored)
        let report = HRTFReport(
            name: file.attribute("Title") ?? file.attribute("DatabaseName") ?? file.path, path: file.path,
            licence: file.attribute("License") ?? "the file names none",
            citation: file.attribute("References") ?? file.attribute("Organization") ?? "",
            directions: set.directions.count, distance: set.distance, setRate: set.sampleRate,
            sessionRate: sampleRate.hertz, storedTaps: set.sampleCount, playedTaps: content.tapCount,
            gridPoints: grid.count, delaySpread: (latest - earliest) / sampleRate.hertz,
            commonDelayRemoved: (base - lag) / sampleRate.hertz, headRadius: alignment.radius,
            diffuseFieldDeviation: deviation, gain: Decibels(amplitude: gain), processing: steps, remarks: remarks)
        return (content, report)
    }

    // MARK: Plans

    /// Everything kept as it is.
    private mutating func plainPlan() -> ResponsePlan {
        // Onsets within the stored responses, without Data.Delay.
        let first = set.directions.indices.flatMap { [onset(2 * $0), onset(2 * $0 + 1)] }.min() ?? 0
        let preroll = max(16, Int(first.rounded(.down)) - DelayKernel.taps / 2 + 1)
        let taps = set.sampleCount + max(0, preroll - Int(first.rounded(.down)))
        var size = 256
        while size < 2 * taps { size *= 2 }
        steps = ["no processing: measured directions play as stored"]
        deviation = diffuseField(count: size).1
        return ResponsePlan(transformCount: size, preroll: preroll, taps: taps, isFaded: false)
    }

    /// What this set needs to sound natural.
    private mutating func automaticPlan() -> ResponsePlan {
        let scale = set.sampleRate / 48_000
        var size = 256
        while Double(size) < max(2 * Double(set.sampleCount), 2000 * scale) { size *= 2 }
        // 0.4 ms before the onset: the attack's beginning, and room to fade in.
        let preroll = max(16, Int((20 * scale).rounded()))
        var plan = ResponsePlan(transformCount: size, preroll: preroll, taps: size / 2, isFaded: false)
        var (field, deviation) = diffuseField(count: size)
        self.deviation = deviation
        if deviation > FieldPreparation.tolerableDeviation {
            let gains = field.equalisation()
            plan.equaliser = MinimumPhase.spectrum(decibels: gains)
            for bin in field.power.indices { field.power[bin] *= pow(10, gains[bin] / 10) }
            let (low, high) = (gains.min() ?? 0, gains.max() ?? 0)
            steps.append(
                "diffuse-field equalisation: the set is \(tenths(deviation)) dB from flat; "
                    + "gains \(tenths(low))…\(tenths(high)) dB")
        } else {
            steps.append("no equalisation needed: the diffuse field is within \(tenths(deviation)) dB of flat")
        }
        let bass = field.band(from: 60, to: 150) - field.band(from: 300, to: 600)
        var sphere = SphereBass(
            radius: alignment.radius, sampleRate: set.sampleRate, count: size, preroll: preroll)
        sphere.level = set.level(plan, alignment, against: sphere)
        let range = "\(Int(SphereBass.crossover.low))…\(Int(SphereBass.crossover.high)) Hz"
        var bassStep = "no low-frequency extension needed: 60…150 Hz is \(tenths(bass)) dB re 300…600 Hz"
        if abs(bass) > FieldPreparation.tolerableBass {
            plan.bass = sphere
            bassStep =
                "low-frequency extension: 60…150 Hz is \(tenths(bass)) dB re 300…600 Hz; a rigid sphere below \(range)"
        }
        gain = 1 / max(1e-15, field.level).squareRoot()
        plan.gain = gain
        var change = trim(&plan)
        if plan.bass == nil, Double(plan.taps) > 256 * scale {
            // What rings that long is the measurement's low-frequency noise; a sphere has none.
            var calm = plan
            calm.taps = size / 2
            calm.isFaded = false
            calm.bass = sphere
            let calmChange = trim(&calm)
            if 2 * calm.taps <= plan.taps {
                (plan, change) = (calm, calmChange)
                bassStep = "low-frequency extension: the set rings too long there; a rigid sphere below \(range)"
            }
        }
        if plan.equaliser != nil || plan.bass != nil { finish(&plan) }
        steps.append(bassStep)
        steps.append("level: \(Decibels(amplitude: gain)), diffuse field 0.3…8 kHz to 0 dB")
        steps.append(
            "trimmed to \(plan.taps) samples, \(plan.preroll) of them before the onset: "
                + "changes critical bands by \((change * 100).rounded() / 100) dB in the mean")
        return plan
    }

    /// Throws where the set's responses would take too much memory, before the field's is taken.
    private func checkSize(_ plan: ResponsePlan) throws(HRTFError) {
        // Around each response stand the converter's margins; played as stored, all span the delays.
        let ratio = max(1, sampleRate.hertz / set.sampleRate)
        let onsets = (alignment.onsets.max() ?? 0) - (alignment.onsets.min() ?? 0)
        let isConverted = sampleRate.hertz != set.sampleRate
        let margins = isConverted ? StoredResponses.margin(from: set.sampleRate, to: sampleRate.hertz) + 64 : 0
        let taps =
            processing == .none
            ? Double(max(plan.taps, set.sampleCount) + margins) + onsets : Double(plan.taps + (isConverted ? 128 : 0))
        let floats = 2 * Double(set.directions.count) * taps * ratio
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

    /// Onset within the stored response of one `[direction][ear]` row.
    private func onset(_ row: Int) -> Double { alignment.onsets[row] - set.delays[row] }

    /// The set's diffuse field and its deviation from flat.
    private func diffuseField(count: Int) -> (DiffuseField, Double) {
        let weights = DiffuseField.weights(set.directions)
        let transform = FourierTransform(minimumCount: count)
        var power = [Double](repeating: 0, count: count / 2 + 1)
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        for index in set.directions.indices where weights[index] > 0 {
            set.load(index, &real, &imaginary)
            transform.forward(&real, &imaginary)
            DiffuseField.add(&power, real, imaginary, weight: weights[index])
        }
        let field = DiffuseField(power: power, binHz: set.sampleRate / Double(count))
        return (field, field.statistics(field.smoothedDecibels(), from: 200, to: 16_000).deviation)
    }

    /// Responses, onsets and preroll at the session's rate. A response that is convolved with scales by the ratio of
    /// the rates, as its samples stand closer or farther apart.
    private func convert(_ source: inout ScatteredResponses, _ preroll: inout Double) throws(HRTFError) {
        let ratio = sampleRate.hertz / set.sampleRate
        let margin = 64
        let count = 2 * set.directions.count
        let padded = source.taps + 2 * margin
        var rows = [Float](repeating: 0, count: count * padded)
        for row in 0..<count {
            for i in 0..<source.taps {
                rows[row * padded + margin + i] = source.rows[row * source.taps + i] * Float(1 / ratio)
            }
        }
        let converted = try ResponseConversion.convert(rows, count: count, from: set.sampleRate, to: sampleRate.hertz)
        let length = converted.count / count
        // Most of the margin goes again: 16 samples before and after stay for the converter's ringing.
        let cut = Int((Double(margin - 16) * ratio).rounded(.down))
        let taps = min(length - cut, 16 * Int((Double(source.taps + 32) * ratio / 16).rounded(.up)))
        var kept = [Float](repeating: 0, count: count * taps)
        for row in 0..<count {
            for i in 0..<taps { kept[row * taps + i] = converted[row * length + cut + i] }
        }
        source.rows = kept
        source.taps = taps
        source.sampleRate = sampleRate.hertz
        source.onsets = source.onsets.map { $0 * ratio }
        preroll = (preroll + Double(margin)) * ratio - Double(cut)
    }

    /// The smallest angle between two directions, radians.
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

    /// Says where the set has nothing: sparse, a ring, a hemisphere, no floor.
    private mutating func remarkOnCoverage() {
        let elevations = set.directions.map { $0.elevation * 180 / .pi }
        let (low, high) = (elevations.min() ?? 0, elevations.max() ?? 0)
        if set.directions.count < 50 {
            remarks.append("only \(set.directions.count) directions: most of the sphere is interpolated from afar")
        }
        if high - low < 10 {
            remarks.append("a ring of directions without height cues: elevation is extrapolated")
        } else {
            if low > -75 { remarks.append("no directions below \(Int(low.rounded()))° elevation: extrapolated there") }
            if high < 75 { remarks.append("no directions above \(Int(high.rounded()))° elevation: extrapolated there") }
        }
        if alignment.corrected > 0 {
            remarks.append("\(alignment.corrected) onsets stood out from their neighbours and were corrected")
        }
    }

    private func tenths(_ value: Double) -> String {
        let number = (value * 10).rounded() / 10
        return number > 0 ? "+\(number)" : "\(number)"
    }
}
