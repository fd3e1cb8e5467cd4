import Geometry
import Glibc
import IMU

/// The orientation filter of one IMU.
final class FusionContender: Contender {
    /// Number of samples in a step.
    static let block = 200
    let name: String
    let role = Role.ours
    private var filter: InertialFilter
    private let motion: Motion

    init(_ motion: Motion, nine: Bool) {
        name = "Proscenium, \(nine ? 9 : 6) axes"
        var options = InertialOptions()
        options.usesField = nine
        filter = InertialFilter(options: options)
        self.motion = motion
    }

    func step(_ index: Int, into output: Output) {
        FusionContender.run(&filter, motion, index)
    }

    private static func run(_ filter: inout InertialFilter, _ motion: Motion, _ index: Int) {
        for sample in (index * block)..<((index + 1) * block) {
            filter.take(motion.samples[sample % motion.samples.count], at: Double(sample) * motion.step)
        }
    }
}

/// VQF's original C++ code, from a library that `Scripts/bench` builds.
final class VQFContender: Contender {
    let name: String
    let remark = "version 2.1.2"
    private typealias Make = @convention(c) (Double) -> UnsafeMutableRawPointer?
    private typealias Take =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<Double>?, UnsafePointer<Double>?, UnsafePointer<Double>?,
            UnsafeMutablePointer<Double>?
        ) -> Void
    private let filter: UnsafeMutableRawPointer?
    private let update: Take
    private let motion: Motion
    private let nine: Bool
    private let result: UnsafeMutablePointer<Double>

    init(_ motion: Motion, nine: Bool) throws {
        guard let library = Shared.vqf, let handle = dlopen(library, RTLD_NOW),
            let make = dlsym(handle, "vqf_peer_new"), let take = dlsym(handle, "vqf_peer_take")
        else {
            throw Refusal("VQF's library is not there: Scripts/bench fetches and builds it where there is a network")
        }
        name = "VQF, \(nine ? 9 : 6) axes"
        filter = unsafeBitCast(make, to: Make.self)(motion.step)
        update = unsafeBitCast(take, to: Take.self)
        self.motion = motion
        self.nine = nine
        result = .allocate(capacity: 4)
        result.initialize(repeating: 0, count: 4)
    }

    deinit { result.deallocate() }

    func step(_ index: Int, into output: Output) {
        motion.flat.withUnsafeBufferPointer { flat in
            guard let base = flat.baseAddress else { return }
            for sample in (index * FusionContender.block)..<((index + 1) * FusionContender.block) {
                let start = base + sample % motion.samples.count * 9
                update(filter, start, start + 3, nine ? start + 6 : nil, result)
            }
        }
    }
}
