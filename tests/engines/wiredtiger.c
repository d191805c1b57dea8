/* Clients that update or insert rows of a WiredTiger table at random times, while checkpoints are
   made. It prints its counts as JSON for each line that it reads, and ends with its input.

   wiredtiger FOLDER update|insert ROWS ROW_BYTES RATE_PER_S CLIENTS COMMITS_SYNCED CHECKPOINT_S
              CACHE_BYTES RANDOM_SHARE COMPRESSOR */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wiredtiger.h>

static WT_CONNECTION *connection;
static int updates, clients, synced;
static long rows, row_bytes, next_row;
static double rate, checkpoint_s, random_share;
static long done;

static void check(int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %s\n", what, wiredtiger_strerror(error));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void sleep_until(double due) {
  double left = due - now();
  if (left > 0) usleep((useconds_t)(1e6 * left));
}

static double uniform(unsigned long *state) {
  *state = *state * 6364136223846793005ul + 1442695040888963407ul;
  return ((*state >> 11) + 0.5) / 9007199254740992.0;
}

static void fill(char *value, unsigned long *state) {
  long random_bytes = (long)(random_share * row_bytes);
  for (long i = 0; i < row_bytes; i++)
    value[i] = i < random_bytes ? (char)(256 * uniform(state)) : 'a';
}

static WT_SESSION *session(void) {
  WT_SESSION *opened;
  check(connection->open_session(connection, NULL, NULL, &opened), "session");
  return opened;
}

static WT_CURSOR *table_cursor(WT_SESSION *opened) {
  WT_CURSOR *cursor;
  check(opened->open_cursor(opened, "table:t", NULL, NULL, &cursor), "cursor");
  return cursor;
}

static int put(WT_CURSOR *cursor, long row, char *value, int update) {
  WT_ITEM item = {.data = value, .size = (size_t)row_bytes};
  cursor->set_key(cursor, (int64_t)row);
  cursor->set_value(cursor, &item);
  return update ? cursor->update(cursor) : cursor->insert(cursor);
}

static void *checkpoints(void *unused) {
  WT_SESSION *own = session();
  for (double due = now() + checkpoint_s;; due += checkpoint_s) {
    sleep_until(due);
    check(own->checkpoint(own, NULL), "checkpoint");
  }
  return unused;
}

static void *log_flushes(void *unused) { /* every 100 ms, as MongoDB does */
  WT_SESSION *own = session();
  for (;;) {
    usleep(100000);
    check(own->log_flush(own, "sync=on"), "log flush");
  }
  return unused;
}

static void *client(void *number) {
  unsigned long state = 7919 * (unsigned long)number + 3;
  WT_SESSION *own = session();
  WT_CURSOR *cursor = table_cursor(own);
  char *value = malloc((size_t)row_bytes);
  for (double due = now();;) {
    due += -log(uniform(&state)) * clients / rate;
    sleep_until(due);
    long row = updates ? (long)(uniform(&state) * rows) : __atomic_fetch_add(&next_row, 1, 5);
    fill(value, &state);
    int error;
    do {
      check(own->begin_transaction(own, synced ? "sync=true" : NULL), "begin");
      error = put(cursor, row, value, updates);
      if (error == WT_ROLLBACK) own->rollback_transaction(own, NULL);
    } while (error == WT_ROLLBACK);
    check(error, "put");
    check(own->commit_transaction(own, NULL), "commit");
    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

static long statistic(WT_SESSION *own, int key) {
  WT_CURSOR *cursor;
  const char *name, *text;
  int64_t value = 0;
  check(own->open_cursor(own, "statistics:", NULL, NULL, &cursor), "statistics");
  cursor->set_key(cursor, key);
  check(cursor->search(cursor), "statistic");
  check(cursor->get_value(cursor, &name, &text, &value), "value");
  cursor->close(cursor);
  return value;
}

int main(int count, char **words) {
  if (count != 12) return 2;
  updates = !strcmp(words[2], "update");
  rows = next_row = atol(words[3]);
  row_bytes = atol(words[4]);
  rate = atof(words[5]);
  clients = atoi(words[6]);
  synced = atoi(words[7]);
  checkpoint_s = atof(words[8]);
  random_share = atof(words[10]);
  char config[400];
  snprintf(config, sizeof config,
           "create,cache_size=%s,session_max=200,statistics=(fast),"
           "log=(enabled=true,archive=true,compressor=%s),extensions=[libwiredtiger_snappy.so]",
           words[9], words[11]);
  check(wiredtiger_open(words[1], NULL, config, &connection), "open");
  WT_SESSION *own = session();
  snprintf(config, sizeof config,
           "key_format=q,value_format=u,block_compressor=%s,memory_page_max=10m,split_pct=90,"
           "leaf_value_max=64MB,allocation_size=4KB", words[11]);
  check(own->create(own, "table:t", config), "create");
  WT_CURSOR *cursor = table_cursor(own);
  unsigned long state = 99;
  char *value = malloc((size_t)row_bytes);
  for (long row = 0; row < rows; row++) {
    fill(value, &state);
    check(put(cursor, row, value, 0), "load");
  }
  check(own->checkpoint(own, NULL), "checkpoint");
  pthread_t thread;
  pthread_create(&thread, NULL, checkpoints, NULL);
  pthread_create(&thread, NULL, log_flushes, NULL);
  for (long number = 0; number < clients; number++)
    pthread_create(&thread, NULL, client, (void *)number);
  char line[100];
  while (fgets(line, sizeof line, stdin)) {
    printf("{\"transactions\": %ld, \"log_bytes\": %ld, \"log_flushes\": %ld, "
           "\"block_bytes\": %ld, \"pages\": %ld, \"version\": \"%d.%d.%d\"}\n",
           __atomic_load_n(&done, __ATOMIC_RELAXED),
           statistic(own, WT_STAT_CONN_LOG_BYTES_WRITTEN), statistic(own, WT_STAT_CONN_LOG_SYNC),
           statistic(own, WT_STAT_CONN_BLOCK_BYTE_WRITE), statistic(own, WT_STAT_CONN_BLOCK_WRITE),
           WIREDTIGER_VERSION_MAJOR, WIREDTIGER_VERSION_MINOR, WIREDTIGER_VERSION_PATCH);
    fflush(stdout);
  }
  _exit(0);
}
