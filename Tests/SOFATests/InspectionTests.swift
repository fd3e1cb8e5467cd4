import AbsentPlaces
import CHDF5
import Foundation
import Synchronization
import Testing

@testable import SOFA

@Suite("Looking at a file piece by piece") struct InspectionTests {
    /// Record of the phases of each property, in order.
    private final class Log: Sendable {
        private let told = Mutex<[(SOFAInspection.Name, InspectionPhase)]>([])
        var take: @Sendable (SOFAInspection.Name, InspectionPhase) -> Void {
            { [self] name, phase in told.withLock { $0.append((name, phase)) } }
        }
        func phases(_ name: SOFAInspection.Name) -> [InspectionPhase] {
            told.withLock { $0.filter { $0.0 == name }.map(\.1) }
        }
    }

    @Test("libhdf5 lets one thread in at a time") func threads() {
        var isSafe: hbool_t = false
        #expect(H5is_library_threadsafe(&isSafe) >= 0 && isSafe)
    }

    @Test("a property is not loaded, loading, loaded, and told so in this order") func order() async throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        let log = Log()
        let inspection = SOFAInspection(path, whenChanged: log.take)
        guard case .notLoaded = inspection.shape.status else {
            Issue.record("loaded before anybody asked")
            return
        }
        #expect(try await inspection.shape.load() == [6, 2, 32])
        #expect(log.phases(.shape) == [.loading(0), .loaded])
        guard case .loaded([6, 2, 32]) = inspection.shape.status else {
            Issue.record("not loaded")
            return
        }
        // No other property was loaded, and a loaded property is not read again.
        #expect(log.phases(.places).isEmpty && log.phases(.texts).isEmpty)
        _ = try await inspection.shape.load()
        #expect(log.phases(.shape).count == 2)
        inspection.shape.unload()
        #expect(log.phases(.shape).last == .notLoaded)
        _ = try await inspection.shape.load()
        #expect(log.phases(.shape).count == 5)
    }

    @Test("what fails has its error, while the others are loaded") func faults() async throws {
        var draft = Draft()
        draft.variables["SourcePosition"] = nil
        let path = try draft.write()
        defer { Draft.remove(path) }
        let log = Log()
        let inspection = SOFAInspection(path, whenChanged: log.take)
        await #expect(throws: SOFAError.incomplete(path: path, missing: "variable SourcePosition")) {
            _ = try await inspection.places.load()
        }
        #expect(try await inspection.sampleRate.load() == 48_000)
        #expect(try await inspection.texts.load().attributes["Title"] == "draft")
        #expect(try await inspection.levels.load().peaks == [1, 1])
        #expect(
            log.phases(.places)
                == [.loading(0), .failed(.incomplete(path: path, missing: "variable SourcePosition"))])
        // A second load throws the same error without reading.
        await #expect(throws: SOFAError.self) { _ = try await inspection.places.load() }
        #expect(log.phases(.places).count == 2)
    }

    @Test("a file that is none fails as a whole, property by property") func missing() async {
        let path = AbsentPlace.path("all.sofa")
        let inspection = SOFAInspection(path)
        await #expect(throws: SOFAError.missing(path: path)) { _ = try await inspection.shape.load() }
        await #expect(throws: SOFAError.missing(path: path)) {
            _ = try await inspection.responses.load()
        }
    }

    /// Writes a headphone file in chunks of 16 measurements, 16 MB of values each: every chunk is a block of its own.
    private static func large(_ measurements: Int) throws -> String {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.variables["SourcePosition"] = (
            (0..<measurements).flatMap { [Double($0), 0, 1] }, [measurements, 3],
            [("Type", "spherical"), ("Units", "degree, degree, metre")]
        )
        draft.attributes["SOFAConventions"] = "SimpleHeadphoneIR"
        let samples = 1 << 16
        draft.finish = { file in
            let space = H5Screate_simple(3, [hsize_t(measurements), 2, hsize_t(samples)], nil)
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_chunk(plan, 3, [16, 2, hsize_t(samples)])
            H5Pset_deflate(plan, 1)
            let dataset = H5Dcreate2(file, "Data.IR", chdf5_ieee_f64le(), space, 0, plan, 0)
            let values = (0..<(measurements * 2 * samples)).map { Float($0 & 1023) }
            H5Dwrite(dataset, chdf5_native_float(), 0, 0, 0, values)
            H5Dclose(dataset)
            H5Sclose(space)
            H5Pclose(plan)
        }
        return try draft.write()
    }

    @Test("progress only rises, from nothing to all, in as many steps as there are blocks") func progress() async throws
    {
        let path = try Self.large(96)
        defer { Draft.remove(path) }
        let log = Log()
        let inspection = SOFAInspection(path, whenChanged: log.take)
        _ = try await inspection.levels.load()
        let shares = log.phases(.levels).compactMap { if case .loading(let share) = $0 { share } else { nil } }
        #expect(shares.count >= 6 && shares.first == 0 && shares.last == 1)
        #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
        #expect(log.phases(.levels).last == .loaded)
    }

    @Test("a cancelled load ends with the block it is at, keeps nothing, and can be asked for again")
    func cancelling() async throws {
        let path = try Self.large(96)
        defer { Draft.remove(path) }
        let log = Log()
        let cancel = Mutex<(@Sendable () -> Void)?>(nil)
        let inspection = SOFAInspection(path) { name, phase in
            log.take(name, phase)
            // Cancels when the first block is done.
            if case .loading(let share) = phase, share > 0 { cancel.withLock { $0 }?() }
        }
        let task = Task { try await inspection.responses.load() }
        cancel.withLock { $0 = { task.cancel() } }
        let result = await task.result
        #expect(throws: SOFAError.cancelled(path: path)) { try result.get() }
        let shares = log.phases(.responses).compactMap { if case .loading(let share) = $0 { share } else { nil } }
        // The load may finish a block before `cancel` is set; after the cancellation it reads none.
        #expect(shares.count <= 3, "\(shares)")
        #expect(log.phases(.responses).last == .notLoaded)
        guard case .notLoaded = inspection.responses.status else {
            Issue.record("kept")
            return
        }
        // Other properties load meanwhile, and the next load of the responses succeeds.
        cancel.withLock { $0 = nil }
        #expect(try await inspection.shape.load() == [96, 2, 1 << 16])
        guard case .headphones(let set) = try await inspection.responses.load() else {
            Issue.record("no headphone")
            return
        }
        #expect(set.refitCount == 96)
        await inspection.close()
    }

    @Test("a task that asks while it is being loaded gets the same") func together() async throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        let log = Log()
        let inspection = SOFAInspection(path, whenChanged: log.take)
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<20 { group.addTask { try await inspection.shape.load() } }
            for try await shape in group { #expect(shape == [6, 2, 32]) }
        }
        #expect(log.phases(.shape) == [.loading(0), .loaded])
    }

    @Test("a folder of files comes in order, a few at a time, and stops where no more is wanted") func batch() async {
        let running = Mutex((now: 0, most: 0))
        let paths = (0..<500).map { "\($0)" }
        var got: [String] = []
        let isDone = await FileBatch.run(paths, width: 3) { index, path in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            if index % 7 == 0 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return path
        } deliver: { index, value in
            #expect(value == "\(index)")
            got.append(value)
            return true
        }
        #expect(isDone && got == paths)
        #expect(running.withLock { $0.most } <= 3)
        var few = 0
        let isStopped = await FileBatch.run(paths, width: 3) { _, path in
            path
        } deliver: { _, _ in
            few += 1
            return few < 10
        }
        #expect(!isStopped && few == 10)
    }
}
