package simulate

import (
	"container/heap"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// endHeap is the textbook queue that endQueue must equal.
type endHeap []end

func (h endHeap) Len() int           { return len(h) }
func (h endHeap) Less(i, j int) bool { return compareEnds(h[i], h[j]) < 0 }
func (h endHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *endHeap) Push(x any)        { *h = append(*h, x.(end)) }
func (h *endHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func TestEndQueueEqualsHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queue, want := newEndQueue(func([]end) {}), &endHeap{}
		// Spans from single nanoseconds to centuries reach every level; bursts
		// overfill a run.
		span := rapid.SampledFrom([]int64{0, 1, 40, 5000, int64(time.Second), int64(8 * time.Hour), 1 << 61})
		var now time.Duration
		pop := func(until time.Duration) bool {
			now = until
			got, ok := queue.pop(until)
			if ok != (want.Len() > 0 && (*want)[0].at <= until) {
				t.Fatalf("pop(%d) says %v, %d ends wait: %+v", until, ok, want.Len(), *want)
			}
			if ok {
				if expected := heap.Pop(want).(end); got != expected {
					t.Fatalf("popped %+v, want %+v", got, expected)
				}
			}
			return ok
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				limit := span.Draw(t, "span")
				for range rapid.SampledFrom([]int{1, 3, 40, 700}).Draw(t, "burst") {
					length := rapid.Int64Range(0, limit).Draw(t, "length")
					e := end{at: now + time.Duration(length), host: rapid.Int32Range(0, 3).Draw(t, "host"), user: absent}
					if e.at < now {
						continue // beyond what a Duration holds
					}
					queue.push(e)
					heap.Push(want, e)
				}
			},
			"pop": func(t *rapid.T) {
				until := now + time.Duration(rapid.Int64Range(0, span.Draw(t, "span")).Draw(t, "wait"))
				for until >= now && pop(until) {
				}
			},
		})
		for pop(math.MaxInt64) {
		}
		if want.Len() > 0 {
			t.Fatalf("%d ends never came", want.Len())
		}
	})
}
