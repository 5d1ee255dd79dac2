/*
 * Records every change of a file, in one total order, with the time it began and ended.
 *
 * Preloaded into a program (LD_PRELOAD). RECORD_LOG names the file to append to; "RECORD_LOG.lock"
 * holds the lock that orders processes and threads, and in its first four bytes the id of a process
 * that is to kill itself after its next change: so no change is half recorded. RECORD_ROOT names a
 * folder of the file system to record. RECORD_SYNC_US makes syncs slower, as a disk would.
 * RECORD_SYNC_FAILS is the percentage of the syncs of orders.db and its log that fail with EIO.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CREATE = 1, MKDIR, UNLINK, RMDIR, RENAME, LINK, WRITE, TRUNCATE, SYNC, SYNC_FAILED, MAPPED, UNRECORDED };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1, lock_fd = -1, is_on = 0, sync_fails = 0;
static long sync_us = 0;
static volatile int32_t *victim;
static dev_t device;

#define NEXT(type, name, ...) \
  static type (*next)(__VA_ARGS__); \
  if (!next) next = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

__attribute__((constructor)) static void start(void) {
  const char *log = getenv("RECORD_LOG"), *root = getenv("RECORD_ROOT");
  struct stat s;
  if (!log || !root || stat(root, &s)) return;
  device = s.st_dev;
  if (getenv("RECORD_SYNC_US")) sync_us = atol(getenv("RECORD_SYNC_US"));
  if (getenv("RECORD_SYNC_FAILS")) sync_fails = atoi(getenv("RECORD_SYNC_FAILS"));
  int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  int (*resize)(int, off64_t) = (int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64");
  void *(*map)(void *, size_t, int, int, int, off64_t) =
      (void *(*)(void *, size_t, int, int, int, off64_t))dlsym(RTLD_NEXT, "mmap64");
  char lock[PATH_MAX];
  snprintf(lock, sizeof lock, "%s.lock", log);
  log_fd = next(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  lock_fd = next(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (log_fd < 0 || lock_fd < 0 || resize(lock_fd, 4096)) return;
  victim = map(0, 4096, PROT_READ, MAP_SHARED, lock_fd, 0);
  is_on = victim != MAP_FAILED;
}

static void enter(void) {
  pthread_mutex_lock(&mutex);
  while (flock(lock_fd, LOCK_EX) && errno == EINTR);
}

static void leave(void) {
  int e = errno;
  if (*victim == getpid()) kill(getpid(), SIGKILL);
  flock(lock_fd, LOCK_UN);
  pthread_mutex_unlock(&mutex);
  errno = e;
}

/* a, b: inodes, offsets, lengths; one, two: contents or names. recording.ts reads it. */
static void record(int kind, int64_t began, uint64_t a, uint64_t b, const void *one, uint32_t one_length,
                   const char *two) {
  int e = errno;
  struct __attribute__((packed)) {
    uint32_t length;
    uint8_t kind;
    int64_t began, ended;
    uint64_t a, b;
    uint32_t one_length;
  } head = {0, kind, began, now(), a, b, one_length};
  uint32_t two_length = two ? strlen(two) : 0;
  head.length = sizeof head + one_length + two_length;
  struct iovec parts[3] = {{&head, sizeof head}, {(void *)one, one_length}, {(void *)two, two_length}};
  ssize_t (*next)(int, const struct iovec *, int) =
      (ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  if (next(log_fd, parts, 3) != (ssize_t)head.length) abort();
  errno = e;
}

static int is_ours(int fd, struct stat *s) {
  if (!is_on) return 0;
  int e = errno, ours = fstat(fd, s) == 0 && s->st_dev == device;
  errno = e;
  return ours;
}

static int is_our_file(int fd, struct stat *s) { return is_ours(fd, s) && S_ISREG(s->st_mode); }

/* The folder of a path and the name in it; 0 where it is on another file system. */
static int locate(int at, const char *path, uint64_t *folder, char *name) {
  char copy[PATH_MAX];
  size_t length = strlen(path);
  if (!is_on || length >= sizeof copy) return 0;
  strcpy(copy, path);
  while (length > 1 && copy[length - 1] == '/') copy[--length] = 0;
  char *slash = strrchr(copy, '/');
  struct stat s;
  int e = errno, failed;
  strcpy(name, slash ? slash + 1 : copy);
  if (!slash) {
    failed = at == AT_FDCWD ? stat(".", &s) : fstat(at, &s);
  } else {
    slash[slash == copy] = 0;
    failed = fstatat(at, copy, &s, 0);
  }
  errno = e;
  *folder = s.st_ino;
  return !failed && s.st_dev == device;
}

static int open_file(int at, const char *path, int flags, mode_t mode) {
  NEXT(int, "openat64", int, const char *, int, ...);
  uint64_t folder;
  char name[PATH_MAX];
  if (!(flags & (O_CREAT | O_TRUNC)) || !locate(at, path, &folder, name)) return next(at, path, flags, mode);
  enter();
  struct stat before, after;
  int e = errno, was_there = fstatat(at, path, &before, 0) == 0;
  errno = e;
  int64_t began = now();
  int fd = next(at, path, flags, mode);
  if (fd >= 0 && !fstat(fd, &after)) {
    if (!was_there) record(CREATE, began, folder, after.st_ino, name, strlen(name), 0);
    else if ((flags & O_TRUNC) && before.st_size > 0) record(TRUNCATE, began, after.st_ino, 0, 0, 0, 0);
  }
  leave();
  return fd;
}

#define OPEN(at) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  } \
  return open_file(at, path, flags, mode);
int open(const char *path, int flags, ...) { OPEN(AT_FDCWD) }
int open64(const char *path, int flags, ...) { OPEN(AT_FDCWD) }
int openat(int at, const char *path, int flags, ...) { OPEN(at) }
int openat64(int at, const char *path, int flags, ...) { OPEN(at) }

ssize_t write(int fd, const void *bytes, size_t length) {
  NEXT(ssize_t, "write", int, const void *, size_t);
  struct stat s;
  if (!is_our_file(fd, &s)) return next(fd, bytes, length);
  enter();
  int64_t began = now();
  fstat(fd, &s);
  off_t offset = (fcntl(fd, F_GETFL) & O_APPEND) ? s.st_size : lseek(fd, 0, SEEK_CUR);
  ssize_t written = next(fd, bytes, length);
  if (written > 0) record(WRITE, began, s.st_ino, offset, bytes, written, 0);
  leave();
  return written;
}

static ssize_t write_at(int fd, const void *bytes, size_t length, off64_t offset) {
  NEXT(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  struct stat s;
  if (!is_our_file(fd, &s)) return next(fd, bytes, length, offset);
  enter();
  int64_t began = now();
  ssize_t written = next(fd, bytes, length, offset);
  if (written > 0) record(WRITE, began, s.st_ino, offset, bytes, written, 0);
  leave();
  return written;
}
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return write_at(fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { return write_at(fd, b, n, o); }

/* As several writes: a disk may have one of them and not the next. */
ssize_t writev(int fd, const struct iovec *parts, int count) {
  NEXT(ssize_t, "writev", int, const struct iovec *, int);
  struct stat s;
  if (!is_our_file(fd, &s)) return next(fd, parts, count);
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    ssize_t written = write(fd, parts[i].iov_base, parts[i].iov_len);
    if (written < 0) return total ? total : written;
    total += written;
  }
  return total;
}

static ssize_t writev_at(int fd, const struct iovec *parts, int count, off64_t offset) {
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    ssize_t written = write_at(fd, parts[i].iov_base, parts[i].iov_len, offset + total);
    if (written < 0) return total ? total : written;
    total += written;
  }
  return total;
}
ssize_t pwritev(int fd, const struct iovec *p, int n, off_t o) { return writev_at(fd, p, n, o); }
ssize_t pwritev64(int fd, const struct iovec *p, int n, off64_t o) { return writev_at(fd, p, n, o); }

static int resize(int fd, off64_t length) {
  NEXT(int, "ftruncate64", int, off64_t);
  struct stat s;
  if (!is_our_file(fd, &s)) return next(fd, length);
  enter();
  int64_t began = now();
  int failed = next(fd, length);
  if (!failed) record(TRUNCATE, began, s.st_ino, length, 0, 0, 0);
  leave();
  return failed;
}
int ftruncate(int fd, off_t length) { return resize(fd, length); }
int ftruncate64(int fd, off64_t length) { return resize(fd, length); }

static int is_to_fail(int fd) {
  if (!sync_fails) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "/orders.db") && rand() % 100 < sync_fails;
}

