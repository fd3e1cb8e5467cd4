/// Real transforms, sixteen at a time.
enum FourierGroup: CellGroup {
    static let name = "fft"
    static let summary = "16 real transforms of 64 to 8192 samples and of 3 and 5 times powers of two"
    static let sizes = [64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024, 1536, 2048, 4096, 8192]

    static func plan() -> [CellPlan] {
        sizes.map { size in
            CellPlan(id: "fft/n\(size)", group: name, isQuick: [128, 320, 1024].contains(size)) { bench in
                let work = TransformWork(size: size)
                var facts = Facts()
                facts.size = size
                facts.filters = "none"
                let entries =
                    FourierContenders.ours(work) + [Entry(truth: TransformTruth(work)) { try TransformContender(work) }]
                return try CellWork(
                    id: "fft/n\(size)", group: name, title: "16 real transforms", unit: "ns per transform",
                    facts: facts, rows: TransformWork.count, frames: size, units: Double(TransformWork.count),
                    entries: entries
                ).measure(bench)
            }
        }
    }
}
