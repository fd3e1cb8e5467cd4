import CHDF5
import Foundation
import Testing

@testable import SOFA

@Suite("Rooms of which little is read")
struct RoomSlicesTests {
    /// Samples of each response: 11 s at 48 kHz.
    private static let samples = 1 << 19

    /// Writes a room of 2048 measurements of 11 s each, 8.6 GB of numbers in 4 MB of file: every response is noise in
    /// its first 2000 samples and zeros after them, and all chunks are copies of one deflated chunk.
    private func write() throws -> String {
        var draft = Draft()
        let count = 2048
        draft.attributes["SOFAConventions"] = "SingleRoomSRIR"
        draft.variables["Data.IR"] = nil
        draft.variables["SourcePosition"] = ([2, 0, 0], [1, 3], [("Type", "cartesian"), ("Units", "metre")])
        draft.variables["ListenerView"] = (
            (0..<count).flatMap { [cos(Double($0) * 0.003), sin(Double($0) * 0.003), 0] }, [count, 3],
            [("Type", "cartesian"), ("Units", "metre")]
        )
        draft.finish = { file in
            let shape: [hsize_t] = [hsize_t(count), 2, hsize_t(Self.samples)]
            let chunk: [hsize_t] = [1, 2, hsize_t(Self.samples)]
            let space = H5Screate_simple(3, shape, nil)
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_chunk(plan, 3, chunk)
            H5Pset_deflate(plan, 9)
            let dataset = H5Dcreate2(file, "Data.IR", chdf5_native_float(), space, 0, plan, 0)
            var values = [Float](repeating: 0, count: 2 * Self.samples)
            for i in 0..<2000 {
                values[i] = Float((i * 7919) % 1013) / 1013 - 0.5
                values[Self.samples + i] = values[i]
            }
            let one: [hsize_t] = [1, 2, hsize_t(Self.samples)]
            let memory = H5Screate_simple(3, one, nil)
            H5Sselect_hyperslab(space, H5S_SELECT_SET, [0, 0, 0], nil, one, nil)
            H5Dwrite(dataset, chdf5_native_float(), memory, space, 0, values)
            H5Dflush(dataset)
            var packed: hsize_t = 0
            H5Dget_chunk_storage_size(dataset, [0, 0, 0], &packed)
            var bytes = [UInt8](repeating: 0, count: Int(packed))
            var mask: UInt32 = 0
            H5Dread_chunk(dataset, 0, [0, 0, 0], &mask, &bytes)
            for row in 1..<count { H5Dwrite_chunk(dataset, 0, mask, [hsize_t(row), 0, 0], bytes.count, bytes) }
            H5Sclose(memory)
            H5Sclose(space)
            H5Pclose(plan)
            H5Dclose(dataset)
        }
        return try draft.write()
    }

    @Test("of 8 GB of responses only what is asked for is read") func onlyWhatIsAskedFor() throws {
        let path = try write()
        defer { Draft.remove(path) }
        let room = try BinauralRoom(contentsOf: path)
        #expect(room.sampleCount == Self.samples && room.measurements.count == 2048)
        let (left, right) = try room.responses(measurement: 2047, emitter: 0, frames: 3000)
        #expect(left.count == 3000 && left == right && left[1] != 0 && left[2500] == 0)
        // A request for more frames than the response has returns all it has.
        #expect(try room.responses(measurement: 0, emitter: 0, frames: .max).left.count == Self.samples)
    }

    @Test("more loudspeakers and turns of the head than memory has room for are refused before they are read")
    func tooMany() throws {
        var draft = Draft()
        draft.attributes["SOFAConventions"] = "SingleRoomSRIR"
        draft.variables["Data.IR"] = nil
        draft.finish = { file in
            let space = H5Screate_simple(3, [70_000, 2, 8], nil)
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_chunk(plan, 3, [70_000, 2, 8])
            H5Pset_deflate(plan, 1)
            let dataset = H5Dcreate2(file, "Data.IR", chdf5_native_float(), space, 0, plan, 0)
            let noise = (0..<(70_000 * 16)).map { Float(($0 * 7919) % 10_007) }
            H5Dwrite(dataset, chdf5_native_float(), 0, 0, 0, noise)
            H5Dclose(dataset)
            H5Pclose(plan)
            H5Sclose(space)
        }
        let path = try draft.write()
        defer { Draft.remove(path) }
        let error = #expect(throws: SOFAError.self) { try BinauralRoom(contentsOf: path) }
        #expect(error?.reason.contains("65536 responses") == true, "\(String(describing: error))")
    }

    @Test("a room without dimensions is refused") func noDimensions() throws {
        var draft = Draft()
        draft.attributes["SOFAConventions"] = "MultiSpeakerBRIR"
        draft.attributes["DataType"] = "FIRE"
        draft.variables["Data.IR"] = nil
        draft.variables["EmitterPosition"] = ([1, 0, 0], [1, 3, 1], [])
        draft.finish = { file in
            let space = H5Screate(H5S_SCALAR)
            H5Dclose(H5Dcreate2(file, "Data.IR", chdf5_native_double(), space, 0, 0, 0))
            H5Sclose(space)
        }
        let path = try draft.write()
        defer { Draft.remove(path) }
        guard case .shape = #expect(throws: SOFAError.self, performing: { try BinauralRoom(contentsOf: path) }) else {
            return #expect(Bool(false))
        }
    }

    @Test("variables of more values than make sense are refused before they are read")
    func longVariables() throws {
        var draft = Draft()
        draft.variables["SourcePosition"] = nil
        draft.finish = { file in
            let space = H5Screate_simple(2, [1 << 20, 3], nil)
            let dataset = H5Dcreate2(file, "SourcePosition", chdf5_native_double(), space, 0, 0, 0)
            let values = [Double](repeating: 1, count: 3 << 20)
            H5Dwrite(dataset, chdf5_native_double(), 0, 0, 0, values)
            H5Dclose(dataset)
            H5Sclose(space)
        }
        let error = try draft.complaint()
        guard case .refused = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(error?.reason.contains("more than 18") == true)
    }

    @Test("a file is opened as what it says it is, and a fault is told as its own")
    func content() throws {
        var draft = Draft()
        let hrir = try draft.write()
        defer { Draft.remove(hrir) }
        guard case .freeField = try SOFAContent(path: hrir) else { return #expect(Bool(false)) }
        draft.attributes["SOFAConventions"] = "SingleRoomSRIR"
        let path = try draft.write()
        defer { Draft.remove(path) }
        guard case .room(let room) = try SOFAContent(path: path) else { return #expect(Bool(false)) }
        #expect(room.measurements.count == 6)
        draft.variables["Data.SamplingRate"] = nil
        let spoilt = try draft.write()
        defer { Draft.remove(spoilt) }
        // The error names what the room lacks, not that the file is no free-field set.
        let error = #expect(throws: SOFAError.self) { try SOFAContent(path: spoilt) }
        #expect(error?.reason.contains("Data.SamplingRate") == true)
    }
}
