import AudioIO
import Foundation
import HRTF
import Signal
import Sweeps
import Takes

/// Folder of a measurement. It contains a text file that describes the sweeps, and a sound file for each good take:
/// `look_30.wav`, named by the yaw of the head, or `fit_2.wav`, named by the number of the fit (each time the
/// headphones are put on). An interrupted measurement continues with the missing takes.
package struct MeasurementFolder: Sendable {
    /// Kind of the takes in a folder.
    package enum Takes: Sendable {
        /// Takes at several directions of the head (looks), by yaw in degrees.
        case looks
        /// Takes of several fits of headphones, by number.
        case fits

        /// Beginning of the names of files.
        fileprivate var prefix: String { self == .looks ? "look_" : "fit_" }
        /// A take counts as the planned one if their numbers differ by less than this: 5° for looks, 0.5 for fits.
        fileprivate var near: Double { self == .looks ? 5 : 0.5 }
    }

    /// Path of the folder.
    package let path: String
    /// Kind of the takes.
    package let kind: Takes

    /// Name of the text file.
    private static let text = "sweeps.json"

    /// Refers to a folder, which need not exist.
    package init(_ path: String, of kind: Takes = .looks) { (self.path, self.kind) = (path, kind) }

    /// Path of the text file that describes the sweeps.
    package var sweeps: String { path + "/" + Self.text }
    /// Path of the room's SOFA file.
    package var room: String { path + "/" + MeasuredPerson.File.room.name }
    /// Path of the ears' SOFA file.
    package var ears: String { path + "/" + MeasuredPerson.File.ears.name }
    /// Path of the headphones' SOFA file.
    package var headphones: String { path + "/" + MeasuredPerson.File.headphones.name }

    /// Opens the folder for these sweeps: makes it, or reads the former measurement in it. The former level may differ.
    ///
    /// - Returns: the sweeps of the former measurement; nil without one.
    /// - Throws: `input` if the folder cannot be read, or contains other files, a faulty text file or a measurement
    ///   with other sweeps; `text` if the folder cannot be made.
    func open(for wanted: PlayedSweeps) throws(ResponseError) -> PlayedSweeps? {
        if mkdir(path, 0o777) == 0 { return nil }
        guard errno == EEXIST else { throw .text(.system(path: path, code: errno)) }
        // A folder that cannot be read may hold a measurement, whose text must not be replaced.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw .input("\(path) is no folder that can be read; name a new folder, or that of a measurement")
        }
        guard names.contains(Self.text) else {
            guard names.allSatisfy({ $0.hasPrefix(".") && $0.hasSuffix(".part") }) else {
                throw .input("\(path) holds other files; name a new folder, or that of a measurement")
            }
            return nil
        }
        let former = try PlayedSweeps(contentsOf: sweeps)
        guard former.at(level: 0).text == wanted.at(level: 0).text else {
            throw .input(
                "\(path) holds a measurement with other loudspeakers, sweeps or another sample rate; use the "
                    + "settings of that measurement, or name another folder")
        }
        return former
    }

    /// Good takes and their yaws in degrees, or the numbers of their fits, ascending.
    package var takes: [(path: String, yaw: Double)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name in
            guard name.hasPrefix(kind.prefix), name.hasSuffix(".wav") else { return nil }
            guard let number = TakeFileName.yaw(in: String(name.dropLast(4))) else { return nil }
            // A file that the user has renamed is not counted.
            guard name == Self.name(number, of: kind), kind == .looks || number >= 1 else { return nil }
            return (path + "/" + name, number)
        }.sorted { $0.yaw < $1.yaw }
    }

    /// Returns the name of a take's file: `look_30.wav`, `look_29.4.wav`.
    private static func name(_ number: Double, of kind: Takes) -> String {
        let number = (number * 10).rounded() / 10 + 0
        let text = number == number.rounded() ? String(format: "%.0f", number) : String(number)
        return kind.prefix + text + ".wav"
    }

    /// Returns whether the folder contains a take of a look, or of a fit.
    package func holds(_ yaw: Double) -> Bool { !paths(of: yaw).isEmpty }

    /// Returns the paths of the takes of a look, or of a fit.
    private func paths(of yaw: Double) -> [String] {
        takes.filter { abs(remainder($0.yaw - yaw, 360)) < kind.near }.map(\.path)
    }

    /// Renames the takes of a look, so that they no longer count as takes: `look_30.wav` becomes `look_30_former.wav`.
    /// Returns the former and the new path of each.
    func setAside(_ yaw: Double) throws(ResponseError) -> [(from: String, to: String)] {
        var moved: [(from: String, to: String)] = []
        for path in paths(of: yaw) {
            let name = String(path.dropLast(4)) + "_former"
            var (free, number) = (name + ".wav", 1)
            while access(free, F_OK) == 0 {
                number += 1
                free = "\(name)-\(number).wav"
            }
            guard rename(path, free) == 0 else { throw .text(.system(path: path, code: errno)) }
            moved.append((path, free))
        }
        return moved
    }

    /// Writes the text file that describes the sweeps.
    func write(_ sweeps: PlayedSweeps) throws(ResponseError) {
        do throws(TakeError) { try UnnamedFile.write(sweeps.text, to: self.sweeps, replaces: true) } catch {
            throw .text(error)
        }
    }

    /// Writes a take; the file appears when it is complete. Returns its path.
    func write(_ take: ExchangedTake, yaw: Double, sampleRate: SampleRate) throws(ResponseError) -> String {
        let name = Self.name(yaw, of: kind)
        let block = PlanarBlock(channels: 2, frames: take.left.count)
        for i in take.left.indices { (block[0][i], block[1][i]) = (take.left[i], take.right[i]) }
        do throws(SoundFileError) {
            let writer = try SoundFileWriter(path: path + "/" + name, channels: 2, sampleRate: sampleRate)
            try writer.write(block, frames: take.left.count)
            try writer.finish()
        } catch { throw .sound(error) }
        return path + "/" + name
    }
}
