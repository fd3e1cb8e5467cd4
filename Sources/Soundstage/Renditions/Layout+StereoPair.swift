import Geometry
import Signal

extension Layout {
    /// Channels of the loudspeakers that are nearest to +30° and −30° on the horizon. Low-frequency channels are
    /// excluded; without other channels both are 0.
    package var stereoPair: (left: Int, right: Int) {
        func nearest(_ azimuth: Double) -> Int {
            let wanted = Direction<Stage>(azimuthDegrees: azimuth, elevationDegrees: 0).unit
            func closeness(_ channel: Int) -> Double { (loudspeakers[channel].direction.unit * wanted).sum() }
            let places = loudspeakers.indices.filter { !loudspeakers[$0].isLowFrequency }
            return places.max { closeness($0) < closeness($1) } ?? 0
        }
        return (nearest(30), nearest(-30))
    }
}
