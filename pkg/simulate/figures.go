package simulate

import "time"

// figures follow the sessions of all hosts, in constant time a change.
type figures struct {
	now        time.Duration
	hosts      int64
	sessions   int64
	hostsInUse int64
	squares    int64   // sum of the squares of the hosts' session counts
	groups     []int64 // number of hosts by session count

	median, p95, max rank

	sessionTime float64 // integrals over time, in ns
	hostTime    float64

	peak struct {
		sessions, squares int64
		median, p95, max  int
		at                time.Duration
	}
	peakPerHost    int
	peakHostsInUse int64
	spanMax        int // most sessions on a host since the series' span began

	refused      int64
	firstRefusal time.Duration
}

// rank follows the session count that a host of a fixed rank has. When one host
// changes by one, so does the count of any rank at most.
type rank struct {
	rank  int64 // 0 is the host with the fewest sessions
	count int
	below int64 // number of hosts with fewer sessions than count
}

func newFigures(counts []int) *figures {
	f := &figures{hosts: int64(len(counts)), groups: []int64{int64(len(counts)), 0}}
	n := f.hosts
	f.median.rank = (n - 1) / 2
	f.p95.rank = (95*n+99)/100 - 1
	f.max.rank = n - 1
	for _, count := range counts {
		for c := range count {
			f.raise(c)
		}
	}
	f.note()
	return f
}

// advance moves time on to t.
func (f *figures) advance(t time.Duration) {
	passed := float64(t - f.now)
	f.sessionTime += passed * float64(f.sessions)
	f.hostTime += passed * float64(f.hostsInUse)
	f.now = t
}

// raise counts one session more on a host that had count.
func (f *figures) raise(count int) {
	if count+2 >= len(f.groups) {
		f.groups = append(f.groups, 0)
	}
	f.groups[count]--
	f.groups[count+1]++
	f.sessions++
	f.squares += int64(2*count + 1)
	if count == 0 {
		f.hostsInUse++
	}
	f.median.raise(count, f.groups)
	f.p95.raise(count, f.groups)
	f.max.raise(count, f.groups)
}

// lower counts one session less on a host that had count.
func (f *figures) lower(count int) {
	f.groups[count]--
	f.groups[count-1]++
	f.sessions--
	f.squares -= int64(2*count - 1)
	if count == 1 {
		f.hostsInUse--
	}
	f.median.lower(count, f.groups)
	f.p95.lower(count, f.groups)
	f.max.lower(count, f.groups)
}

// note records peaks.
func (f *figures) note() {
	f.peakPerHost = max(f.peakPerHost, f.max.count)
	f.spanMax = max(f.spanMax, f.max.count)
	f.peakHostsInUse = max(f.peakHostsInUse, f.hostsInUse)
	if p := &f.peak; f.sessions > p.sessions {
		p.sessions, p.squares, p.at = f.sessions, f.squares, f.now
		p.median, p.p95, p.max = f.median.count, f.p95.count, f.max.count
	}
}

// refuse counts an arrival that no host took.
func (f *figures) refuse() {
	if f.refused == 0 {
		f.firstRefusal = f.now
	}
	f.refused++
}

func (r *rank) raise(count int, groups []int64) {
	r.below -= one(count == r.count-1)
	if next := r.below + groups[r.count]; r.rank >= next {
		r.below = next
		r.count++
	}
}

func (r *rank) lower(count int, groups []int64) {
	r.below += one(count == r.count)
	if r.rank < r.below {
		r.count--
		r.below -= groups[r.count]
	}
}

// one is 1 if b holds, else 0, without a branch: which hosts change is as good
// as random, and a branch on it would be guessed wrong every other time.
func one(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
