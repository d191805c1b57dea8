/* A page-mapped drive with greedy collection in one log, as one writes it in C for a yardstick:
   maps, a bit per page, blocks in lists by their number of valid pages, xoshiro256++. */

#include <stdint.h>
#include <stdlib.h>

typedef uint32_t u32;
typedef uint64_t u64;
#define OPEN (1u << 30)

static u32 pages, hot, size, blocks, shift, open_block, filled, least, *where, *holds, *count;
static u32 *after, *before, *spare, spares;
static u64 *valid, cut, s[4], copies;

static inline u64 draw(void)
{
    u64 sum = s[0] + s[3], out = ((sum << 23) | (sum >> 41)) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return out;
}

static inline u32 below(u32 bound) { return (u32)((unsigned __int128)draw() * bound >> 64); }

static inline void unlink_block(u32 b)
{
    after[before[b]] = after[b];
    before[after[b]] = before[b];
}

static inline void link_block(u32 b, u32 n)
{
    u32 list = blocks + n, last = before[list];
    before[list] = after[last] = b;
    after[b] = list;
    before[b] = last;
    if (n < least) least = n;
}

static inline void program(u32 page)
{
    if (filled == size) {
        count[open_block] -= OPEN;
        link_block(open_block, count[open_block]);
        open_block = spare[--spares];
        count[open_block] = OPEN;
        filled = 0;
    }
    u32 code = (open_block << shift) + filled++;
    where[page] = code;
    holds[code] = page;
    valid[code >> 6] |= 1ull << (code & 63);
    count[open_block]++;
}

static void collect(void)
{
    while (after[blocks + least] == blocks + least) least++;
    u32 b = after[blocks + least], code = b << shift;
    unlink_block(b);
    for (u32 row = 0; row < (size + 63) / 64; row++) {
        u64 bits = valid[(code >> 6) + row];
        valid[(code >> 6) + row] = 0;
        for (; bits; bits &= bits - 1, copies++)
            program(holds[code + 64 * row + (u32)__builtin_ctzll(bits)]);
    }
    spare[spares++] = b;
}

static inline void overwrite(u32 page)
{
    u32 old = where[page], b = old >> shift;
    valid[old >> 6] &= ~(1ull << (old & 63));
    if (--count[b] < OPEN) {
        unlink_block(b);
        link_block(b, count[b]);
    }
    while (filled == size && spares < 2) collect();
    program(page);
}

/* A drive that was filled in sequence; `hot_pages` of 0 is uniform. Blocks of 64 pages or more. */
void build(u32 n, u32 hot_pages, double hot_writes, u32 pages_per_block, u32 block_count)
{
    pages = n; hot = hot_pages; size = pages_per_block; blocks = block_count;
    cut = hot ? (u64)(hot_writes * 18446744073709549568.0) : 0;
    for (shift = 6; 1u << shift < size; shift++) ;
    u32 lists = blocks + size + 1;
    where = malloc(4ul * pages);
    holds = malloc(4ul * ((u64)blocks << shift));
    valid = calloc((u64)blocks << shift >> 6, 8);
    count = calloc(blocks, 4); spare = malloc(4ul * blocks);
    after = malloc(4ul * lists); before = malloc(4ul * lists);
    for (u32 i = 0; i < lists; i++) after[i] = before[i] = i;
    for (int i = 0; i < 4; i++) s[i] = 0x9e3779b97f4a7c15ull * (u64)(i + 1);
    for (spares = 0; spares < blocks; spares++) spare[spares] = blocks - 1 - spares;
    open_block = spare[--spares]; count[open_block] = OPEN; filled = 0; least = size;
    for (u32 page = 0; page < pages; page++) program(page);
}

/* Carry out host writes; return the pages copied for them. */
u64 advance(u64 writes)
{
    copies = 0;
    for (u64 i = 0; i < writes; i++) {
        u32 page = hot == 0 ? below(pages)
            : draw() < cut ? below(hot) : hot + below(pages - hot);
        overwrite(page);
    }
    return copies;
}

void release(void)
{
    free(where); free(holds); free(valid); free(count); free(spare); free(after); free(before);
}
