import Geometry
import Glibc

/// Processing steps that turn a set's stored responses into those that are interpolated on a grid.
struct ResponsePlan: Sendable {
    /// Number of points of the transforms: a power of two, at least twice the length of a response.
    var transformCount: Int
    /// Sample at which all onsets are aligned.
    var preroll: Int
    /// Number of samples that are kept of each response.
    var taps: Int
    /// Whether the ends of responses are faded.
    var isFaded: Bool
    /// Whether the highest bins are faded; false if the set plays without processing.
    var isProcessed = true
    /// Filter common to all responses, bins 0…n/2; nil if there is none.
    var equaliser: [(real: Double, imaginary: Double)]?
    /// Replacement of the lowest frequencies; nil keeps the measured ones.
    var bass: SphereBass?
    /// Division of each response into two parts, from sample `cut` on; nil keeps responses whole.
    var parts: PartDesign?
    /// Number of samples that are removed at the beginning of divided responses.
    var cut = 0
    /// Phase of the responses: measured or minimum.
    var phase = ResponsePhase.measured
    /// Whether the diffuse field is made flat.
    var isFlattened = false
    /// Last common filter. It corrects what the crossover to the sphere and the trimming change in the diffuse field.
    /// Nil if there is none.
    var finish: [(real: Double, imaginary: Double)]?
    /// Linear gain.
    var gain = 1.0

    /// Combines a filter, bins 0…n/2, with the last common filter.
    mutating func correct(by filter: [(real: Double, imaginary: Double)]) {
        finish = finish.map { own in
            zip(own, filter).map { a, b in
                (a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
            }
        }
        finish = finish ?? filter
    }
}

extension MeasuredSet {
    /// Returns the processed and shortened responses of the given directions, with their onsets at sample `plan.onset`:
    /// `[direction][ear][tap]`, `plan.rowTaps` samples each. O(directions · n log n), in parallel.
    func aligned(_ plan: ResponsePlan, _ alignment: Alignment, of indices: [Int]) -> [Float] {
        let taps = plan.rowTaps
        var rows = [Float](repeating: 0, count: indices.count * 2 * taps)
        let window = plan.window
        rows.withUnsafeMutableBufferPointer { rows in
            let rows = rows
            inParallel(indices.count, chunk: max(1, indices.count / 16)) { range in
                var chain = ResponseChain(self, plan, alignment)
                for place in range {
                    chain.process(indices[place])
                    if plan.isFaded { chain.shorten(window) }
                    let row = place * 2 * taps
                    for i in 0..<taps {
                        rows[row + i] = Float(chain.left[plan.cut + i] * plan.gain)
                        rows[row + taps + i] = Float(chain.right[plan.cut + i] * plan.gain)
                    }
                }
            }
        }
        return rows
    }
}

/// Processes one direction after another by a plan. Each thread has its own chain.
struct ResponseChain {
    /// The responses of both ears, `plan.transformCount` samples each. After `shorten` the later samples are 0.
    private(set) var left: [Double]
    private(set) var right: [Double]
    /// Spectra of the responses before `shorten`.
    private(set) var ears: EarSpectra

    private let set: MeasuredSet
    private let plan: ResponsePlan
    private let alignment: Alignment
    private let transform: FourierTransform
    private var restoration: BandRestoration
    private var reduction: PhaseReduction?
    /// Fade of the highest bins of processed responses. It limits the ringing of fractional delays.
    private let brim: [Double]

    init(_ set: MeasuredSet, _ plan: ResponsePlan, _ alignment: Alignment) {
        self.set = set
        self.plan = plan
        self.alignment = alignment
        let n = plan.transformCount
        transform = FourierTransform(minimumCount: n)
        restoration = BandRestoration(
            count: n, sampleRate: set.sampleRate, reach: plan.parts == nil ? .windowed : .parted)
        reduction = plan.phase == .minimum ? PhaseReduction(count: n, sampleRate: set.sampleRate) : nil
        left = [Double](repeating: 0, count: n)
        right = left
        ears = EarSpectra(binCount: n / 2 + 1)
        brim = (0...(n / 2)).map { bin in
            let part = (2 * Double(bin) / Double(n) - ResponsePlan.brim) / (1 - ResponsePlan.brim)
            return part > 0 ? 0.5 * (1 + cos(.pi * part)) : 1
        }
    }

