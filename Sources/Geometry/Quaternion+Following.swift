extension Quaternion {
    /// This rotation with less of its yaw, pitch and roll, each by a weight of 0…1; safe on the audio thread, about 10
    /// ns.
    ///
    /// A share of a turn that goes all the way round cannot be both proportional and continuous. The turn is split into
    /// its twist about the vertical and a swing about a level axis (Dobrowolski, "Swing-twist decomposition in Clifford
    /// algebra", 2015, eq. 8), and each component is scaled by the tangent of half its angle: tan(a′/2) = weight ·
    /// tan(a/2). Near the front a′ = weight · a; half a turn remains half a turn for every weight but 0; nowhere does
    /// it jump but for a head upside down. Weights of 1 change nothing; a weight of 0 removes the twist or swing
    /// wholly.
    ///
    /// - Parameter weights: yaw, pitch, roll.
    @_noLocks
    package func following(_ weights: SIMD3<Double>) -> Quaternion {
        let twist = Quaternion(w: w, x: 0, y: 0, z: z).normalized
        let swing = twist.conjugate * self
        let less = Quaternion(w: twist.w, x: 0, y: 0, z: twist.z * weights.x).normalized
        return less * Quaternion(w: swing.w, x: swing.x * weights.z, y: swing.y * weights.y, z: 0).normalized
    }

    /// The part of this rotation that turns about the vertical: what is left of it without its swing about a level
    /// axis.
    package var twist: Quaternion { @_noLocks get { Quaternion(w: w, x: 0, y: 0, z: z).normalized } }
}
