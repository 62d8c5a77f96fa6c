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
	switch {
	case a.at < b.at:
		return -1
	case a.at > b.at:
		return 1
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
	used   uint16        // levels that may have an end, a bit each
	levels [levels]level
	ready  func([]end) // told of each run that is made
	blocks [][]chunk   // all chunks there are
	free   int32       // the first free one; nil chunk if none
}

const (
	digitBits = 6
	digits    = 1 << digitBits
	levels    = 63/digitBits + 1
	runLength = 48 // a bucket up to this size is sorted
)

type level struct {
	used    uint64        // buckets that have an end, a bit each
	buckets [digits]int32 // chunks
}

// chunk is a piece of a bucket. Chunks are shared by all buckets, so memory
// goes with the ends that wait and not with the largest size of each bucket.
// They are named by number, 0 being none: the garbage collector need not follow
// millions of them.
type chunk struct {
	more int32
	n    int32
	ends [runLength]end
}

// newEndQueue returns an empty queue at time 0. It tells ready which ends are
// about to be popped.
func newEndQueue(ready func([]end)) *endQueue {
	q := &endQueue{runEnd: -1, ready: ready}
	q.grow()
	return q
}

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
	c := q.chunk(l.buckets[digit])
	if l.buckets[digit] == 0 || int(c.n) == len(c.ends) {
		l.buckets[digit], c = q.allocate(l.buckets[digit])
		l.used |= 1 << digit
	}
	c.ends[c.n] = e
	c.n++
}

const blockBits = 8 // 1<<blockBits chunks a block

func (q *endQueue) chunk(i int32) *chunk {
	return &q.blocks[i>>blockBits][i&(1<<blockBits-1)]
}

func (q *endQueue) allocate(more int32) (int32, *chunk) {
	if q.free == 0 {
		q.grow()
	}
	i := q.free
	c := q.chunk(i)
	q.free = c.more
	c.more, c.n = more, 0
	return i, c
}

// grow adds a block of free chunks.
func (q *endQueue) grow() {
	first := int32(len(q.blocks)) << blockBits
	block := make([]chunk, 1<<blockBits)
	for i := range block {
		block[i].more = first + int32(i) + 1
	}
	block[len(block)-1].more = 0
	q.blocks = append(q.blocks, block)
	q.free = max(first, 1)
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
		k := bits.TrailingZeros16(q.used)
		l := &q.levels[k]
		if l.used == 0 {
			q.used &^= 1 << k
			continue
		}
		digit := bits.TrailingZeros64(l.used)
		shift := k * digitBits
		from := q.now>>(shift+digitBits)<<(shift+digitBits) | time.Duration(digit)<<shift
		if from > t {
			return false
		}
		bucket := l.buckets[digit]
		l.buckets[digit] = 0
		l.used &^= 1 << digit
		q.now = from
		if k > 0 && q.chunk(bucket).more != 0 {
			q.take(bucket, q.file)
			continue
		}
		q.runEnd = from + 1<<shift - 1
		q.take(bucket, func(e end) { q.run = append(q.run, e) })
		slices.SortFunc(q.run, compareEnds)
		q.ready(q.run)
		return true
	}
	return false
}

// take hands the bucket's ends to do and frees its chunks.
func (q *endQueue) take(bucket int32, do func(end)) {
	for bucket != 0 {
		c := q.chunk(bucket)
		for _, e := range c.ends[:c.n] {
			do(e)
		}
		bucket, c.more, q.free = c.more, q.free, bucket
	}
}
