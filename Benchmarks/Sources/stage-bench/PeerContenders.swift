import CPeers
import Geometry
import HRTF
import Signal

/// What a peer refused to do.
struct PeerRefusal: Error, CustomStringConvertible {
    let description: String
}

/// The responses of a workload for the head's pose at a time, written where a peer takes them from.
struct Responses {
    private let directions: [Direction<Stage>]
    private let handle: FieldHandle
    private let scratch: UnsafeMutablePointer<Float>
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>

    init(_ work: Workload) {
        directions = work.directions
        handle = work.field.handle
        scratch = AlignedMemory.allocate(Float.self, count: handle.scratchCount)
        scratch.initialize(repeating: 0, count: handle.scratchCount)
        left = AlignedMemory.allocate(Float.self, count: handle.tapCount)
        right = AlignedMemory.allocate(Float.self, count: handle.tapCount)
    }

    func deallocate() {
        scratch.deallocate()
        left.deallocate()
        right.deallocate()
    }

    /// Evaluates one source for a head-to-stage rotation.
    func evaluate(source: Int, headToStage: Rotation<Head, Stage>) {
        let seen = headToStage.inverse(directions[source]).unit
        handle.evaluate(x: seen.x, y: seen.y, z: seen.z, scratch: scratch, left: left, right: right)
    }
}

/// zita-convolver 4 with the head still.
final class ZitaContender: Contender {
    let name = "zita-convolver 4"
    let isMoving = false
    private let engine: OpaquePointer
    private let programme: Programme

    init(_ work: Workload, _ programme: Programme) throws {
        guard let engine = peer_zita_create(work.sources, work.slice, work.taps) else {
            throw PeerRefusal(description: "zita-convolver refused \(work.sources) sources at \(work.slice) frames")
        }
        self.engine = engine
        self.programme = programme
        let responses = Responses(work)
        defer { responses.deallocate() }
        for source in 0..<work.sources {
            responses.evaluate(source: source, headToStage: .identity)
            peer_zita_set(engine, source, responses.left, responses.right)
        }
    }

    deinit { peer_zita_destroy(engine) }

    func render(block index: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        let flags = programme.block(index).withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: 1) {
            peer_zita_process(engine, $0, left, right)
        }
        precondition(flags == 0, "zita-convolver reports \(flags)")
    }
}

/// Our FFTW baseline.
final class FFTWContender: Contender {
    /// How its filters move.
    enum Motion {
        case still
        /// Spectra of 256 directions are ready; each block takes the next. No interpolation, no transforms of filters.
        case table
        /// Each block evaluates the field and transforms the filters of every source, as the stage does.
        case fresh
    }

    let name: String
    let isMoving: Bool
    private let motion: Motion
    private let engine: OpaquePointer
    private let programme: Programme
    private let responses: Responses
    private let work: Workload
    private var old: [Int]
    private var new: [Int]

    init(_ work: Workload, _ programme: Programme, _ motion: Motion) throws {
        self.work = work
        self.motion = motion
        self.programme = programme
        isMoving = motion != .still
        name = motion == .table ? "FFTW baseline, table of filters" : "FFTW baseline"
        let rows = motion == .table ? 256 : 2 * work.sources
        guard let engine = peer_fftw_create(work.sources, work.slice, work.taps, rows) else {
            throw PeerRefusal(description: "the FFTW baseline found no memory for \(rows) filters")
        }
        self.engine = engine
        responses = Responses(work)
        old = Array(0..<work.sources)
        new = Array(work.sources..<(2 * work.sources))
        if motion == .table {
            for row in 0..<256 {
                let turned = Rotation<Head, Stage>(yaw: Double(row) / 256 * 2 * .pi)
                responses.evaluate(source: row % work.sources, headToStage: turned)
                peer_fftw_set(engine, row, responses.left, responses.right)
            }
        } else {
            prepare(old, at: 0)
        }
    }

    deinit {
        peer_fftw_destroy(engine)
        responses.deallocate()
    }

    private func prepare(_ rows: [Int], at seconds: Double) {
        let pose = motion == .still ? .identity : Turn.headToStage(at: seconds)
        for source in 0..<work.sources {
            responses.evaluate(source: source, headToStage: pose)
            peer_fftw_set(engine, rows[source], responses.left, responses.right)
        }
    }

    func render(block index: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        switch motion {
        case .still: break
        case .table:
            for source in 0..<work.sources {
                old[source] = (source * 17 + index) % 256
                new[source] = (source * 17 + index + 1) % 256
            }
        case .fresh:
            prepare(new, at: Double((index + 1) * work.slice) / work.field.sampleRate.hertz)
        }
        programme.block(index).withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: 1) { inputs in
            if motion == .still {
                peer_fftw_static(engine, inputs, old, left, right)
            } else {
                peer_fftw_moving(engine, inputs, old, new, left, right)
            }
        }
        if motion == .fresh { swap(&old, &new) }
    }
}

/// A part of ours: interpolating the responses of all sources, nothing else. What the table of filters spares the peers.
final class InterpolationContender: Contender {
    let name = "of which interpolating responses"
    let isMoving = true
    private let work: Workload
    private let responses: Responses

    init(_ work: Workload) {
        self.work = work
        responses = Responses(work)
    }

    deinit { responses.deallocate() }

    func render(block index: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        let pose = Turn.headToStage(at: Double((index + 1) * work.slice) / work.field.sampleRate.hertz)
        for source in 0..<work.sources { responses.evaluate(source: source, headToStage: pose) }
    }
}
