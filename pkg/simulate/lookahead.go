package simulate

import (
	"math/bits"
	"math/rand/v2"
)

// In a pool of more hosts than fit a processor's cache, most of a connection's
// time is waiting for the memory of one host, then of the next. So the hosts
// that are about to be needed are read some at a time beforehand: those waits
// overlap. With a million hosts this makes a connection several times faster.
const (
	ahead = 48      // draws made at a time
	large = 1 << 15 // hosts from which on that pays
)

// lookahead hands out chance that was drawn some time before, so that what it
// will choose can be guessed.
type lookahead struct {
	random *rand.Rand
	ring   [ahead]draw
	next   int
}

// draw is what one choice needs: any 64 bits, for a rank and for a member of a
// group.
type draw struct{ rank, member uint64 }

func newLookahead(random *rand.Rand) lookahead { return lookahead{random: random, next: ahead} }

func (l *lookahead) used() bool { return l.next == ahead }

func (l *lookahead) refill() {
	for i := range l.ring {
		l.ring[i] = draw{l.random.Uint64(), l.random.Uint64()}
	}
	l.next = 0
}

func (l *lookahead) take() draw {
	l.next++
	return l.ring[l.next-1]
}

// below turns 64 random bits into a number below n, each equally likely
// (Lemire's method). Nearly always it is scale; bits that would favour some
// numbers are replaced by fresh ones.
func (l *lookahead) below(random uint64, n int32) int32 {
	high, low := bits.Mul64(random, uint64(n))
	if low < uint64(n) {
		for threshold := -uint64(n) % uint64(n); low < threshold; {
			high, low = bits.Mul64(l.random.Uint64(), uint64(n))
		}
	}
	return int32(high)
}

// scale is below without the exactness.
func scale(random uint64, n int32) int32 {
	high, _ := bits.Mul64(random, uint64(n))
	return int32(high)
}
