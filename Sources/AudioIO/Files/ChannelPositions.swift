import CSndFile
import Glibc

/// Loudspeaker position of each channel of a file, as the file's format declares it.
///
/// Positions are the bits of WAVE_FORMAT_EXTENSIBLE's `dwChannelMask`, in the order of the file's channels.
enum ChannelPositions {
    /// Returns the positions of a file's channels. Returns nil if they are not declared for all channels, or if one is
    /// unknown or repeated.
    ///
    /// WAVE's channel mask and CAF's layout chunk are read here, because libsndfile supports only 18 bits of the mask,
    /// and only some CAF layouts. The specifications of FLAC, Vorbis and Opus define one order for each number of
    /// channels. For other CAF layouts and all other formats libsndfile's channel map is used.
    static func read(_ file: OpaquePointer, format: Int32, channels: Int, descriptor: Int32) -> [UInt32]? {
        switch Int(format) & SF_FORMAT_TYPEMASK {
        case SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64:
            guard let mask = waveMask(descriptor), mask.nonzeroBitCount >= channels else { return nil }
            return Array((0..<32).map { UInt32(1) << $0 }.filter { mask & $0 != 0 }.prefix(channels))
        case SF_FORMAT_FLAC: return flac[channels]
        case SF_FORMAT_OGG where Int(format) & SF_FORMAT_SUBMASK != SF_FORMAT_FLAC: return vorbis[channels]
        case SF_FORMAT_OGG: return flac[channels]
        case SF_FORMAT_CAF:
            let own = FileChunks(descriptor: descriptor).flatMap {
                CAFChannelLayout.read($0, channels: channels, descriptor: descriptor)
            }
            return own ?? mapped(file, channels)
        default: return mapped(file, channels)
        }
    }

