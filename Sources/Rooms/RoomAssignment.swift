import Geometry
import Glibc

/// Assignment of measured loudspeakers to the loudspeakers of the stage, and the yaw by which the room is turned for
/// each.
struct RoomAssignment {
    /// A measured loudspeaker in use.
    struct Part: Hashable {
        /// Index among the room's sources.
        var source: Int
        /// Yaw of the room that brings the loudspeaker to the azimuth of the stage's loudspeaker, radians
        /// counter-clockwise.
        var turn: Double
    }

    /// Measured loudspeakers in use, in the order of first use.
    private(set) var parts: [Part] = []
    /// Index into `parts` for each loudspeaker of the stage; nil if it stays dry.
    private(set) var assignment: [Int?] = []
    /// Deviations of the assignment from the stage's directions, and silent loudspeakers, one sentence each.
    private(set) var remarks: [String] = []

    /// Largest step between neighbouring yaws of a circle, radians; wider gaps count as missing yaws.
    static let widestStep = 20.01 * Double.pi / 180

    /// If the room states the directions of its loudspeakers, each loudspeaker of the stage gets the nearest of them.
    /// Otherwise they are assigned in order.
    ///
    /// A room that was measured all round the head can be turned. The loudspeaker is then heard from the requested
    /// azimuth, and the reflections keep their directions relative to the loudspeaker.
    ///
    /// - Parameters:
    ///   - layout: directions of the main programme's loudspeakers, nil for those that stay dry. They determine the
    ///     order in which the sources of a room without directions are assigned; a loudspeaker of a further input gets
    ///     the source of the nearest of them. If the room has another number of sources than `layout`, with or without
    ///     dry loudspeakers, `loudspeakers` determines the order.
    ///   - silent: indices of the room's sources with all samples 0. They are not assigned. In assignment by direction
    ///     the nearest other source takes their place; in assignment by order the stage's loudspeaker stays dry. A
    ///     remark names each.
    init(
        _ views: RoomViews, for loudspeakers: [Direction<Stage>?], layout: [Direction<Stage>?] = [],
        without silent: Set<Int> = []
    ) throws(RoomError) {
        let wanted = loudspeakers.compactMap { $0 }
        guard !wanted.isEmpty else { throw .noSources }
        let isNamed = views.sources.allSatisfy { $0.direction != nil }
        if !isNamed {
            let count = views.sources.count
            let owners = Self.owners(count, of: layout) ?? Self.owners(count, of: loudspeakers) ?? []
            guard count == 1 || !owners.isEmpty else {
                let most = layout.contains { $0 != nil } ? layout.count { $0 != nil } : wanted.count
                throw .implausible(
                    path: views.path,
                    reason: "has \(count) sources, but \(most) loudspeakers of this layout stand in a room; "
                        + "give it one source, or as many as that, in the layout's order")
            }
            for (index, loudspeaker) in loudspeakers.enumerated() {
                guard let loudspeaker else {
                    assign(nil)
                    continue
                }
                let owner = Self.nearest(owners, to: loudspeaker, at: index)
                let source = count == 1 ? 0 : owner?.source ?? 0
                guard !silent.contains(source) else {
                    assign(nil)
                    note("\(Self.place(loudspeaker)) stays dry: its responses are silent, all samples are 0")
                    continue
                }
                assign(Part(source: source, turn: 0))
                if count > 1, let owner {
                    describe(loudspeaker, turn: 0, deviation: owner.direction.angle(to: loudspeaker))
                }
            }
            if count == 1, wanted.count > 1 {
                remarks.append("one source for all loudspeakers: they sound from one place")
            }
            return
        }
        let heard = views.sources.indices.filter { !silent.contains($0) }
        for source in silent.sorted() {
            guard let direction = views.sources[source].direction else { continue }
            remarks.append("\(Self.place(direction, of: "its")) is silent, all samples are 0: left out")
        }
        let rings = heard.filter { RoomAssignment.isRing(views.sources[$0]) }
        for loudspeaker in loudspeakers {
            guard let loudspeaker else {
                assign(nil)
                continue
            }
            func angle(_ source: Int) -> Double { views.sources[source].direction?.angle(to: loudspeaker) ?? .pi }
            func rise(_ source: Int) -> Double {
                abs((views.sources[source].direction?.elevation ?? 0) - loudspeaker.elevation)
            }
            guard var nearest = heard.min(by: { angle($0) < angle($1) }) else {
                assign(nil)
                continue
            }
            var deviation = angle(nearest)
            var turn = 0.0
            if deviation > 2 * .pi / 180,
                let ring = rings.min(by: { (rise($0), angle($0)) < (rise($1), angle($1)) }), rise(ring) < deviation
            {
                nearest = ring
                deviation = rise(ring)
                turn = remainder(loudspeaker.azimuth - (views.sources[ring].direction?.azimuth ?? 0), 2 * .pi)
            }
            assign(Part(source: nearest, turn: turn))
            describe(loudspeaker, turn: turn, deviation: deviation)
        }
    }

