/// Powers of the last three seconds of sound in steps of 20 ms, and the last step with a fault (a sample of
/// `Samples.loudest` or more).
struct LoudnessSteps {
    /// Numbers of steps: in the momentary window (400 ms), in the short-term window (3 s), and between two values for
    /// the histograms.
    static let (momentary, shortTerm, gate) = (20, 150, 5)

    /// Frames per step.
    let frames: Int
    /// Number of complete steps.
    private(set) var count = 0
    /// Power summed over each of the last 150 steps. Step n is at index n mod 150.
    private var powers = [Double](repeating: 0, count: shortTerm)
    /// Frames of the present step so far.
    private var filled = 0
    /// Whether the present step contains a fault.
    private var isFaulty = false
    /// Number of steps up to the end of the last step with a fault; −150 before the first fault.
    private var faultyCount = -shortTerm

    /// Begins the first step. `frames`: frames per step, > 0.
    init(frames: Int) { self.frames = frames }

    /// Number of frames that the present step lacks.
    var missing: Int { frames - filled }

    /// Records a fault in the present step.
    mutating func noteFault() { isFaulty = true }

    /// Adds frames to the present step, at most `missing`. Returns whether the step is then full.
    mutating func advance(_ added: Int) -> Bool {
        filled += added
        return filled == frames
    }

    /// Completes the present step, whose power sums up to `power`. Returns whether the step contains a fault.
    mutating func end(power: Double) -> Bool {
        powers[count % Self.shortTerm] = power
        (filled, count) = (0, count + 1)
        guard isFaulty else { return false }
        (isFaulty, faultyCount) = (false, count)
        return true
    }

    /// Returns whether the last `steps` steps contain no fault.
    func areSound(_ steps: Int) -> Bool { count - faultyCount >= steps }

    /// Returns the mean power of the last `steps` steps. Steps before the first one are silent.
    func power(_ steps: Int) -> Double {
        var sum = 0.0
        for step in max(0, count - steps)..<count { sum += powers[step % Self.shortTerm] }
        return sum / Double(steps * frames)
    }
}
