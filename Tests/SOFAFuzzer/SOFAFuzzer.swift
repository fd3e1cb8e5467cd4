import CHDF5
import Dispatch
import Foundation
import Glibc
import SOFA

/// Entry points for libFuzzer: any bytes as a SOFA file, through every reader of such files. `Scripts/fuzz-sofa` builds
/// it, not the package: libFuzzer has its own `main`.
private let (folder, path) = {
    let folder = "/dev/shm/sofa-fuzzer-\(getpid())"
    mkdir(folder, 0o700)
    // The first input may be refused before the reader opens the library; its count of objects would open it otherwise.
    H5dont_atexit()
    atexit { try? FileManager.default.removeItem(atPath: "/dev/shm/sofa-fuzzer-\(getpid())") }
    return (folder, folder + "/file.sofa")
}()

/// Reads one file in every way; each error must name it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Shorter input is no HDF5 file: the check of the first bytes refuses it.
    guard let bytes, count > 16 else { return 0 }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(file >= 0 && write(file, bytes, count) == count)
    close(file)
    let isRefused = attempt {
        switch try SOFAContent(path: path) {
        case .freeField(let set):
            precondition(set.responses.count == 2 * set.measurementCount * set.sampleCount)
            precondition(set.responses.allSatisfy { abs($0) < 1e30 } && set.delays.allSatisfy(\.isFinite))
        case .room(let room):
            for measurement in room.measurements.indices.prefix(8) {
                for emitter in 0..<min(4, room.emitterCount) {
                    let pair = try room.responses(measurement: measurement, emitter: emitter, frames: 4096)
                    precondition(pair.left.count == min(4096, room.sampleCount) && pair.right.count == pair.left.count)
                }
            }
        case .headphones(let set):
            precondition(set.responses.count == 2 * set.refitCount * set.sampleCount)
        }
        // Compression takes longer than all other steps: about a quarter of the inputs get it.
        guard count & 7 == 0 || bytes[count / 2] & 7 == 0 else { return }
        try SOFAConversion(contentsOf: path, by: .init(version: "1", date: "2026-11-25 12:00:00"))
            .write(to: folder + "/new.sofa", isReplacing: true)
    }
    let done = DispatchSemaphore(value: 0)
    Task {
        let inspection = SOFAInspection(path)
        if let summary = try? await SOFASummary(inspection) {
            precondition(summary.places.value?.directions.allSatisfy { $0.unit.x.isFinite } != false)
            _ = try? await inspection.levels.load()
        }
        await inspection.close()
        done.signal()
    }
    done.wait()
    // Every object is closed, in all files and of all kinds (H5F_OBJ_ALL, which Swift does not import). Memory that
    // libhdf5 itself leaks is not counted, see Scripts/fuzz-sofa.
    let open = H5Fget_obj_count(0x1f, 0x1f)
    // libhdf5 cannot close some objects of a damaged file.
    if isRefused { stuck = open }
    precondition(open == stuck, "\(open) objects are open still")
    return 0
}

/// Count of objects of refused files that libhdf5 could not close.
nonisolated(unsafe) private var stuck = 0

/// Does some work; returns whether it was refused.
private func attempt(_ work: () throws -> Void) -> Bool {
    do { try work() } catch {
        precondition("\(error)".contains(folder), "a complaint without the file's name: \(error)")
        return true
    }
    return false
}

/// Damages HDF5's structures in half of the calls; mutates as libFuzzer does in the others, half of them with mended
/// checksums.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt) -> Int {
    if seed & 1 == 0 {
        let size = mutateBytes(bytes, count, most)
        guard seed & 2 == 0 else { return size }
        var made = Array(UnsafeBufferPointer(start: bytes, count: size))
        HDF5Mutation.mendChecksums(&made)
        made.withUnsafeBufferPointer { bytes.update(from: $0.baseAddress!, count: size) }
        return size
    }
    var mutation = HDF5Mutation(seed: UInt64(seed))
    let made = mutation.bytes(Array(UnsafeBufferPointer(start: bytes, count: count)))
    let size = min(most, made.count)
    made.withUnsafeBufferPointer { bytes.update(from: $0.baseAddress!, count: size) }
    return size
}

@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int
