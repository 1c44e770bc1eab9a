/* A sum modulo a number that is an array of the file, whose place and whose other users the macros choose. */
#include <stdint.h>

#define N (BITS / 8)

#ifdef PROGMEM_ARRAY
#include <avr/pgmspace.h>
static const uint8_t p[N] PROGMEM = NUMBER;
#define P(i) pgm_read_byte(p + (i))
#else
#ifdef WITH_FUNCTION
extern void elsewhere(void);
static void calls(void) { elsewhere(); }
static const struct {
    void (*function)(void), (*missing)(void);
    uint8_t p[N];
} curve = {calls, elsewhere, NUMBER};
#define p curve.p
const void *keep(void) { return &curve; }
#else
PLACE uint8_t p[N] = NUMBER;
#endif
#define P(i) p[i]
#endif

void f(uint8_t *r, const uint8_t *a, const uint8_t *b)
{
    uint8_t t[N], carry = 0, borrow = 0, mask, i;
    uint16_t s;
    for (i = 0; i < N; i++) {
        s = (uint16_t)a[i] + b[i] + carry;
        r[i] = s;
        carry = s >> 8;
    }
    for (i = 0; i < N; i++) {
        s = (uint16_t)r[i] - P(i) - borrow;
        t[i] = s;
        borrow = s >> 8 & 1;
    }
#ifdef WRITES
    *(volatile uint8_t *)p = 1;
#endif
    mask = -((uint8_t)(carry - borrow) & 1);
    for (i = 0; i < N; i++)
        r[i] = (r[i] & mask) | (t[i] & ~mask);
}

/* Other users. */
uint8_t other[N], *pointer;
struct handed {
    uint8_t *to, length;
} handed;

__attribute__((noinline)) uint8_t *address(void) { return (uint8_t *)p; }
__attribute__((noinline)) void copy(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < N; i++)
        to[i] = from[i];
}
__attribute__((noinline)) void hand_over(void) { handed.to = (uint8_t *)p; }

void use(const uint8_t *q, uint8_t i)
{
#if defined(COPIES)
    copy((uint8_t *)p, q);
#elif defined(COPIES_ALL)
    __builtin_memcpy((uint8_t *)p, q, N);
#elif defined(COUNTS_DOWN)
    for (int8_t k = N - 1; k >= 0; k--)
        ((volatile uint8_t *)p)[k] = q[k];
#elif defined(ONE_BYTE)
    ((volatile uint8_t *)p)[2] = i;
#elif defined(INDEXED)
    ((volatile uint8_t *)p)[i] = *q;
#elif defined(INDEXED_FROM_1)
    ((volatile uint8_t *)p)[i - 1] = *q;
#elif defined(RETURNED)
    address()[i & 1] = *q;
#elif defined(FROM_MEMORY)
    hand_over();
    handed.to[1] = i;
#elif defined(BY_POINTER)
    void (*volatile function)(uint8_t *, const uint8_t *) = copy;
    function((uint8_t *)p, q);
#else
    copy(other, (const uint8_t *)p);
#endif
}

int main(void)
{
    static uint8_t a[N], b[N], r[N];
    f(r, a, b);
    use(a, r[0]);
    return r[1];
}
