import CHDF5
import Glibc

/// Header of one object of an open HDF5 file, checked before the library decodes the object's attributes.
///
/// libhdf5 1.10 trusts the sizes in an attribute message: with one wrong byte it reads tens of kilobytes past the end
/// of the header. So every attribute message is checked here first (`AttributeMessage`), including those in dense
/// storage (`DenseAttributes`). For texts of variable length the heap is checked as well (`GlobalHeaps`).
///
/// Source: HDF5 File Format Specification Version 3.0, IV.A.1.a (version 1), IV.A.1.b (version 2), IV.A.2.v (attribute
/// info).
struct ObjectHeader {
    /// Largest number of blocks of a header, and largest size of all of them, bytes.
    private static let (mostBlocks, mostBytes) = (4096, 1 << 24)

    /// Limit of the bytes that are read to check one header and the structures to which it refers, so that repeated
    /// references in a file cannot raise the cost.
    private final class Allowance {
        private var left = 1 << 25

        func take(_ bytes: Int) throws(HeaderDamage) {
            guard bytes <= left else { throw HeaderDamage(words: "it leads to more than \(1 << 25) bytes") }
            left -= bytes
        }
    }

    private let allowance = Allowance()
    private let descriptor: Int32
    /// Address of the header, and position of address 0 in the file, which follows a user block.
    private let (address, base): (UInt64, UInt64)
    private let widths: HeaderBytes.Widths

    /// Finds the header of `object` in `file`. Both must be open.
    init(of object: hid_t, in file: hid_t) throws(HeaderDamage) {
        let plan = H5Fget_create_plist(file)
        defer { H5Pclose(plan) }
        var handle: UnsafeMutableRawPointer?
        var info = H5O_info_t()
        var base: hsize_t = 0
        var (offset, length) = (0, 0)
        // Only the address is requested, for which no attribute is decoded.
        guard H5Fget_vfd_handle(file, 0, &handle) >= 0, let handle,
            H5Oget_info2(object, &info, UInt32(H5O_INFO_BASIC)) >= 0,
            H5Pget_userblock(plan, &base) >= 0, H5Pget_sizes(plan, &offset, &length) >= 0
        else { throw HeaderDamage(words: "it cannot be found (\(HDF5Errors.take()))") }
        // As with HDF5's own driver for plain files, the pointer refers to the open descriptor of the driver.
        descriptor = handle.load(as: Int32.self)
        (address, self.base) = (UInt64(info.addr), base)
        widths = HeaderBytes.Widths(offset: offset, length: length)
    }

    /// Throws if the header is damaged or an attribute message states more bytes than it has. Returns the names of
    /// texts of variable length that their heaps contain completely. The library must not read any other such text.
    /// O(size of the header).
    func checkAttributes() throws(HeaderDamage) -> Set<String> {
        var sound: Set<String> = []
        var heaps = GlobalHeaps(widths: widths)
        var hasDense = false
        let (form, first) = try prefix()
        var pending = [first]
        var (blocks, bytes) = (0, 0)
        while let block = pending.popLast() {
            blocks += 1
            guard blocks <= Self.mostBlocks, block.length <= UInt64(Self.mostBytes - bytes) else {
                throw HeaderDamage(words: "it claims more than \(Self.mostBlocks) blocks or \(Self.mostBytes) bytes")
            }
            bytes += Int(block.length)
            var messages = try read(block.address, Int(block.length))
            // A block of version 2 may end with a gap that is too small for a message.
            while messages.count >= form.messagePrefix {
                let type = try messages.number(form.isSecond ? 1 : 2)
                let size = try messages.number(2)
                let flags = try messages.number(1)
                try messages.skip(form.isSecond ? form.messagePrefix - 4 : 3)
                var body = try messages.take(size, "message")
                if type == 0x000C {
                    let found = try AttributeMessage(body, isShared: flags & 2 != 0, widths)
                    if isSound(found, &heaps) { sound.insert(found.name) }
                } else if type == 0x0015 {
                    guard !hasDense else { throw HeaderDamage(words: "two indexes of attributes") }
                    hasDense = true
                    let dense = DenseAttributes(widths: widths) { address, count throws(HeaderDamage) in
                        try read(address, count)
                    }
                    try dense.messages(of: body) { (message) throws(HeaderDamage) in
                        let found = try AttributeMessage(message, isShared: false, widths)
                        if isSound(found, &heaps) { sound.insert(found.name) }
                    }
                } else if type == 0x0010 {
                    pending.append(
                        try form.block(address: body.number(widths.offset), length: body.number(widths.length)))
                }
            }
        }
        return sound
    }

    /// Returns whether a message is a text of variable length that may be read: its heap contains it completely, and it
    /// has at most `GlobalHeaps.longestText` bytes.
    private func isSound(_ message: AttributeMessage, _ heaps: inout GlobalHeaps) -> Bool {
        guard let text = message.text, text.length <= GlobalHeaps.longestText else { return false }
        // Empty text.
        guard text.address != 0 else { return true }
        return heaps.size(of: text) { address, count throws(HeaderDamage) in
            try read(address, count)
        } == text.length
    }

    /// Position of a block's messages in the file.
    private typealias Block = (address: UInt64, length: UInt64)

    /// Differences between the two versions of a header.
    private struct Form {
        let isSecond: Bool
        /// Number of bytes before a message's body. In version 2 they may include the creation order.
        let messagePrefix: Int

        /// Returns the position of the messages in a continuation block (IV.A.2.q). In version 2 they are between a
        /// signature and a checksum.
        func block(address: UInt64, length: UInt64) throws(HeaderDamage) -> Block {
            guard isSecond else { return (address, length) }
            guard length >= 8, address <= .max - 4 else {
                throw HeaderDamage(words: "a continuation of \(length) bytes")
            }
            return (address + 4, length - 8)
        }
    }

    /// Reads the header's version and its first block.
    private func prefix() throws(HeaderDamage) -> (Form, Block) {
        // Version 1: version, reserved, number of messages (2), references (4), size (4), padding (4).
        var bytes = try read(address, 16)
        guard bytes.starts(with: [0x4F, 0x48, 0x44, 0x52]) else {
            try bytes.skip(8)
            return (Form(isSecond: false, messagePrefix: 8), (address + 16, try bytes.number(4)))
        }
        // Version 2: "OHDR", version, flags, four times (16, optional), two limits (4, optional), size (1, 2, 4 or 8).
        try bytes.skip(5)
        let flags = try bytes.number(1)
        let start = 6 + (flags & 0x20 != 0 ? 16 : 0) + (flags & 0x10 != 0 ? 4 : 0)
        let width = 1 << Int(flags & 3)
        var size = try read(address + UInt64(start), width)
        let form = Form(isSecond: true, messagePrefix: flags & 4 != 0 ? 6 : 4)
        return (form, (address + UInt64(start + width), try size.number(width)))
    }

    /// Reads bytes of the file. The caller must limit `count`.
    private func read(_ address: UInt64, _ count: Int) throws(HeaderDamage) -> HeaderBytes {
        try allowance.take(count)
        let (place, overflow) = base.addingReportingOverflow(address)
        guard !overflow, let place = off_t(exactly: place) else {
            throw HeaderDamage(words: "a block lies at the impossible address \(address)")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        guard pread(descriptor, &bytes, count, place) == count else {
            throw HeaderDamage(words: "\(count) bytes at \(place) cannot be read")
        }
        return HeaderBytes(bytes[...])
    }
}
