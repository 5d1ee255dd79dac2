/*
 * Makes calls on files fail, preloaded into a program (LD_PRELOAD). FAULTS names a file of 4096
 * bytes that is looked at anew at each call. It has a text such as
 *
 *   sync=5 write=28 path=orders.db-wal percent=30
 *
 * with the number of the error for each kind of call (sync, write, read, resize, open, rename;
 * for write also 9999: only half is written), what the path of the file must hold ("orders.db$": end
 * with), and how many of a hundred calls fail. Of reads, "after=4096" excepts those of bytes before. At byte 2048 it counts the calls that were made to fail;
 * byte 2056 has the seconds that the clock of the day is to be ahead.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define HALF 9999

static char *control;

#define NEXT(type, name, ...) \
  static type (*next)(__VA_ARGS__); \
  if (!next) next = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULTS");
  if (!path) return;
  int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  int fd = next(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *mapped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  control = mapped == MAP_FAILED ? 0 : mapped;
  close(fd);
}

static int matches(const char *path, const char *wanted) {
  size_t length = strlen(path), end = strcspn(wanted, " ");
  char part[256];
  if (end >= sizeof part) return 0;
  memcpy(part, wanted, end);
  part[end] = 0;
  if (end == 0 || part[end - 1] != '$') return strstr(path, part) != 0;
  return length >= end - 1 && !strncmp(path + length - (end - 1), part, end - 1);
}

/* The error that the call is to fail with, or 0. */
static int fault(const char *call, int fd, const char *path) {
  if (!control || !control[0]) return 0;
  char text[512];
  strncpy(text, control, sizeof text - 1);
  text[sizeof text - 1] = 0;
  const char *found = strstr(text, call), *wanted = strstr(text, "path="), *percent = strstr(text, "percent=");
  if (!found || !wanted) return 0;
  char link[64], name[PATH_MAX];
  if (!path) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    path = name;
  }
  if (!matches(path, wanted + 5)) return 0;
  if (percent && rand() % 100 >= atoi(percent + 8)) return 0;
  __sync_fetch_and_add((int *)(control + 2048), 1);
  return atoi(found + strlen(call));
}

#define FAIL_IF(call, fd, path) \
  int error = fault(call, fd, path); \
  if (error && error != HALF) return errno = error, -1

int fsync(int fd) {
  NEXT(int, "fsync", int);
  FAIL_IF("sync=", fd, 0);
  return next(fd);
}
int fdatasync(int fd) {
  NEXT(int, "fdatasync", int);
  FAIL_IF("sync=", fd, 0);
  return next(fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  NEXT(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  FAIL_IF("write=", fd, 0);
  return next(fd, bytes, error == HALF ? length / 2 : length, offset);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }
ssize_t write(int fd, const void *bytes, size_t length) {
  NEXT(ssize_t, "write", int, const void *, size_t);
  FAIL_IF("write=", fd, 0);
  return next(fd, bytes, error == HALF ? length / 2 : length);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) {
  NEXT(ssize_t, "pread64", int, void *, size_t, off64_t);
  const char *after = control ? strstr(control, "after=") : 0;
  if (after && offset + (off64_t)length <= atoll(after + 6)) return next(fd, bytes, length, offset);
  FAIL_IF("read=", fd, 0);
  return next(fd, bytes, length, offset);
}
ssize_t pread(int fd, void *bytes, size_t length, off_t offset) { return pread64(fd, bytes, length, offset); }

int ftruncate64(int fd, off64_t length) {
  NEXT(int, "ftruncate64", int, off64_t);
  FAIL_IF("resize=", fd, 0);
  return next(fd, length);
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int open_file(const char *path, int flags, mode_t mode) {
  NEXT(int, "open64", const char *, int, ...);
  FAIL_IF("open=", -1, path);
  return next(path, flags, mode);
}
#define OPEN \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  } \
  return open_file(path, flags, mode);
int open(const char *path, int flags, ...) { OPEN }
int open64(const char *path, int flags, ...) { OPEN }

int rename(const char *from, const char *to) {
  NEXT(int, "rename", const char *, const char *);
  FAIL_IF("rename=", -1, to);
  return next(from, to);
}

static time_t ahead(void) { return control ? *(volatile int64_t *)(control + 2056) : 0; }

int clock_gettime(clockid_t clock, struct timespec *t) {
  NEXT(int, "clock_gettime", clockid_t, struct timespec *);
  int failed = next(clock, t);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) t->tv_sec += ahead();
  return failed;
}
int gettimeofday(struct timeval *restrict t, void *restrict zone) {
  NEXT(int, "gettimeofday", struct timeval *, void *);
  int failed = next(t, zone);
  if (!failed) t->tv_sec += ahead();
  return failed;
}
