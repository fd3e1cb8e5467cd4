import CHDF5
import Foundation
import Geometry
import Testing

@testable import SOFA

/// Draft of a small room: 3 head yaws, 2 loudspeakers, 16 samples; the click of each response has a height of its own.
private struct RoomDraft {
    var draft = Draft()

    init(_ convention: String) {
        let cartesian = [("Type", "cartesian"), ("Units", "metre")]
        draft.attributes["SOFAConventions"] = convention
        draft.attributes["DataType"] = "FIR-E"
        draft.variables["SourcePosition"] = ([0, 0, 0], [1, 3], cartesian)
        draft.variables["EmitterPosition"] = ([2, 0, 0, 0, 2, 0], [2, 3, 1], cartesian)
        draft.variables["ListenerView"] = ([1, 0, 0, 0, 1, 0, 0, -1, 0], [3, 3], cartesian)
        var values: [Double] = []
        let isSamplesLast = convention == "MultiSpeakerBRIR"
        for m in 0..<3 {
            for r in 0..<2 {
                if isSamplesLast {
                    for e in 0..<2 { for n in 0..<16 { values.append(n == 4 ? RoomDraft.height(m, r, e) : 0) } }
                } else {
                    for n in 0..<16 { for e in 0..<2 { values.append(n == 4 ? RoomDraft.height(m, r, e) : 0) } }
                }
            }
        }
        draft.variables["Data.IR"] = (values, isSamplesLast ? [3, 2, 2, 16] : [3, 2, 16, 2], [])
        draft.variables["Data.Delay"] = ([1, 2], [1, 2], [])
    }

    static func height(_ m: Int, _ r: Int, _ e: Int) -> Double { Double(1 + m * 4 + r * 2 + e) }

    /// Writes the file, opens it, and passes the room to `body`.
    func read<T>(_ body: (BinauralRoom) throws -> T) throws -> T {
        let path = try draft.write()
        defer { Draft.remove(path) }
        return try body(try BinauralRoom(contentsOf: path))
    }

    func complaint() throws -> SOFAError? {
        do {
            _ = try read { _ in }
            return nil
        } catch let error as SOFAError {
            return error
        }
    }
}

@Suite("Binaural rooms in SOFA files")
struct BinauralRoomTests {
    @Test("axes are told apart: samples last in MultiSpeakerBRIR, emitters last in SingleRoomMIMOSRIR")
    func axes() throws {
        for convention in ["MultiSpeakerBRIR", "SingleRoomMIMOSRIR"] {
            try RoomDraft(convention).read { room in
                #expect(room.emitterCount == 2 && room.sampleCount == 16 && room.measurements.count == 3)
                for m in 0..<3 {
                    for e in 0..<2 {
                        let (left, right) = try room.responses(measurement: m, emitter: e, frames: 99)
                        #expect(left[4] == Float(RoomDraft.height(m, 0, e)), "\(convention)")
                        #expect(right[4] == Float(RoomDraft.height(m, 1, e)), "\(convention)")
                        #expect(left.count == 16 && left[3] == 0)
                        #expect(room.delay(measurement: m, receiver: 1, emitter: e) == 2)
                    }
                }
            }
        }
    }

    @Test("head yaws and loudspeakers' places are read in room coordinates")
    func places() throws {
        try RoomDraft("SingleRoomMIMOSRIR").read { room in
            #expect(room.measurements.map { Int(($0.yaw * 180 / .pi).rounded()) } == [0, 90, -90])
            #expect(room.measurements[1].offsets == [SIMD3(2, 0, 0), SIMD3(0, 2, 0)])
        }
        var turned = RoomDraft("SingleRoomMIMOSRIR")
        turned.draft.variables["SourceView"] = (
            [0, 1, 0], [1, 3], [("Type", "cartesian"), ("Units", "metre")]
        )
        turned.draft.variables["ListenerPosition"] = (
            [0, 1, 0], [1, 3], [("Type", "cartesian"), ("Units", "metre")]
        )
        try turned.read { room in
            // The source faces the room's left. Its front emitter is on that side, one metre beyond the listener.
            let offset = room.measurements[0].offsets[0] - SIMD3(0, 1, 0)
            #expect((offset * offset).sum() < 1e-20)
        }
    }