    /// Returns the positions of libsndfile's channel map; nil if the map is missing, or a position is unknown or
    /// repeated.
    private static func mapped(_ file: OpaquePointer, _ channels: Int) -> [UInt32]? {
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(channels * MemoryLayout<Int32>.size)
        guard sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) == SF_TRUE else { return nil }
        let positions = map.compactMap { known[Int($0)] }
        return positions.count == channels && Set(positions).count == channels ? positions : nil
    }

    /// Returns `dwChannelMask` of a WAVE file. Returns nil if the file is not WAVE_FORMAT_EXTENSIBLE, or if the mask is
    /// empty.
    private static func waveMask(_ descriptor: Int32) -> UInt32? {
        let mask = waveMaskField(descriptor)?.mask
        return mask == 0 ? nil : mask
    }

    /// Writes `dwChannelMask` into a finished little-endian WAVE file, if the file is WAVE_FORMAT_EXTENSIBLE. Returns
    /// false if the write fails.
    ///
    /// libsndfile 1.2.0 refuses SFC_SET_CHANNEL_MAP_INFO for RF64. It writes a mask by the number of channels instead
    /// (8 channels: 0xFF, a cinema layout that hardly any file has).
    ///
    /// - Parameter positions: WAVE bit of each channel. A mask can express only positions in the order of their bits.
    ///   For other positions, and for nil, an empty mask is written.
    static func writeWaveMask(_ positions: [UInt32]?, channels: Int, descriptor: Int32) -> Bool {
        guard let field = waveMaskField(descriptor) else { return true }
        var mask: UInt32 = 0
        if let positions, positions.count == channels, zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) {
            mask = positions.reduce(0, |)
        }
        var bytes = mask.littleEndian
        return pwrite(descriptor, &bytes, 4, off_t(field.offset)) == 4
    }

    /// Returns the mask and its offset in the file; nil if the file is not WAVE_FORMAT_EXTENSIBLE.
    private static func waveMaskField(_ descriptor: Int32) -> (offset: Int, mask: UInt32)? {
        guard let file = FileChunks(descriptor: descriptor), let chunk = file["fmt "], chunk.size >= 40,
            let format = file.content(chunk, limit: 24, descriptor: descriptor), format.count == 24,
            file.number(format[0..<2]) == 0xFFFE
        else { return nil }
        return (chunk.offset + 20, UInt32(truncatingIfNeeded: file.number(format[20..<24])))
    }

    /// WAVE bits of libsndfile's channel names.
    private static let known: [Int: UInt32] = [
        SF_CHANNEL_MAP_MONO: 0x4, SF_CHANNEL_MAP_LEFT: 0x1, SF_CHANNEL_MAP_RIGHT: 0x2, SF_CHANNEL_MAP_CENTER: 0x4,
        SF_CHANNEL_MAP_FRONT_LEFT: 0x1, SF_CHANNEL_MAP_FRONT_RIGHT: 0x2, SF_CHANNEL_MAP_FRONT_CENTER: 0x4,
        SF_CHANNEL_MAP_LFE: 0x8, SF_CHANNEL_MAP_REAR_LEFT: 0x10, SF_CHANNEL_MAP_REAR_RIGHT: 0x20,
        SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER: 0x40, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER: 0x80,
        SF_CHANNEL_MAP_REAR_CENTER: 0x100, SF_CHANNEL_MAP_SIDE_LEFT: 0x200, SF_CHANNEL_MAP_SIDE_RIGHT: 0x400,
        SF_CHANNEL_MAP_TOP_CENTER: 0x800, SF_CHANNEL_MAP_TOP_FRONT_LEFT: 0x1000,
        SF_CHANNEL_MAP_TOP_FRONT_CENTER: 0x2000, SF_CHANNEL_MAP_TOP_FRONT_RIGHT: 0x4000,
        SF_CHANNEL_MAP_TOP_REAR_LEFT: 0x8000, SF_CHANNEL_MAP_TOP_REAR_CENTER: 0x10000,
        SF_CHANNEL_MAP_TOP_REAR_RIGHT: 0x20000,
    ]

    /// libsndfile's channel names by WAVE bit, for writing.
    static let names: [UInt32: Int32] = [
        0x1: Int32(SF_CHANNEL_MAP_FRONT_LEFT), 0x2: Int32(SF_CHANNEL_MAP_FRONT_RIGHT),
        0x4: Int32(SF_CHANNEL_MAP_FRONT_CENTER), 0x8: Int32(SF_CHANNEL_MAP_LFE),
        0x10: Int32(SF_CHANNEL_MAP_REAR_LEFT), 0x20: Int32(SF_CHANNEL_MAP_REAR_RIGHT),
        0x40: Int32(SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER), 0x80: Int32(SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER),
        0x100: Int32(SF_CHANNEL_MAP_REAR_CENTER), 0x200: Int32(SF_CHANNEL_MAP_SIDE_LEFT),
        0x400: Int32(SF_CHANNEL_MAP_SIDE_RIGHT), 0x800: Int32(SF_CHANNEL_MAP_TOP_CENTER),
        0x1000: Int32(SF_CHANNEL_MAP_TOP_FRONT_LEFT), 0x2000: Int32(SF_CHANNEL_MAP_TOP_FRONT_CENTER),
        0x4000: Int32(SF_CHANNEL_MAP_TOP_FRONT_RIGHT), 0x8000: Int32(SF_CHANNEL_MAP_TOP_REAR_LEFT),
        0x10000: Int32(SF_CHANNEL_MAP_TOP_REAR_CENTER), 0x20000: Int32(SF_CHANNEL_MAP_TOP_REAR_RIGHT),
    ]

    /// Returns the side surround for a back surround, and the back surround for a side surround; nil for other
    /// positions. If a layout has only one pair of surrounds, some formats call it side surrounds and others back
    /// surrounds.
    static func otherSurround(_ position: UInt32) -> UInt32? {
        [0x10: 0x200, 0x20: 0x400, 0x200: 0x10, 0x400: 0x20][position]
    }

    /// Channel orders of FLAC (RFC 9639, section 9.1.3).
    private static let flac: [Int: [UInt32]] = [
        1: [4], 2: [1, 2], 3: [1, 2, 4], 4: [1, 2, 0x10, 0x20], 5: [1, 2, 4, 0x10, 0x20],
        6: [1, 2, 4, 8, 0x10, 0x20], 7: [1, 2, 4, 8, 0x100, 0x200, 0x400], 8: [1, 2, 4, 8, 0x10, 0x20, 0x200, 0x400],
    ]

    /// Channel orders of Vorbis (Vorbis I specification, section 4.3.9) and of Opus's mapping family 1 (RFC 7845).
    static let vorbis: [Int: [UInt32]] = [
        1: [4], 2: [1, 2], 3: [1, 4, 2], 4: [1, 2, 0x10, 0x20], 5: [1, 4, 2, 0x10, 0x20],
        6: [1, 4, 2, 0x10, 0x20, 8], 7: [1, 4, 2, 0x200, 0x400, 0x100, 8],
        8: [1, 4, 2, 0x200, 0x400, 0x10, 0x20, 8],
    ]
}
