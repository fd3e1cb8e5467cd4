import Geometry
import Glibc
import Signal

// Processing of a set's responses before their interpolation to the grid.
extension FieldPreparation {
    /// Returns the plan without processing.
    mutating func plainPlan() -> ResponsePlan {
        steps = [
            set.isEvaluated
                ? "no processing: spherical harmonics play as stored, read from a fine grid, for comparisons"
                : "no processing: measured directions play as stored, for comparisons; within 0.25° of a measured "
                    + "direction the response changes to the stored one; other directions are interpolated"
        ]
        takeCommonOnset()
        // Onsets in the stored responses, without Data.Delay.
        let first = (0..<(2 * set.directions.count)).map { alignment.onsets[$0] - set.delays[$0] }.min() ?? 0
        let preroll = max(16, Int(first.rounded(.down)) - DelayMargins().lead)
        let taps = set.sampleCount + max(0, preroll - Int(first.rounded(.down)))
        var size = 256
        while size < 2 * taps { size *= 2 }
        deviation = diffuseField(count: size).1
        return ResponsePlan(transformCount: size, preroll: preroll, taps: taps, isFaded: false, isProcessed: false)
    }

    /// Returns the plan of automatic processing for this set.
    mutating func automaticPlan() -> ResponsePlan {
        let scale = set.sampleRate / 48_000
        var size = 256
        while Double(size) < max(2 * Double(set.sampleCount), 2000 * scale) { size *= 2 }
        // 0.67 ms before the onset, for the start of the attack and the fade-in.
        let preroll = max(16, Int((32 * scale).rounded()))
        var plan = ResponsePlan(transformCount: size, preroll: preroll, taps: size / 2, isFaded: false)
        plan.phase = options.phase
        // A set without interaural delays does not show the size of its head. The sphere that replaces its bass adds no
        // delays.
        let radius = hasDelays ? alignment.radius : RigidSphere.averageRadius
        let table = SphereTable(
            radius: radius, sampleRate: set.sampleRate, count: size, preroll: preroll, hasDelays: hasDelays)
        let bass = BassJudgement(set, plan, alignment, table: table)
        let joint = crossover(bass)
        // A sphere, minimum phase and another head size need responses with aligned onsets.
        if joint == nil, options.phase == .measured, options.headCircumference == nil { takeCommonOnset() }
        var (field, deviation) = diffuseField(count: size)
        self.deviation = deviation
        let isWhole =
            options.diffuseField == .automatic
            ? abs(deviation.decibels) > FieldPreparation.tolerableDeviation : options.diffuseField == .on
        let off = "\(tenths(deviation.decibels)) dB from flat at \((deviation.frequency / 100).rounded() / 10) kHz"
        plan.isFlattened = isWhole
        if isWhole {
            let gains = field.equalisation(joined: joint)
            plan.equaliser = MinimumPhase.spectrum(decibels: gains)
            for bin in field.power.indices { field.power[bin] *= pow(10, gains[bin] / 10) }
            let (low, high) = (gains.min() ?? 0, gains.max() ?? 0)
            steps.append(
                "diffuse-field equalisation: the set is \(off); "
                    + "gains \(tenths(low))…\(tenths(high)) dB")
        } else {
            if let low = joint {
                plan.equaliser = MinimumPhase.spectrum(decibels: field.bassEqualisation(joined: low))
            }
            steps.append(
                options.diffuseField == .off
                    ? "no diffuse-field equalisation, as requested: the set is \(off)"
                    : "no equalisation needed: thirds of an octave are within \(tenths(abs(deviation.decibels))) dB of flat"
            )
        }
        plan.gain = 1 / max(1e-15, field.level).squareRoot()
        let judged =
            "below 170 Hz levels scatter by \(tenths(bass.scatter)) dB over directions, "
            + "and are \(tenths(bass.slope)) dB in the mean re 400…1000 Hz"
        var bassStep = "no low-frequency extension\(options.bass == .off ? ", as requested" : " needed"): \(judged)"
        if let low = joint {
            let sphere = SphereBass(
                set, plan, alignment, table: table, from: low, isNarrow: low >= BassJudgement.narrow)
            plan.bass = sphere
            bassStep =
                "low-frequency extension: \(judged); a rigid sphere below "
                + "\(Int(sphere.crossover.low))…\(Int(sphere.crossover.high)) Hz"
                + (hasDelays ? "" : ", without its interaural delays, as the set has none")
        }
        var cost = trim(&plan)
        if plan.bass == nil, options.bass == .automatic, !hasCommonOnset,
            cost.low > FieldPreparation.tolerableLowTrim || Double(plan.taps) > 256 * scale
        {
            // Such long ringing may be low-frequency noise of the measurement; a sphere has no noise.
            var calm = plan
            calm.equaliser =
                calm.equaliser ?? MinimumPhase.spectrum(decibels: field.bassEqualisation(joined: 180))
            calm.bass = SphereBass(set, calm, alignment, table: table, from: 180)
            let calmCost = trim(&calm)
            if calm.taps <= plan.taps - 64 || (!cost.isTolerable && calmCost.audible < cost.audible) {
                (plan, cost) = (calm, calmCost)
                bassStep =
                    "low-frequency extension: the set's low frequencies ring too long; a rigid sphere replaces them "
                    + "below 180…351 Hz"
            }
        }
        let parting = part(&plan, costing: cost, isFlattened: isWhole)
        if plan.equaliser != nil { finish(&plan, isWhole: isWhole) }
        steps.append(bassStep)
        if plan.phase == .minimum {
            steps.append(
                "minimum phase behind the measured delays: moves interaural delays below 1.5 kHz by "
                    + "\(tenths(delayChange(of: plan) * 1e6)) µs in the mean")
        }
        func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        if let parting, let parts = plan.parts {
            cost = parting
            steps.append(
                "trimmed to \(parts.wideTaps) samples, \(plan.onset) of them before the onset, and below "
                    + "\(Int(PartDesign.limit)) Hz to \(parts.reducedTaps): changes critical bands by "
                    + "\(hundredths(cost.audible)) dB in the mean, \(hundredths(cost.low)) dB below 500 Hz")
        } else {
            steps.append(
                "trimmed to \(plan.taps) samples, \(plan.preroll) of them before the onset: changes critical bands by "
                    + "\(hundredths(cost.audible)) dB in the mean, \(hundredths(cost.low)) dB below 500 Hz")
        }
        return plan
    }

    /// Returns the start of the crossover to a sphere, hertz; nil without a sphere. If the user requests a sphere for a
    /// set that does not need one, the crossover starts at the lowest candidate.
    private func crossover(_ bass: BassJudgement) -> Double? {
        switch options.bass {
        case .automatic: bass.crossover
        case .on: bass.crossover ?? BassJudgement.candidates[1]
        case .off: nil
        }
    }

    /// Returns the set's diffuse field and its largest deviation from flat.
    func diffuseField(count: Int) -> (DiffuseField, (decibels: Double, frequency: Double)) {
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
        return (field, field.largestDeviation)
    }
}