static int sync_file(int fd, int (*next)(int)) {
  struct stat s;
  if (!is_ours(fd, &s)) return next(fd);
  if (sync_us) usleep(sync_us);
  enter();
  int64_t began = now();
  int failed = is_to_fail(fd) ? (errno = EIO, -1) : next(fd);
  record(failed ? SYNC_FAILED : SYNC, began, s.st_ino, 0, 0, 0, 0);
  leave();
  return failed;
}
int fsync(int fd) {
  NEXT(int, "fsync", int);
  return sync_file(fd, next);
}
int fdatasync(int fd) {
  NEXT(int, "fdatasync", int);
  return sync_file(fd, next);
}

static int move(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  NEXT(int, "renameat2", int, const char *, int, const char *, unsigned);
  uint64_t from_folder, to_folder;
  char from_name[PATH_MAX], to_name[PATH_MAX];
  if (!locate(from_at, from, &from_folder, from_name) || !locate(to_at, to, &to_folder, to_name))
    return next(from_at, from, to_at, to, flags);
  enter();
  int64_t began = now();
  int failed = next(from_at, from, to_at, to, flags);
  if (!failed) record(RENAME, began, from_folder, to_folder, from_name, strlen(from_name), to_name);
  leave();
  return failed;
}
int rename(const char *a, const char *b) { return move(AT_FDCWD, a, AT_FDCWD, b, 0); }
int renameat(int i, const char *a, int j, const char *b) { return move(i, a, j, b, 0); }
int renameat2(int i, const char *a, int j, const char *b, unsigned flags) { return move(i, a, j, b, flags); }

