import Geometry
import Glibc
import HRTF
import Signal

/// Early part of a generated room: all image sources, filtered by the head's responses, for every yaw.
struct EarlyReflections {
    private let table: ReflectionTable
    private let subsonic: SubsonicFilter
    private let sampleRate: Double

    /// Prepares the reflections of a room for the HRTF set `field`. See `ReflectionTable` for the cost.
    init(_ field: FilterField, room: Shoebox, walls: WallReflection, yawCount: Int) {
        subsonic = SubsonicFilter(room, sampleRate: field.sampleRate.hertz)
        table = ReflectionTable(field, walls: walls, azimuths: yawCount)
        sampleRate = field.sampleRate.hertz
    }

    /// Adds the reflections of all sources to rows `[source][yaw][ear]`, and applies the subsonic filter. A reflection
    /// ends with its row. Cost: per source, yaw and image 2·taps multiply-adds; half a second for 12 sources in a
    /// studio on two cores.
    ///
    /// Image delays are rounded to samples, equally for all yaws and both ears. The rounding thus affects no interaural
    /// difference and no change with yaw.
    func add(_ images: [[ImageSource]], to rows: borrowing PlanarBlock) {
        let yaws = table.azimuths
        let length = rows.frameCapacity
        nonisolated(unsafe) let pointers = UnsafePointer(rows.pointers)
        let placed = images.map { list in list.map { ($0, table.place($0)) } }
        inParallel(images.count * yaws, chunk: 30) { range in
            let scratch = PlanarBlock(channels: 2, frames: table.taps)
            for task in range {
                let (source, yaw) = (task / yaws, task % yaws)
                let (left, right) = (pointers[2 * task], pointers[2 * task + 1])
                let turn = Rotation<Head, Stage>(yaw: 2 * .pi * Double(yaw) / Double(yaws)).inverse
                for (image, place) in placed[source] {
                    let start = Int((image.delay * sampleRate).rounded())
                    let count = min(table.taps, length - start)
                    guard count > 0 else { continue }
                    let (l, r): (UnsafePointer<Float>, UnsafePointer<Float>)
                    if image.order == 1 {
                        table.firstReflection(
                            turn(Direction<Stage>(unit: image.direction)), left: scratch[0], right: scratch[1])
                        (l, r) = (UnsafePointer(scratch[0]), UnsafePointer(scratch[1]))
                    } else {
                        let azimuth = (place.azimuth - yaw + yaws) % yaws
                        l = table.row(ring: place.ring, azimuth: azimuth, order: place.order)
                        r = table.rightRow(ring: place.ring, azimuth: azimuth, order: place.order)
                    }
                    Self.accumulate(l, times: Float(place.gain), onto: left + start, count: count)
                    Self.accumulate(r, times: Float(place.gain), onto: right + start, count: count)
                }
                subsonic.run(left, right, count: length)
            }
        }
    }

    /// Computes target[i] += gain·row[i].
    private static func accumulate(
        _ row: UnsafePointer<Float>, times gain: Float, onto target: UnsafeMutablePointer<Float>, count: Int
    ) {
        let whole = count / 8 * 8
        let factor = SIMD8<Float>(repeating: gain)
        for i in stride(from: 0, to: whole, by: 8) {
            let place = UnsafeMutableRawPointer(target + i)
            let sum =
                place.loadUnaligned(as: SIMD8<Float>.self)
                + factor * UnsafeRawPointer(row + i).loadUnaligned(as: SIMD8<Float>.self)
            place.storeBytes(of: sum, as: SIMD8<Float>.self)
        }
        for i in whole..<count { target[i] += gain * row[i] }
    }
}
