/* Closed reads of random dies by a heap of events, as one writes it in C for a yardstick: each read
   waits for its die, then for the channel, then for the link; the twin of reads_by_heap. */

#include <stdint.h>
#include <stdlib.h>

typedef struct { double time; uint32_t kind, die; } event;

static event *heap;
static uint32_t events;

static void push(double time, uint32_t kind, uint32_t die)
{
    uint32_t at = events++;
    while (at > 0 && heap[(at - 1) / 2].time > time) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = (event){time, kind, die};
}

static event pop(void)
{
    event first = heap[0], last = heap[--events];
    uint32_t at = 0, child;
    while ((child = 2 * at + 1) < events) {
        if (child + 1 < events && heap[child + 1].time < heap[child].time) child++;
        if (heap[child].time >= last.time) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

/* The number of reads that complete within a time. */
uint64_t reads(uint32_t dies, uint32_t channels, uint32_t depth, double read_s, double transfer_s,
               double link_s, double length_s)
{
    uint64_t done = 0, state = 88172645463325252ull;
    uint32_t *waiting = calloc(dies, 4), todo = depth;
    uint8_t *busy = calloc(dies, 1);
    double *channel_free = calloc(channels, 8), link_free = 0, now = 0;
    heap = malloc(sizeof(event) * (depth + dies + 1));
    events = 0;
    while (now < length_s) {
        for (; todo; todo--) {
            state ^= state << 13; state ^= state >> 7; state ^= state << 17;
            uint32_t die = (uint32_t)((unsigned __int128)state * dies >> 64);
            if (busy[die]) waiting[die]++;
            else { busy[die] = 1; push(now + read_s, 0, die); }
        }
        event next = pop();
        uint32_t die = next.die, channel = die % channels;
        now = next.time;
        if (next.kind == 0) {
            channel_free[channel] = (now > channel_free[channel] ? now : channel_free[channel]) + transfer_s;
            push(channel_free[channel], 1, die);
        } else if (next.kind == 1) {
            link_free = (now > link_free ? now : link_free) + link_s;
            push(link_free, 2, die);
            if (waiting[die]) { waiting[die]--; push(now + read_s, 0, die); }
            else busy[die] = 0;
        } else { done++; todo++; }
    }
    free(heap); free(waiting); free(busy); free(channel_free);
    return done;
}
