extension Quaternion {
    /// Returns this rotation with its yaw, pitch and roll reduced by weights of 0…1; safe on the audio thread, about 10
    /// ns.
    ///
    /// No share of a full turn can be both proportional and continuous. The turn is split into its twist about the
    /// vertical and a swing about a level axis (Dobrowolski, "Swing-twist decomposition in Clifford algebra", 2015, eq.
    /// 8), and each component is scaled by the tangent of half its angle: tan(a′/2) = weight · tan(a/2). Near the front
    /// a′ = weight · a; half a turn remains half a turn for every weight but 0. The result is continuous except for a
    /// head upside down. Weights of 1 change nothing; a weight of 0 removes the twist or swing completely.
    ///
    /// - Parameter weights: weights of yaw, pitch, roll.
    @_noLocks
    package func following(_ weights: SIMD3<Double>) -> Quaternion {
        let twist = Quaternion(w: w, x: 0, y: 0, z: z).normalized
        let swing = twist.conjugate * self
        let less = Quaternion(w: twist.w, x: 0, y: 0, z: twist.z * weights.x).normalized
        return less * Quaternion(w: swing.w, x: swing.x * weights.z, y: swing.y * weights.y, z: 0).normalized
    }

    /// Twist of this rotation about the vertical: the remainder without its swing about a level axis.
    package var twist: Quaternion { @_noLocks get { Quaternion(w: w, x: 0, y: 0, z: z).normalized } }
}
