import Glibc

extension FieldPreparation {
    /// Returns the mean absolute change, seconds, of interaural delays at 0.2…1.5 kHz by minimum phase, over up to 60
    /// directions. A delay's change is the slope over frequency of the phase between the ears' cross spectra before and
    /// after, weighted by the magnitude before.
    func delayChange(of plan: ResponsePlan) -> Double {
        var before = plan
        before.phase = .measured
        let some = set.some(60)
        let binHz = set.sampleRate / Double(plan.transformCount)
        var (old, new) = (ResponseChain(set, before, alignment), ResponseChain(set, plan, alignment))
        var sum = 0.0
        for index in some {
            old.process(index)
            new.process(index)
            var (slope, square) = (0.0, 0.0)
            for bin in Int(200 / binHz)...Int(1500 / binHz) {
                let (a, b) = (old.ears.cross(bin), new.ears.cross(bin))
                let turn = atan2(
                    b.imaginary * a.real - b.real * a.imaginary, b.real * a.real + b.imaginary * a.imaginary)
                let weight = hypot(a.real, a.imaginary)
                slope += weight * Double(bin) * turn
                square += weight * Double(bin) * Double(bin)
            }
            sum += abs(slope / max(1e-30, square)) / (2 * .pi * binHz)
        }
        return sum / Double(max(1, some.count))
    }
}