    @Test("SingleRoomSRIR has one loudspeaker per measurement, free-field labels are told")
    func single() throws {
        var draft = Draft()
        draft.attributes["SOFAConventions"] = "SingleRoomSRIR"
        let path = try draft.write()
        defer { Draft.remove(path) }
        let room = try BinauralRoom(contentsOf: path)
        #expect(room.measurements.count == 6 && room.emitterCount == 1 && !room.isLabelledFreeField)
        let hrir = try Draft().write()
        defer { Draft.remove(hrir) }
        #expect(try BinauralRoom(contentsOf: hrir).isLabelledFreeField)
        // The file is no set of free-field responses for --hrtf; the error names --room.
        #expect(complaint(path)?.description.contains("--room") == true)
    }

    @Test("what does not fit is refused with its reason")
    func faults() throws {
        var wrong = RoomDraft("MultiSpeakerBRIR")
        wrong.draft.variables["EmitterPosition"] = (
            [1, 0, 0, 2, 0, 0, 3, 0, 0], [3, 3, 1], [("Type", "cartesian"), ("Units", "metre")]
        )
        guard case .shape? = try wrong.complaint() else { return #expect(Bool(false), "3 emitters, 2 in the data") }
        var ears = RoomDraft("SingleRoomMIMOSRIR")
        ears.draft.variables["Data.IR"] = ([Double](repeating: 1, count: 3 * 4 * 8), [3, 4, 4, 2], [])
        guard case .shape? = try ears.complaint() else { return #expect(Bool(false), "4 receivers") }
        var moving = RoomDraft("SingleRoomMIMOSRIR")
        moving.draft.variables["EmitterPosition"] = (
            [Double](repeating: 1, count: 5) + [2] + [Double](repeating: 1, count: 12), [2, 3, 3],
            [("Type", "cartesian"), ("Units", "metre")]
        )
        guard case .value? = try moving.complaint() else { return #expect(Bool(false), "a moving emitter") }
        var empty = RoomDraft("SingleRoomMIMOSRIR")
        empty.draft.variables["EmitterPosition"] = ([], [2, 3, 0], [("Type", "cartesian"), ("Units", "metre")])
        guard case .shape? = try empty.complaint() else { return #expect(Bool(false), "emitters without positions") }
        var late = RoomDraft("SingleRoomMIMOSRIR")
        late.draft.variables["Data.Delay"] = ([0, 1e9], [1, 2], [])
        guard case .value? = try late.complaint() else { return #expect(Bool(false), "a delay of hours") }
        var nan = RoomDraft("SingleRoomMIMOSRIR")
        nan.draft.variables["Data.IR"]?.values[5 * 2] = .nan
        #expect(throws: SOFAError.self) { try nan.read { try $0.responses(measurement: 0, emitter: 0, frames: 16) } }
        var unknown = Draft()
        unknown.attributes["SOFAConventions"] = "GeneralTF"
        let path = try unknown.write()
        defer { Draft.remove(path) }
        #expect(throws: SOFAError.self) { try BinauralRoom(contentsOf: path) }
    }

    @Test("an empty variable of any number of measurements is refused")
    func empty() throws {
        var draft = RoomDraft("SingleRoomMIMOSRIR")
        draft.draft.variables["Data.IR"] = ([], [1 << 60, 0, 16, 2], [])
        guard case .shape? = try draft.complaint() else { return #expect(Bool(false)) }
    }

    @Test("a claim of terabytes is refused before anything is read")
    func bomb() throws {
        var draft = RoomDraft("SingleRoomMIMOSRIR")
        draft.draft.variables["Data.IR"] = nil
        draft.draft.finish = { file in
            var shape: [hsize_t] = [1 << 20, 2, 1 << 20, 2]
            var chunk: [hsize_t] = [1, 2, 64, 2]
            let space = H5Screate_simple(4, &shape, nil)
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_chunk(plan, 4, &chunk)
            H5Dclose(H5Dcreate2(file, "Data.IR", chdf5_native_double(), space, 0, plan, 0))
            H5Pclose(plan)
            H5Sclose(space)
        }
        guard case .refused? = try draft.complaint() else { return #expect(Bool(false)) }
    }
}
