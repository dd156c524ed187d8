/* Preloaded into the server: makes every sync take SLOWSYNC_US microseconds longer, and notes the begin and end of each
   (CLOCK_MONOTONIC, ns, one line) in the file SLOWSYNC_LOG. cc -shared -fPIC -o slowsync.so slowsync.c -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int slow(const char *name, int fd) {
  int (*sync)(int) = dlsym(RTLD_NEXT, name);
  char *us = getenv("SLOWSYNC_US"), *path = getenv("SLOWSYNC_LOG");
  long long begin = now();
  if (us) usleep(atoi(us));
  int result = sync(fd);
  int log = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  if (log >= 0) {
    dprintf(log, "%lld %lld\n", begin, now());
    close(log);
  }
  return result;
}

int fdatasync(int fd) { return slow("fdatasync", fd); }
int fsync(int fd) { return slow("fsync", fd); }
