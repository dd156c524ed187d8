/* Makes reads of peal.db fail with EIO while the file $BAD_READS exists, as on a disk that lost its power for a moment. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_bad(int file) {
  const char *flag = getenv("BAD_READS");
  char link[64], path[4096];
  if (flag == NULL || access(flag, F_OK) != 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 8) return 0;
  path[length] = 0;
  return strcmp(path + length - 8, "/peal.db") == 0;
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
  static ssize_t (*real)(int, void *, size_t, off64_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "pread64");
  if (is_bad(file)) return errno = EIO, -1;
  return real(file, bytes, count, at);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at) { return pread64(file, bytes, count, at); }
