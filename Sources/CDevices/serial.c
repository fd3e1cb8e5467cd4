// <asm/termbits.h> defines termios2. It cannot be included together with <termios.h>.
#include "devices.h"
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/major.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int set(int descriptor, uint32_t baud) {
    struct termios2 line;
    if (ioctl(descriptor, TCGETS2, &line) < 0) return -errno;
    line.c_iflag = IGNBRK;
    line.c_oflag = 0;
    line.c_lflag = 0;
    line.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | (BOTHER << IBSHIFT);
    line.c_ispeed = baud;
    line.c_ospeed = baud;
    for (int i = 0; i < NCCS; i++) line.c_cc[i] = 0;
    line.c_cc[VMIN] = 1;
    if (ioctl(descriptor, TCSETS2, &line) < 0) return -errno;
    if (ioctl(descriptor, TCGETS2, &line) < 0) return -errno;
    // Drivers set the nearest possible baud rate. The timing of a start bit tolerates 3 %.
    if (line.c_ospeed < baud * 0.97 || line.c_ospeed > baud * 1.03) return -EINVAL;
    return 0;
}

// Reserves a line for this descriptor. A lock excludes programs that use locks; it ends with the descriptor, even if
// the process is killed. TIOCEXCL excludes programs without locks, except those of root. It is not set on a
// pseudo-terminal, which would keep it after the last close as long as its other end is open.
static int take(int descriptor) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) return -EBUSY;
    struct stat status;
    if (fstat(descriptor, &status) < 0) return -errno;
    unsigned kind = major(status.st_rdev);
    int is_pseudo = kind >= UNIX98_PTY_SLAVE_MAJOR && kind < UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT;
    if (!is_pseudo) ioctl(descriptor, TIOCEXCL);
    return 0;
}

int pcd_serial_open(const char *path, uint32_t baud) {
    int descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    int result = take(descriptor);
    if (result == 0) result = set(descriptor, baud);
    if (result < 0) {
        close(descriptor);
        return result;
    }
    ioctl(descriptor, TCFLSH, TCIFLUSH);
    return descriptor;
}

int pcd_serial_speed(int descriptor, uint32_t baud) {
    int result = set(descriptor, baud);
    if (result == 0) ioctl(descriptor, TCFLSH, TCIFLUSH);
    return result;
}
