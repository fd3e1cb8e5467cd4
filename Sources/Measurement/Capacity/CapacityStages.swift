import Foundation
import Soundstage

/// Layouts that are rendered in a capacity measurement (its stages).
package enum CapacityStages {
    /// Returns the requested stage first, then the usual layouts, 32 and 64 sources, and sound fields.
    package static func all(including asked: Layout) throws(SoundstageError) -> [Layout] {
        func named(_ names: [String]) throws(SoundstageError) -> [Layout] {
            var layouts: [Layout] = []
            for name in names where name != asked.name {
                layouts.append(try Layout.named(name))
            }
            return layouts
        }
        return [asked] + (try named(["stereo", "5.1", "7.1.4", "9.1.6"])) + [32, 64].map(sources)
            + (try named(["ambi3", "ambi7"]))
    }

    /// Makes a layout of `count` sources all round, each in a direction of its own: a spiral over the sphere by the
    /// golden angle, from at most 64° above down to at most 37° below the horizon.
    static func sources(_ count: Int) -> Layout {
        Layout(
            name: "\(count) sources",
            loudspeakers: (0..<count).map { index in
                let height = 0.9 - 1.5 * (Double(index) + 0.5) / Double(count)
                return Loudspeaker(
                    symbol: "\(index + 1)",
                    azimuthDegrees: (Double(index) * 137.508 + 11).truncatingRemainder(dividingBy: 360) - 180,
                    elevationDegrees: asin(height) * 180 / .pi)
            })
    }
}