static int link_file(int from_at, const char *from, int to_at, const char *to, int flags) {
  NEXT(int, "linkat", int, const char *, int, const char *, int);
  uint64_t folder;
  char name[PATH_MAX];
  struct stat s;
  if (!locate(to_at, to, &folder, name) || fstatat(from_at, from, &s, 0))
    return next(from_at, from, to_at, to, flags);
  enter();
  int64_t began = now();
  int failed = next(from_at, from, to_at, to, flags);
  if (!failed) record(LINK, began, folder, s.st_ino, name, strlen(name), 0);
  leave();
  return failed;
}
int link(const char *a, const char *b) { return link_file(AT_FDCWD, a, AT_FDCWD, b, 0); }
int linkat(int i, const char *a, int j, const char *b, int flags) { return link_file(i, a, j, b, flags); }

static int take_away(int at, const char *path, int flags) {
  NEXT(int, "unlinkat", int, const char *, int);
  uint64_t folder;
  char name[PATH_MAX];
  if (!locate(at, path, &folder, name)) return next(at, path, flags);
  enter();
  int64_t began = now();
  int failed = next(at, path, flags);
  if (!failed) record(flags & AT_REMOVEDIR ? RMDIR : UNLINK, began, folder, 0, name, strlen(name), 0);
  leave();
  return failed;
}
int unlink(const char *path) { return take_away(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return take_away(at, path, flags); }
int rmdir(const char *path) { return take_away(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int failed = take_away(AT_FDCWD, path, 0);
  return failed && (errno == EISDIR || errno == EPERM) ? take_away(AT_FDCWD, path, AT_REMOVEDIR) : failed;
}

static int make_folder(int at, const char *path, mode_t mode) {
  NEXT(int, "mkdirat", int, const char *, mode_t);
  uint64_t folder;
  char name[PATH_MAX];
  if (!locate(at, path, &folder, name)) return next(at, path, mode);
  enter();
  int64_t began = now();
  struct stat s;
  int failed = next(at, path, mode);
  if (!failed && !fstatat(at, path, &s, 0)) record(MKDIR, began, folder, s.st_ino, name, strlen(name), 0);
  leave();
  return failed;
}
int mkdir(const char *path, mode_t mode) { return make_folder(AT_FDCWD, path, mode); }
int mkdirat(int at, const char *path, mode_t mode) { return make_folder(at, path, mode); }
char *mkdtemp(char *pattern) {
  char *end = pattern + strlen(pattern) - 6;
  do sprintf(end, "%06x", rand() & 0xffffff);
  while (mkdir(pattern, 0700) && errno == EEXIST);
  return access(pattern, F_OK) ? NULL : pattern;
}

/* What could change a file unseen is noted: the reader refuses such a recording. */
static void note(int kind, int fd) {
  struct stat s;
  if (!is_our_file(fd, &s)) return;
  enter();
  record(kind, now(), s.st_ino, 0, 0, 0, 0);
  leave();
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) {
  NEXT(void *, "mmap64", void *, size_t, int, int, int, off64_t);
  if (fd >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE)) note(MAPPED, fd);
  return next(at, length, protection, flags, fd, offset);
}
void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap64(at, length, protection, flags, fd, offset);
}

int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  NEXT(int, "fallocate64", int, int, off64_t, off64_t);
  note(UNRECORDED, fd);
  return next(fd, mode, offset, length);
}
int fallocate(int fd, int mode, off_t offset, off_t length) { return fallocate64(fd, mode, offset, length); }
int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  NEXT(int, "posix_fallocate64", int, off64_t, off64_t);
  note(UNRECORDED, fd);
  return next(fd, offset, length);
}
int posix_fallocate(int fd, off_t offset, off_t length) { return posix_fallocate64(fd, offset, length); }

/* Callers then read and write. libuv makes this call by its number. */
ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t length, unsigned flags) {
  NEXT(ssize_t, "copy_file_range", int, off64_t *, int, off64_t *, size_t, unsigned);
  struct stat s;
  if (is_our_file(to, &s)) return errno = ENOSYS, -1;
  return next(from, from_at, to, to_at, length, flags);
}
long syscall(long number, ...) {
  NEXT(long, "syscall", long, ...);
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  struct stat s;
  if (number == SYS_copy_file_range && is_our_file((int)a[2], &s)) return errno = ENOSYS, -1;
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

ssize_t sendfile64(int to, int from, off64_t *from_at, size_t length) {
  NEXT(ssize_t, "sendfile64", int, int, off64_t *, size_t);
  struct stat s;
  if (!is_our_file(to, &s)) return next(to, from, from_at, length);
  char bytes[65536];
  if (length > sizeof bytes) length = sizeof bytes;
  ssize_t got = from_at ? pread64(from, bytes, length, *from_at) : read(from, bytes, length);
  if (got <= 0) return got;
  ssize_t written = write(to, bytes, got);
  if (written > 0 && from_at) *from_at += written;
  return written;
}
ssize_t sendfile(int to, int from, off_t *from_at, size_t length) { return sendfile64(to, from, from_at, length); }
