/* Preloaded into a server: waits FLUSH_DELAY_US before each flush of a file, and adds the flush and
   the time that it took, the wait included, to the two numbers in the file FLUSH_COUNTS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static uint64_t *counts;
static long delay_us;

__attribute__((constructor)) static void start(void) {
  const char *delay = getenv("FLUSH_DELAY_US"), *path = getenv("FLUSH_COUNTS");
  delay_us = delay ? atol(delay) : 0;
  int file = path ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) counts = mapped;
  close(file);
}

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int flush(int (*real)(int), int file) {
  uint64_t begun = now_ns();
  struct timespec wait = {delay_us / 1000000, delay_us % 1000000 * 1000};
  if (delay_us > 0) nanosleep(&wait, NULL);
  int result = real(file);
  if (counts) {
    __atomic_fetch_add(&counts[0], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counts[1], now_ns() - begun, __ATOMIC_RELAXED);
  }
  return result;
}

#define DELAYED(name)                                   \
  int name(int file) {                                  \
    static int (*real)(int);                            \
    if (!real) real = dlsym(RTLD_NEXT, #name);          \
    return flush(real, file);                           \
  }

DELAYED(fsync)
DELAYED(fdatasync)