    /// Processes one direction by the plan, with both ears in one transform.
    mutating func process(_ index: Int) {
        set.load(index, &left, &right)
        transform.forward(&left, &right)
        ears.separate(left, right)
        for ear in 0..<2 {
            let onset = alignment.onsets[2 * index + ear] - set.delays[2 * index + ear]
            ears.advance(ear, by: onset - Double(plan.preroll), of: plan.transformCount)
            if let equaliser = plan.equaliser { ears.filter(ear, by: equaliser) }
            if let bass = plan.bass {
                bass.replace(in: &ears, ear: ear, angle: set.directions[index].incidence(ear: ear))
            }
            if let finish = plan.finish { ears.filter(ear, by: finish) }
        }
        reduction?.apply(to: &ears)
        if plan.isProcessed {
            for ear in 0..<2 {
                for bin in brim.indices where brim[bin] < 1 {
                    ears.real[ear][bin] *= brim[bin]
                    ears.imaginary[ear][bin] *= brim[bin]
                }
            }
        }
        ears.combine(&left, &right)
        transform.inverse(&left, &right)
    }

    /// Returns the spectra of the present `left` and `right`.
    var spectra: EarSpectra {
        var (real, imaginary) = (left, right)
        transform.forward(&real, &imaginary)
        var spectra = EarSpectra(binCount: real.count / 2 + 1)
        spectra.separate(real, imaginary)
        return spectra
    }

    /// Windows the responses that were processed last, divides them if the plan requires it, and restores their levels.
    mutating func shorten(_ window: [Double]) {
        let wanted = restoration.levels(ears)
        let (parts, cut) = (plan.parts, plan.cut)
        restoration.apply(&left, &right, wanted: wanted) { response in
            for i in response.indices { response[i] *= i < window.count ? window[i] : 0 }
            guard let parts else { return }
            var rest = Array(response[cut...])
            parts.reduce(&rest)
            response.replaceSubrange(cut..., with: rest)
        }
    }
}

extension Direction<Head> {
    /// Returns the angle between this direction and an ear of the model (0 left, 1 right), radians.
    func incidence(ear: Int) -> Double {
        let side = ear == 0 ? Alignment.earAzimuthDegrees : -Alignment.earAzimuthDegrees
        return angle(to: Direction(azimuthDegrees: side, elevationDegrees: 0))
    }
}

extension ResponsePlan {
    /// Start of the fade of the highest frequencies, relative to the Nyquist frequency.
    static let brim = 0.92
    /// Number of samples in each row of stored responses.
    var rowTaps: Int { parts.map(\.reducedTaps) ?? taps }
    /// Position of the onsets in a row, samples.
    var onset: Int { preroll - cut }
    /// Number of samples over which the end is faded; a response has little energy there.
    static let fall = 16

    /// Window of `taps` samples: 0 before sample `cut`, then half a cosine over half of `onset`, then 1, and half a
    /// cosine over the last `fall` samples. Without fades all samples are 1.
    var window: [Double] {
        guard isFaded else { return [Double](repeating: 1, count: taps) }
        let (rise, fall) = (max(1, onset / 2), min(ResponsePlan.fall, taps / 2))
        return (0..<taps).map { i in
            if i < cut { return 0 }
            if i < cut + rise { return 0.5 * (1 - cos(.pi * (Double(i - cut) + 0.5) / Double(rise))) }
            if i >= taps - fall { return 0.5 * (1 + cos(.pi * (Double(i - taps + fall) + 0.5) / Double(fall))) }
            return 1
        }
    }
}