    /// A loudspeaker to which a source is assigned by order.
    private struct Owner {
        /// Index among all loudspeakers, including those that stay dry.
        var index: Int
        var source: Int
        var direction: Direction<Stage>
    }

    /// Returns the loudspeakers that do not stay dry, each with a source, by order. `count`: number of the room's
    /// sources. It must be the number of all loudspeakers, or of those that do not stay dry; otherwise the result is
    /// nil.
    private static func owners(_ count: Int, of loudspeakers: [Direction<Stage>?]) -> [Owner]? {
        let standing = loudspeakers.enumerated().compactMap { index, direction in direction.map { (index, $0) } }
        guard !standing.isEmpty, count == loudspeakers.count || count == standing.count else { return nil }
        return standing.enumerated().map { place, loudspeaker in
            let (index, direction) = loudspeaker
            return Owner(index: index, source: count == loudspeakers.count ? index : place, direction: direction)
        }
    }

    /// Returns the nearest loudspeaker; nil if there are no owners. Of several equally near ones, the one at `index` is
    /// returned, or else the first.
    private static func nearest(_ owners: [Owner], to loudspeaker: Direction<Stage>, at index: Int) -> Owner? {
        func key(_ owner: Owner) -> (Double, Int) {
            (owner.direction.angle(to: loudspeaker), owner.index == index ? 0 : 1)
        }
        return owners.min { key($0) < key($1) }
    }

    /// Adds a remark unless it was added before, as for several loudspeakers in one place.
    private mutating func note(_ remark: String) {
        if !remarks.contains(remark) { remarks.append(remark) }
    }

    /// Returns whether a source was measured all round: at least 18 yaws, and no step wider than `widestStep`.
    static func isRing(_ source: RoomViews.Source) -> Bool {
        let yaws = source.views.map { $0.yaw - 2 * .pi * ($0.yaw / (2 * .pi)).rounded(.down) }.sorted()
        guard yaws.count >= 18, let first = yaws.first, let last = yaws.last else { return false }
        return zip(yaws, yaws.dropFirst() + [first + 2 * .pi]).allSatisfy { $1 - $0 <= widestStep } && last > first
    }

    private mutating func assign(_ part: Part?) {
        guard let part else {
            assignment.append(nil)
            return
        }
        if let known = parts.firstIndex(where: { $0.source == part.source && abs($0.turn - part.turn) < 1e-6 }) {
            assignment.append(known)
        } else {
            parts.append(part)
            assignment.append(parts.count - 1)
        }
    }

    private mutating func describe(_ loudspeaker: Direction<Stage>, turn: Double, deviation: Double) {
        var facts: [String] = []
        if abs(turn) > 0.5 * .pi / 180 { facts.append("has the room turned by \(Self.degrees(turn))") }
        if deviation > 2 * .pi / 180 { facts.append("is heard from a direction \(Self.degrees(deviation)) away") }
        if !facts.isEmpty { note("\(Self.place(loudspeaker)) \(facts.joined(separator: " and "))") }
    }

    /// Returns the name of a loudspeaker by its direction.
    static func place(_ loudspeaker: Direction<Stage>, of article: String = "the") -> String {
        "\(article) loudspeaker at \(degrees(loudspeaker.azimuth)), \(degrees(loudspeaker.elevation))"
    }

    private static func degrees(_ angle: Double) -> String { "\(Int((angle * 180 / .pi).rounded()))°" }
}
