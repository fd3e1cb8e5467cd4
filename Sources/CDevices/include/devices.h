#pragma once
// What trackers are plugged into, as far as it takes C: macros, variadic ioctl, headers that exclude each other.
// Every function returns a negative errno on failure. Called on threads that may wait, never on the audio thread.
#include <stdint.h>
#include <netinet/in.h>

/// Opens a serial line: raw, 8 data bits, no parity, one stop bit, no flow control, non-blocking; any speed the driver
/// takes (termios2, BOTHER). The line is the descriptor's alone: by flock, and TIOCEXCL unless it is a pseudo-terminal; -EBUSY
/// where another has it. Returns a descriptor.
int pcd_serial_open(const char *path, uint32_t baud);

/// Changes the speed of an open line; what was waiting to be read is thrown away.
int pcd_serial_speed(int descriptor, uint32_t baud);

/// A datagram as it was received.
struct pcd_datagram {
    /// Bytes, at most the stride.
    uint32_t length;
    /// Nanoseconds it had waited in the kernel; 0 where that is not known.
    uint64_t waited;
    /// Datagrams the kernel has thrown away for want of room since the socket was opened; 0 unless `pcd_udp_reserve` was called.
    uint32_t lost;
    struct sockaddr_storage sender;
    uint32_t sender_length;
};

/// Binds a UDP socket, non-blocking, its datagrams stamped by the kernel. IPv4 or IPv6 by the form of the address.
int pcd_udp_open(const char *address, uint16_t port);

/// Asks for so many bytes of room for what has come and was not read yet (more than the system's limit where the caller may
/// have that), and for a count of what found none. Returns the room there is.
int pcd_udp_reserve(int descriptor, int bytes);

/// Opens a UDP socket that speaks to one host and port alone, so that reading tells of a port at which no program listens.
/// `host` may be a name; -ENOENT where it is unknown. Waits for the name's look-up.
int pcd_udp_connect(const char *host, uint16_t port);

/// Connects to a Unix stream socket at a path; a non-blocking descriptor, or −errno.
int pcd_unix_connect(const char *path);

/// Opens a UDP socket for talking with one host: bound, at a free port, to the address of this machine from which that host is
/// reached, so that others of the network do not reach it where the host is this machine. `host` may be a name, of which an IPv4
/// address is preferred; -ENOENT where it is unknown. `there` becomes where `pcd_udp_reply` sends to. Answers may come from any port and address of the
/// host; `pcd_udp_refusals` tells of a port at which no program listens. Waits for the name's look-up.
int pcd_udp_toward(const char *host, uint16_t port, struct pcd_datagram *there);

/// How many times the network said that no program listens, or that there is no way, since the last call.
int pcd_udp_refusals(int descriptor);

/// Whether a datagram's sender has the address at which a socket is bound.
int pcd_udp_is_own(int descriptor, const struct pcd_datagram *datagram);

/// The port a socket is bound to.
int pcd_udp_port(int descriptor);

/// Takes what has come, at most `count` (64 at most) datagrams of at most `stride` bytes each. Returns how many; 0: none.
int pcd_udp_receive(int descriptor, uint8_t *bytes, uint32_t stride, uint32_t count, struct pcd_datagram *datagrams);

/// Where a datagram came from: the address in network order, of which IPv4 takes the first four bytes, and the port in ours.
/// Returns the bytes of the address, 4 or 16.
int pcd_udp_sender(const struct pcd_datagram *datagram, uint8_t address[16], uint16_t *port);

/// Sends one datagram to where another came from.
int pcd_udp_reply(int descriptor, const uint8_t *bytes, uint32_t length, const struct pcd_datagram *to);

/// Sends one datagram to an address and port.
int pcd_udp_send(int descriptor, const uint8_t *bytes, uint32_t length, const char *address, uint16_t port);

/// The largest report descriptor and the largest report of a HID device, bytes.
enum { PCD_HID_LIMIT = 4096 };

/// Reads the report descriptor of an open /dev/hidraw; returns its length.
int pcd_hid_descriptor(int descriptor, uint8_t *bytes);

/// Sends a feature report; its first byte is the report's number, 0 where reports have none.
int pcd_hid_set_feature(int descriptor, const uint8_t *bytes, uint32_t length);

/// Asks for a feature report; its first byte says which, and the rest is filled in. Returns its length.
int pcd_hid_get_feature(int descriptor, uint8_t *bytes, uint32_t length);

/// Waits until one of two descriptors can be read or has failed, or milliseconds have gone by (−1: for ever).
/// Bit 0: the first; bit 1: the second. A descriptor of −1 is passed over.
int pcd_wait(int first, int second, int milliseconds);

/// A descriptor that another thread can make readable.
int pcd_signal_open(void);

/// Makes it readable.
void pcd_signal_raise(int descriptor);

/// Makes it unreadable again.
void pcd_signal_clear(int descriptor);

/// Reads or writes without waiting; −EAGAIN where it would have to, 0 from `read` where the other end is gone.
int pcd_read(int descriptor, uint8_t *bytes, uint32_t length);
int pcd_write(int descriptor, const uint8_t *bytes, uint32_t length);
void pcd_close(int descriptor);

/// Opens a device file for reading and writing, non-blocking.
int pcd_device_open(const char *path);
