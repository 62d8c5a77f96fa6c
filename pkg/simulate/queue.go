package simulate

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// end is a session's end to come.
type end struct {
	at   time.Duration // since the start of the run
	host int32
	user int32 // index of the trace's user, or absent
}

func compareEnds(a, b end) int {
	if a.at != b.at {
		return cmp.Compare(a.at, b.at)
	}
	if a.host != b.host {
		return cmp.Compare(a.host, b.host)
	}
	return cmp.Compare(a.user, b.user)
}

// endQueue hands out ends in order of time, then host, then user. It is a radix
// queue: time goes forward only, and no end is pushed that lies in the past.
//
// An end waits in the bucket named by the highest digit in which its time
// differs from the queue's. When time comes to a bucket, a small one is sorted
// and handed out, a large one is dealt to the buckets of the next digit. So an
// end is moved a few times, whatever the number that wait; these copies run
// through memory in order and cost less than the cache misses of a heap.
type endQueue struct {
	now    time.Duration // no end before it waits or will be pushed
	run    []end         // sorted
	next   int           // index in run
	runEnd time.Duration // every end up to this time is in run
	used   uint8         // levels that may have an end, a bit each
	levels [levels]level
	free   *chunk
}

const (
	digitBits = 9
	digits    = 1 << digitBits
	levels    = 63 / digitBits
	runLength = 32 // a bucket up to this size is sorted
)

type level struct {
	used    [digits / 64]uint64
	buckets [digits]*chunk
}

// chunk is a piece of a bucket. Chunks are shared by all buckets, so memory
// goes with the ends that wait and not with the largest size of each bucket.
type chunk struct {
	more *chunk
	n    int
	ends [runLength]end
}

// newEndQueue returns an empty queue at time 0.
func newEndQueue() *endQueue { return &endQueue{runEnd: -1} }

// push adds an end. Its time is not before the last one given to pop.
func (q *endQueue) push(e end) {
	if e.at > q.runEnd {
		q.file(e)
		return
	}
	i, _ := slices.BinarySearchFunc(q.run[q.next:], e, compareEnds)
	q.run = slices.Insert(q.run, q.next+i, e)
	if len(q.run)-q.next > 4*runLength {
		q.spill()
	}
}

// spill puts the run back into buckets, finer ones now: more ends came after the
// run was made than sorting one by one is good for.
func (q *endQueue) spill() {
	q.runEnd = q.now - 1
	for _, e := range q.run[q.next:] {
		q.file(e)
	}
	q.run, q.next = q.run[:0], 0
}

// file puts an end into its bucket.
func (q *endQueue) file(e end) {
	k := 0
	if differ := uint64(e.at ^ q.now); differ != 0 {
		k = (bits.Len64(differ) - 1) / digitBits
	}
	l := &q.levels[k]
	q.used |= 1 << k
	digit := uint(e.at>>(k*digitBits)) % digits
	c := l.buckets[digit]
	if c == nil || c.n == len(c.ends) {
		c = q.chunk(c)
		l.buckets[digit] = c
		l.used[digit/64] |= 1 << (digit % 64)
	}
	c.ends[c.n] = e
	c.n++
}

func (q *endQueue) chunk(more *chunk) *chunk {
	c := q.free
	if c == nil {
		return &chunk{more: more}
	}
	q.free = c.more
	c.more, c.n = more, 0
	return c
}

// pop removes and returns the next end at or before time t, or false if there
// is none. Times given to pop never decrease.
func (q *endQueue) pop(t time.Duration) (end, bool) {
	if q.next == len(q.run) && !q.refill(t) {
		return end{}, false
	}
	e := q.run[q.next]
	if e.at > t {
		return end{}, false
	}
	q.next++
	q.now = e.at
	return e, true
}

// refill makes the run from the earliest bucket, if it begins at or before t.
func (q *endQueue) refill(t time.Duration) bool {
	q.run, q.next = q.run[:0], 0
	for q.used != 0 {
		k := bits.TrailingZeros8(q.used)
		l := &q.levels[k]
		digit, ok := l.first()
		if !ok {
			q.used &^= 1 << k
			continue
		}
		shift := k * digitBits
		from := q.now>>(shift+digitBits)<<(shift+digitBits) | time.Duration(digit)<<shift
		if from > t {
			return false
		}
		bucket := l.buckets[digit]
		l.buckets[digit] = nil
		l.used[digit/64] &^= 1 << (digit % 64)
		q.now = from
		if k > 0 && bucket.more != nil {
			q.take(bucket, q.file)
			continue
		}
		q.runEnd = from + 1<<shift - 1
		q.take(bucket, func(e end) { q.run = append(q.run, e) })
		slices.SortFunc(q.run, compareEnds)
		return true
	}
	return false
}

// take hands the bucket's ends to do and frees its chunks.
func (q *endQueue) take(bucket *chunk, do func(end)) {
	for bucket != nil {
		for _, e := range bucket.ends[:bucket.n] {
			do(e)
		}
		more := bucket.more
		bucket.more, q.free = q.free, bucket
		bucket = more
	}
}

func (l *level) first() (digit int, ok bool) {
	for w, word := range l.used {
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word), true
		}
	}
	return 0, false
}
