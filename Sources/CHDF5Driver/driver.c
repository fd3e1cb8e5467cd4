#include "CHDF5Driver.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

// An open file; HDF5's own part is first.
struct reading {
    H5FD_t of_hdf5;
    int descriptor;
    // Size of the file in bytes, and the end of the part that HDF5 uses.
    haddr_t size;
    haddr_t used;
    dev_t device;
    ino_t number;
};

// Puts an error on HDF5's stack, with the system's message if `code` is an errno.
static void say(hid_t minor, const char *words, int code)
{
    if (code == 0)
        H5Epush2(H5E_DEFAULT, __FILE__, "chdf5_driver", __LINE__, H5E_ERR_CLS, H5E_VFL, minor, "%s", words);
    else
        H5Epush2(H5E_DEFAULT, __FILE__, "chdf5_driver", __LINE__, H5E_ERR_CLS, H5E_VFL, minor, "%s: %s", words,
                 strerror(code));
}

static H5FD_t *open_file(const char *path, unsigned flags, hid_t access, haddr_t most)
{
    (void)access;
    (void)most;
    if (flags & (H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_EXCL | H5F_ACC_CREAT)) {
        say(H5E_CANTOPENFILE, "this driver only reads", 0);
        return NULL;
    }
    // Opening must not wait, whatever the path names, because the lock of the HDF5 library is held.
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat facts;
    if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
        say(H5E_CANTOPENFILE, CHDF5_SYSTEM_FAULT "opened", errno);
        if (descriptor >= 0) close(descriptor);
        return NULL;
    }
    struct reading *reading = S_ISREG(facts.st_mode) ? calloc(1, sizeof *reading) : NULL;
    if (!reading) {
        say(H5E_CANTOPENFILE, CHDF5_SYSTEM_FAULT "opened", S_ISREG(facts.st_mode) ? ENOMEM : EINVAL);
        close(descriptor);
        return NULL;
    }
    reading->descriptor = descriptor;
    reading->size = (haddr_t)facts.st_size;
    reading->device = facts.st_dev;
    reading->number = facts.st_ino;
    return &reading->of_hdf5;
}

static herr_t close_file(H5FD_t *file)
{
    struct reading *reading = (struct reading *)file;
    int result = close(reading->descriptor);
    free(reading);
    return result == 0 ? 0 : -1;
}

// Orders files independently of their names; 0 for the same file.
static int compare(const H5FD_t *one, const H5FD_t *other)
{
    const struct reading *a = (const struct reading *)one, *b = (const struct reading *)other;
    if (a->device != b->device) return a->device < b->device ? -1 : 1;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return 0;
}

// Large contiguous variables may be read through a buffer; metadata is never buffered.
static herr_t query(const H5FD_t *file, unsigned long *features)
{
    (void)file;
    *features = H5FD_FEAT_DATA_SIEVE;
    return 0;
}

static haddr_t used_of(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct reading *)file)->used;
}

static herr_t set_used(H5FD_t *file, H5FD_mem_t type, haddr_t used)
{
    (void)type;
    ((struct reading *)file)->used = used;
    return 0;
}

static haddr_t size_of(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct reading *)file)->size;
}

static herr_t handle_of(H5FD_t *file, hid_t access, void **handle)
{
    (void)access;
    *handle = &((struct reading *)file)->descriptor;
    return 0;
}

static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t place, size_t count, void *bytes)
{
    (void)type;
    (void)transfer;
    const struct reading *reading = (const struct reading *)file;
    // In a file with a user block, the base plus an undefined address overflows to an address within this block.
    if (place < file->base_addr || place > reading->size || count > reading->size - place) {
        say(H5E_READERROR, "an address lies outside the file", 0);
        return -1;
    }
    while (count > 0) {
        ssize_t got = pread(reading->descriptor, bytes, count, (off_t)place);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            if (got == 0) say(H5E_READERROR, "the file became shorter while it was read", 0);
            else say(H5E_READERROR, CHDF5_SYSTEM_FAULT "read", errno);
            return -1;
        }
        bytes = (char *)bytes + got;
        place += (haddr_t)got;
        count -= (size_t)got;
    }
    return 0;
}

static herr_t write_nothing(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t place, size_t count,
                            const void *bytes)
{
    (void)file;
    (void)type;
    (void)transfer;
    (void)place;
    (void)count;
    (void)bytes;
    say(H5E_WRITEERROR, "this driver only reads", 0);
    return -1;
}

static herr_t lock(H5FD_t *file, hbool_t writing)
{
    (void)writing;
    if (flock(((struct reading *)file)->descriptor, LOCK_SH | LOCK_NB) == 0) return 0;
    // A file system without locks (some network file systems) cannot be locked by other programs either.
    if (errno == ENOSYS || errno == EOPNOTSUPP) return 0;
    if (errno == EWOULDBLOCK) say(H5E_CANTOPENFILE, CHDF5_WRITTEN_ELSEWHERE, 0);
    else say(H5E_CANTOPENFILE, CHDF5_SYSTEM_FAULT "locked", errno);
    return -1;
}

static herr_t unlock(H5FD_t *file)
{
    return flock(((struct reading *)file)->descriptor, LOCK_UN) == 0 || errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1;
}

static const H5FD_class_t class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 500,
#endif
    .name = "proscenium",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = open_file,
    .close = close_file,
    .cmp = compare,
    .query = query,
    .get_eoa = used_of,
    .set_eoa = set_used,
    .get_eof = size_of,
    .get_handle = handle_of,
    .read = read_bytes,
    .write = write_nothing,
    .lock = lock,
    .unlock = unlock,
    .fl_map = H5FD_FLMAP_SINGLE,
};

static hid_t access_plan = H5I_INVALID_HID;

static void register_driver(void)
{
    hid_t driver = H5FDregister(&class);
    if (driver < 0) return;
    hid_t plan = H5Pcreate(H5P_FILE_ACCESS);
    if (plan >= 0 && H5Pset_driver(plan, driver, NULL) >= 0) access_plan = plan;
}

int64_t chdf5_driver_open(const char *path)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_driver);
    if (access_plan < 0) return -1;
    return H5Fopen(path, H5F_ACC_RDONLY, access_plan);
}
