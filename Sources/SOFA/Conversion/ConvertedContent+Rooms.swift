extension ConvertedContent {
    /// Prepares a room. The room's responses are read and checked while they are written.
    init(room path: String, _ file: HDF5File, _ header: SOFAHeader) throws(SOFAError) {
        let room = try BinauralRoom(contentsOf: path)
        try room.checkHeard()
        let count = room.measurements.count
        let variables = SOFAVariables(file: file, measurements: count)
        notes = room.remarks
        sampleRate = room.sampleRate
        let hasEmitters = room.axes != .single
        let convention =
            room.isLabelledFreeField
            ? "SimpleFreeFieldHRIR" : hasEmitters ? "SingleRoomMIMOSRIR" : "SingleRoomSRIR"
        if room.isLabelledFreeField {
            notes.append("a room labelled as free field; its convention is kept, for it does not say what turned")
        }
        // AES69 requires positions for each measurement, and at least one row of orientations.
        let rows = room.isLabelledFreeField ? [] : ["ListenerPosition", "SourcePosition"]
        var written: [CleanFile.Variable] = []
        for (name, otherwise) in [("Listener", [0.0, 0, 0]), ("Source", [0.0, 0, 0])] {
            let position = try variables.stored(name + "Position", otherwise: otherwise)
            written.append(position.variable(rows: rows.contains(name + "Position") ? count : nil))
            if name == "Source", room.isLabelledFreeField { continue }
            written += try variables.storedOrientation(of: name)
        }
        let ears = try variables.stored("ReceiverPosition", otherwise: [0, 0.09, 0, 0, -0.09, 0], rows: 2)
        written.append(ears.variable(axes: ["R", "C", "I"]))
        let emitters = try variables.stored(
            "EmitterPosition", otherwise: [0, 0, 0], rows: hasEmitters ? room.emitterCount : 1)
        written.append(emitters.variable(axes: ["E", "C", "I"]))
        written += try variables.storedRoom()
        written.append(.rate(room.sampleRate))
        let delays = room.storedDelays
        if hasEmitters {
            let isNone = delays.allSatisfy { $0 == 0 }
            written.append(
                .init(
                    name: "Data.Delay", values: isNone ? [0, 0] : delays,
                    axes: isNone ? ["I", "R", "I"] : ["M", "R", "E"]))
        } else {
            written.append(.delays(delays))
        }
        self.file = CleanFile(
            convention: convention, attributes: [:], measurements: count, sampleCount: room.sampleCount,
            emitters: hasEmitters ? room.emitterCount : nil, variables: written)
        let data = try DataBlocks("Data.IR", of: file, most: HDF5File.largestSlicedCount, keepsChunks: true)
        let (axes, samples) = (room.axes, room.sampleCount)
        slab = { slab throws(SOFAError) in
            let (m, e) = (slab.measurements, slab.emitters)
            let values: [Double]
            switch axes {
            case .single:
                values = try data.doubles(start: [m.lowerBound, 0, 0], count: [m.count, 2, samples])
            case .emittersLast:
                values = try data.doubles(
                    start: [m.lowerBound, 0, 0, e.lowerBound], count: [m.count, 2, samples, e.count])
            case .samplesLast:
                let stored = try data.doubles(
                    start: [m.lowerBound, 0, e.lowerBound, 0], count: [m.count, 2, e.count, samples])
                values = [Double](unsafeUninitializedCapacity: stored.count) { turned, initialized in
                    for row in 0..<(2 * m.count) {
                        for n in 0..<samples {
                            for place in 0..<e.count {
                                turned[(row * samples + n) * e.count + place] =
                                    stored[(row * e.count + place) * samples + n]
                            }
                        }
                    }
                    initialized = stored.count
                }
            }
            // One comparison catches NaN, infinities and netCDF's fill value 9.97e36.
            guard values.allSatisfy({ abs($0) < 1e30 }) else {
                throw .value(
                    path: path, variable: "Data.IR",
                    problem: "holds NaN, an infinity or a fill value near measurement \(m.lowerBound); use another file"
                )
            }
            return values
        }
    }
}
