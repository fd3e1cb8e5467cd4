/// Size of a head for interaural delays, expressed as the radius of the sphere with the same delays.
enum HeadSize {
    /// Returns the radius in metres for a head's circumference in centimetres.
    ///
    /// Algazi, Avendano & Duda, "Estimation of a spherical-head model from anthropometry", JAES 49 (2001), fitted the
    /// radius to half the head's width, height and depth: 0.51·X₁ + 0.019·X₂ + 0.18·X₃ + 32 mm. A circumference does
    /// not determine the proportions, so those of the mean CIPIC subject are used (width 14.49, height 21.46, depth
    /// 19.96, circumference 57.33 cm: Algazi et al., "The CIPIC HRTF database", WASPAA 2001). So the radius is 32 mm +
    /// 56.95 mm · C/57.33 cm.
    static func radius(circumference: Double) -> Double {
        let (width, height, depth, mean) = (144.9, 214.6, 199.6, 57.33)
        let shape = (0.51 * width + 0.019 * height + 0.18 * depth) / 2
        return (32 + shape * circumference / mean) / 1000
    }

    /// Radius below which a set counts as having no interaural delays, metres.
    static let smallest = 0.06
}
