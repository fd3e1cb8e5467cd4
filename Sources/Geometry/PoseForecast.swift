import CRealtime

/// Forecast of the head's orientation: a pose, its rate and the change of the rate, the weights of following, and an
/// offset that fades; evaluated at any time, also on the audio thread.
///
/// Times are seconds of the host's monotonic clock. Head coordinates to stage coordinates throughout.
package struct PoseForecast: Sendable, BitwiseCopyable {
    /// Head to stage at `time`.
    package var pose: Rotation<Head, Stage>
    /// Angular rate of the head against the stage, rad/s, in head axes.
    package var rate: SIMD3<Double>
    /// Time of `pose` and `rate`.
    package var time: Double
    /// Departure of the turn from a constant rate until `steady`.
    package var departure = Departure.none
    /// Seconds past `time` for which the rate, or its departure, holds before the turn decays.
    package var steady: Double = 0
    /// Time constant in seconds with which the rate decays after `time` + `steady`; ∞ for a constant rate.
    package var decay: Double
    /// Seconds past `time` after which the pose is held.
    package var horizon: Double
    /// Shares of the head's yaw, pitch and roll that the stage follows, each 0…1; see `Quaternion.following`.
    package var follow = SIMD3<Double>(1, 1, 1)
    /// Rotation vector in stage axes, radians; full at `correctionTime` and zero after `correctionDuration`.
    package var correction: SIMD3<Double>
    /// Start of the correction.
    package var correctionTime: Double
    /// Seconds over which the correction fades to zero along a smooth step.
    package var correctionDuration: Double

    /// Creates a forecast with a rate; without a correction.
    @inlinable @inline(__always)
    package init(
        pose: Rotation<Head, Stage>, rate: SIMD3<Double> = SIMD3(0, 0, 0), time: Double = 0, decay: Double = .infinity,
        horizon: Double = 0
    ) {
        self.pose = pose
        self.rate = rate
        self.time = time
        self.decay = decay
        self.horizon = horizon
        correction = SIMD3(0, 0, 0)
        correctionTime = 0
        correctionDuration = 0
    }

    /// Returns the forecast of a head at rest.
    @inlinable @inline(__always)
    package static func still(_ pose: Rotation<Head, Stage>) -> PoseForecast { PoseForecast(pose: pose) }

    /// Returns head to stage at any `moment`; about 100 ns. Before `time` the rate runs backwards up to the horizon.
    @_noLocks
    package func headToStage(at moment: Double) -> Quaternion {
        var result =
            pose.quaternion * Quaternion(rotationVector: turn(after: max(-horizon, min(horizon, moment - time))))
        if follow != SIMD3(1, 1, 1) { result = result.normalized.following(follow) }
        if correctionDuration > 0 {
            let left = correctionLeft(at: moment)
            if left > 0 { result = Quaternion(rotationVector: correction * left) * result }
        }
        return result.normalized
    }

    /// Returns the turn from `time` on, a rotation vector in head axes, radians.
    @_noLocks
    private func turn(after ahead: Double) -> SIMD3<Double> {
        guard decay.isFinite else { return rate * ahead }
        // The departure applies from `time` to `steady`; backwards only its initial rate applies.
        let within = min(ahead, steady)
        let bent = max(0, within)
        let turn = (rate + departure.rate + (departure.slope + departure.curvature * bent) * bent) * within
        guard ahead > steady else { return turn }
        // ∫ exp(−t/τ) dt.
        return turn + (rate + departure.last) * (decay * (1 - prc_exp(-(ahead - steady) / decay)))
    }

    /// Returns the share of the correction left at a time, 1…0.
    @_noLocks
    package func correctionLeft(at moment: Double) -> Double {
        guard correctionDuration > 0 else { return 0 }
        let u = max(0, min(1, (moment - correctionTime) / correctionDuration))
        return 1 - u * u * (3 - 2 * u)
    }
}
