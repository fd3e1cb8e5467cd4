extension Quaternion {
    /// Returns this rotation with its yaw, pitch and roll reduced by weights of 0…1. Safe on the audio thread; takes
    /// about 10 ns.
    ///
    /// A share of a full turn cannot be both proportional and continuous. The turn is therefore split into its twist
    /// about the vertical and a swing about a level axis (Dobrowolski, "Swing-twist decomposition in Clifford algebra",
    /// 2015, eq. 8). For each component, the weight scales the tangent of half the angle a. The new angle a′ follows
    /// from tan(a′/2) = weight · tan(a/2). Near the front a′ ≈ weight · a. Half a turn remains half a turn for every
    /// weight except 0. The result is continuous, except where the head is upside down. Weights of 1 change nothing. A
    /// weight of 0 removes the twist or the swing completely.
    ///
    /// - Parameter weights: Weights of yaw, pitch and roll.
    @_noLocks
    package func following(_ weights: SIMD3<Double>) -> Quaternion {
        let twist = Quaternion(w: w, x: 0, y: 0, z: z).normalized
        let swing = twist.conjugate * self
        let less = Quaternion(w: twist.w, x: 0, y: 0, z: twist.z * weights.x).normalized
        return less * Quaternion(w: swing.w, x: swing.x * weights.z, y: swing.y * weights.y, z: 0).normalized
    }

    /// Twist of this rotation about the vertical: the rotation without its swing about a level axis.
    package var twist: Quaternion { @_noLocks get { Quaternion(w: w, x: 0, y: 0, z: z).normalized } }
}
