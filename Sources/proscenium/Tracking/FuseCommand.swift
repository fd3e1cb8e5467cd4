import ArgumentParser
import Foundation
import Gate
import Geometry
import HeadTracking
import IMU

/// `proscenium fuse`: converts raw samples of an IMU (standard input) to orientations (standard output).
struct FuseCommand: ParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "fuse", abstract: "Turns raw IMU samples into orientations.",
        discussion: """
            Reads lines "t,gx,gy,gz,ax,ay,az[,mx,my,mz]" without a header. t is in seconds and rises, at any rate, even or \
            uneven. Angular rates are in rad/s. Specific force is in m/s² (at rest it points up with 9.81). The magnetic \
            field is in any unit. Axes are x front, y left, z up, or any right-handed axes of the sensor.

            Writes a line "t,w,x,y,z" as soon as each line is read: a unit quaternion, body to earth, z up. The heading \
            begins at 0 and drifts slowly. With --magnetometer, x is east and y magnetic north. Over a gap of more than 0.5 s \
            the heading is kept, and the inclination is measured anew. Times that scatter about a regular rate are made regular.

            --uncertainty appends the heading's standard deviation in degrees, against the heading at the start or, with \
            --magnetometer, against the field.

            --device FILE reads the samples of another IMU on the same vehicle, in the same form and on the same clock. The \
            output is then head to device, as in 'run' and 'track'. Both filters use the common motion of the vehicle. \
            Neither the pull to the front nor the forecast is applied.

            Example:
              proscenium fuse < imu.csv > poses.csv
              proscenium fuse --uncertainty --set largest-bias=20 < cheap.csv > poses.csv
              proscenium fuse --device car.csv < head.csv > head-in-car.csv
              cut -d, -f1-7 imu.csv | proscenium fuse | tail -n 1
            """)

    @Flag(help: "Take the heading from the magnetometer (mx,my,mz in every line).")
    var magnetometer = false

    @Option(
        help: ArgumentHelp(
            "Time constant with which the inclination follows the accelerometer.", valueName: "seconds"))
    var inclinationTime = InertialOptions().inclinationTime

    @Option(
        help: ArgumentHelp(
            "With --magnetometer: time constant with which the heading follows the magnetometer (default: 60).",
            valueName: "seconds"))
    var headingTime: Double?

    @Flag(help: "Append the heading's standard deviation, degrees, to every line.")
    var uncertainty = false

    @Option(
        help: ArgumentHelp("Samples of the device or vehicle that the head is tracked against.", valueName: "file"),
        completion: .file())
    var device: String?

    @Option(
        help: ArgumentHelp(
            "Set one of the filter's constants, in the unit that --constants lists; may be repeated.",
            valueName: "name=value"))
    var set: [InertialSetting] = []

    @Flag(
        help:
            "List the filter's constants, separated by tabs (name, unit, value, data on which it was chosen), and end.")
    var constants = false

    func check() throws {
        guard inclinationTime.isFinite, inclinationTime >= 0.1, inclinationTime <= 1000 else {
            throw ValidationError("--inclination-time takes seconds from 0.1 to 1000")
        }
        guard let headingTime else { return }
        guard magnetometer else { throw ValidationError("--heading-time has no effect without --magnetometer") }
        guard headingTime.isFinite, headingTime >= 0.1, headingTime <= 1000 else {
            throw ValidationError("--heading-time takes seconds from 0.1 to 1000")
        }
    }

    func run() throws {
        var options = InertialOptions()
        options.inclinationTime = inclinationTime
        options.usesField = magnetometer
        options.headingTime = headingTime ?? options.headingTime
        for setting in set { setting.apply(to: &options) }
        if constants {
            for row in InertialConstant.all {
                let value = (row.value(in: options) * 1e9).rounded() / 1e9
                print(row.name, row.unit, value, row.chosenOn, separator: "\t")
            }
            return
        }
        var fusion =
            if let device {
                InertialTable(
                    device: try Self.samples(of: device, usesField: magnetometer), options: options,
                    tellsUncertainty: uncertainty)
            } else {
                InertialTable(options: options, tellsUncertainty: uncertainty)
            }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(.environment, "cannot read standard input: \(String(cString: strerror(errno)))")
            }
            output.removeAll(keepingCapacity: true)
            // The orientations before a faulty line are still written.
            let fault = Result { () throws(InertialTableError) in
                if count == 0 { try fusion.end(into: &output) } else { try fusion.take(chunk[..<count], into: &output) }
            }
            try write(output)
            if case .failure(let error) = fault { throw Failure(.input, error.description) }
            if count == 0 { break }
        }
        if fusion.rowCount == 0 {
            throw Failure(.input, "no samples on standard input; give lines t,gx,gy,gz,ax,ay,az[,mx,my,mz]")
        }
        for remark in fusion.remarks { FileHandle.standardError.write(Data("fuse: \(remark)\n".utf8)) }
    }

    /// Returns all samples of a file.
    private static func samples(of path: String, usesField: Bool) throws -> [InertialRows.Row] {
        let content: [UInt8]
        do throws(BoundedFile.Refusal) { content = try BoundedFile.bytes(of: path, most: 1 << 30) } catch {
            throw Failure(.input, "cannot read \(path): \(error)")
        }
        var (rows, found) = (InertialRows(usesField: usesField), [InertialRows.Row]())
        do throws(InertialTableError) {
            try rows.take(content[...]) { found.append($0) }
            try rows.end { found.append($0) }
        } catch { throw Failure(.input, "\(path): \(error)") }
        guard !found.isEmpty else { throw Failure(.input, "\(path) has no samples") }
        return found
    }

    private func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Failure(.environment, "cannot write standard output: \(String(cString: strerror(errno)))")
            }
        }
    }
}

/// A constant of the filter and its value, as `--set` takes them.
struct InertialSetting: ExpressibleByArgument {
    private let constant: InertialConstant
    private let value: Double

    /// Parses `argument`; nil for an unknown constant or a value out of its range.
    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        var scratch = InertialOptions()
        guard parts.count == 2, let value = Double(parts[1]),
            let constant = InertialConstant.all.first(where: { $0.name == parts[0] }),
            constant.set(value, in: &scratch)
        else { return nil }
        self.constant = constant
        self.value = value
    }

    /// Sets the constant in `options`.
    func apply(to options: inout InertialOptions) { _ = constant.set(value, in: &options) }
}
