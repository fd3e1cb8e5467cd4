import CRealtime
import Foundation
import Geometry
import IMU

/// A filter under measurement: takes sample `index` of the motion.
protocol FusionContender {
    var name: String { get }
    mutating func take(_ index: Int, _ motion: Motion)
    var orientation: Quaternion { get }
}

/// Samples of a head that looks about, as an IMU measures it, with its noise; the truth beside.
struct Motion {
    let step: Double
    var samples: [InertialSample] = []
    /// gyroscope, accelerometer, magnetometer, three each.
    var flat: [Double] = []
    var truth: [Quaternion] = []

    init(rate: Double, seconds: Double) {
        step = 1 / rate
        var state: UInt64 = 1
        func unit() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53) - 0.5
        }
        func noise(_ size: Double) -> SIMD3<Double> { SIMD3(unit(), unit(), unit()) * size }
        func pose(_ t: Double) -> Quaternion {
            // Periods of a minute's parts, so that the motion joins its own beginning.
            let t = t * 2 * .pi / 60
            return Quaternion(yaw: 1.2 * sin(9 * t), pitch: 0.35 * sin(16 * t + 1), roll: 0.2 * sin(22 * t))
        }
        for index in 0..<Int(seconds * rate) {
            let t = Double(index) * step
            let q = pose(t)
            let sample = InertialSample(
                rate: (pose(t - step).conjugate * q).rotationVector / step + SIMD3(0.005, -0.004, 0.006) + noise(0.007),
                force: q.conjugate.rotate(SIMD3(0, 0, 9.81)) + noise(0.1),
                field: q.conjugate.rotate(SIMD3(0, 19.5, -43.9)) + noise(1))
            samples.append(sample)
            truth.append(q)
            let field = sample.field ?? .zero
            for v in [sample.rate, sample.force, field] { flat += [v.x, v.y, v.z] }
        }
    }
}

/// Ours.
struct OursContender: FusionContender {
    let name: String
    private var filter: InertialFilter
    private let nine: Bool
    /// Seconds by which each second sample is late; 0: even steps.
    private let jitter: Double

    init(nine: Bool, jitter: Double = 0) {
        name = "proscenium, \(nine ? 9 : 6) axes" + (jitter > 0 ? ", uneven steps" : "")
        var options = InertialOptions()
        options.usesField = nine
        filter = InertialFilter(options: options)
        self.nine = nine
        self.jitter = jitter
    }

    mutating func take(_ index: Int, _ motion: Motion) {
        let place = index % motion.samples.count
        let time = Double(index) * motion.step + (jitter > 0 ? jitter * Double(index &* 2_654_435_761 & 255) / 256 : 0)
        filter.take(motion.samples[place], at: time)
    }

    var orientation: Quaternion { filter.bodyToWorld }
}

/// VQF's own C++ code, from a library made by `Scripts/bench-fusion`.
struct VQFContender: FusionContender {
    let name: String
    private typealias Make = @convention(c) (Double) -> UnsafeMutableRawPointer?
    private typealias Take =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<Double>?, UnsafePointer<Double>?, UnsafePointer<Double>?,
            UnsafeMutablePointer<Double>?
        ) -> Void
    private let filter: UnsafeMutableRawPointer?
    private let update: Take
    private let nine: Bool
    private let result: UnsafeMutablePointer<Double>

    init?(library: String, step: Double, nine: Bool) {
        guard let handle = dlopen(library, RTLD_NOW), let make = dlsym(handle, "vqf_peer_new"),
            let take = dlsym(handle, "vqf_peer_take")
        else { return nil }
        name = "VQF 2.1.2, \(nine ? 9 : 6) axes"
        filter = unsafeBitCast(make, to: Make.self)(step)
        update = unsafeBitCast(take, to: Take.self)
        self.nine = nine
        result = .allocate(capacity: 4)
        result.initialize(repeating: 0, count: 4)
    }

    mutating func take(_ index: Int, _ motion: Motion) {
        let place = index % motion.samples.count * 9
        motion.flat.withUnsafeBufferPointer { flat in
            let base = flat.baseAddress! + place
            update(filter, base, base + 3, nine ? base + 6 : nil, result)
        }
    }

    var orientation: Quaternion { Quaternion(w: result[0], x: result[1], y: result[2], z: result[3]) }
}

/// `fusion-bench VQF-LIBRARY`: nanoseconds per sample of the orientation filter, beside VQF in the same process.
@main
struct FusionBench {
    static func main() {
        let library = CommandLine.arguments.dropFirst().first ?? ""
        let motion = Motion(rate: 285.7, seconds: 60)
        var contenders: [any FusionContender] = [
            OursContender(nine: false), OursContender(nine: false, jitter: 0.001), OursContender(nine: true),
        ]
        for nine in [false, true] {
            guard let peer = VQFContender(library: library, step: motion.step, nine: nine) else {
                FileHandle.standardError.write(
                    Data("fusion-bench: cannot open \(library): run Scripts/bench-fusion\n".utf8))
                exit(1)
            }
            contenders.append(peer)
        }
        let block = 200
        var next = [Int](repeating: 0, count: contenders.count)
        var times = [[Double]](repeating: [], count: contenders.count)
        for round in 0..<60 {
            for place in contenders.indices {
                // Another order in each round: nobody always follows the same neighbour.
                let index = (place + round) % contenders.count
                for _ in 0..<20 {
                    let took = run(&contenders[index], from: next[index], count: block, motion)
                    next[index] += block
                    if round > 5 { times[index].append(took / Double(block)) }
                }
            }
        }
        let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8).prefix(4)) ?? "?"
        print("ns per sample at 286 Hz, blocks of \(block); load average \(load)")
        for (index, contender) in contenders.enumerated() {
            let sorted = times[index].sorted()
            let truth = motion.truth[(next[index] - 1) % motion.truth.count]
            let e = contender.orientation * truth.conjugate
            let tilt = 2 * acos(min(1, (e.w * e.w + e.z * e.z).squareRoot())) * 180 / .pi
            print(
                "  \(contender.name.padding(toLength: 32, withPad: " ", startingAt: 0))"
                    + String(
                        format: " median %5.0f   p99 %5.0f   inclination error at the end %.2f°",
                        sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], tilt))
        }
    }

    private static func run(
        _ contender: inout any FusionContender, from start: Int, count: Int, _ motion: Motion
    ) -> Double {
        func timed<C: FusionContender>(_ own: inout C) -> Double {
            let before = prc_monotonic_nanoseconds()
            for index in start..<start + count { own.take(index, motion) }
            return Double(prc_monotonic_nanoseconds() - before)
        }
        if var ours = contender as? OursContender {
            // Out of the box and back, so that nothing is copied while the clock runs.
            contender = Empty()
            let took = timed(&ours)
            contender = ours
            return took
        }
        guard var peer = contender as? VQFContender else { return .nan }
        return timed(&peer)
    }
}

/// Holds a place.
private struct Empty: FusionContender {
    let name = ""
    let orientation = Quaternion.identity
    mutating func take(_ index: Int, _ motion: Motion) {}
}
