extension PoseForecast {
    /// What a turn is expected to differ by from one at a constant rate: the mean rate over the next h seconds is
    /// rate + `rate` + `slope`·h + `curvature`·h², in head axes.
    package struct Departure: Sendable, BitwiseCopyable {
        /// rad/s.
        package var rate: SIMD3<Double>
        /// rad/s².
        package var slope: SIMD3<Double>
        /// rad/s³.
        package var curvature: SIMD3<Double>
        /// rad/s, to be added to the rate for what dies away past `steady`.
        package var last: SIMD3<Double>

        /// As given.
        @inlinable @inline(__always)
        package init(rate: SIMD3<Double>, slope: SIMD3<Double>, curvature: SIMD3<Double>, last: SIMD3<Double>) {
            self.rate = rate
            self.slope = slope
            self.curvature = curvature
            self.last = last
        }

        /// A constant rate.
        package static var none: Departure {
            @inlinable @inline(__always) get {
                let zero = SIMD3<Double>(0, 0, 0)
                return Departure(rate: zero, slope: zero, curvature: zero, last: zero)
            }
        }
    }
}
