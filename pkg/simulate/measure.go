package simulate

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatepool/pkg/hostpool"
)

// Variation is a setting of the pool to try. A zero field is the pool's own.
type Variation struct {
	Algorithm       hostpool.LoadBalancerType `json:"algorithm"`
	MaxSessionLimit int                       `json:"maxSessionLimit"` // 1 to hostpool.NoLimit
	Hosts           int                       `json:"hosts"`           // fewer: the pool's first; more: Available ones behind them
}

// Variations are all combinations of the settings, the last one changing
// fastest. An empty list is the pool's own setting.
func Variations(algorithms []hostpool.LoadBalancerType, limits, hosts []int) []Variation {
	if len(algorithms) == 0 {
		algorithms = []hostpool.LoadBalancerType{""}
	}
	if len(limits) == 0 {
		limits = []int{0}
	}
	if len(hosts) == 0 {
		hosts = []int{0}
	}
	var all []Variation
	for _, a := range algorithms {
		for _, l := range limits {
			for _, h := range hosts {
				all = append(all, Variation{a, l, h})
			}
		}
	}
	return all
}

// Options are how a measurement runs.
type Options struct {
	// Seed makes the run repeatable: the same seed gives the same result.
	Seed uint64
	// Parallel is how many variations run at a time; less than 1 is 1.
	Parallel int
	// KeepSessions starts with the sessions that the pool has; they stay. Users
	// of a trace come back to theirs. Otherwise the pool starts empty.
	KeepSessions bool
	// Progress, if set, is told now and then how many arrivals of how many, over
	// all variations, are done. It is never called twice at a time.
	Progress func(done, total int64)
}

// PoolReport is what variations of one pool did with one load.
type PoolReport struct {
	HostPool string    `json:"hostPool"`
	Seed     uint64    `json:"seed"`
	Start    time.Time `json:"start,omitzero"` // of a trace
	Partial  bool      `json:"partial"`        // interrupted: a result's figures hold up to its duration
	Results  []Result  `json:"results"`
}

// Result is what one variation did. Sessions that last longer than the run are
// cut at its end, which is the last generated arrival, or the last start or end
// that the trace records.
type Result struct {
	Variation
	Partial             bool     `json:"partial"`
	DurationSeconds     float64  `json:"durationSeconds"`
	Arrivals            int64    `json:"arrivals"`            // users who asked for a new session
	Refused             int64    `json:"refused"`             // of them, no host took
	RefusedShare        float64  `json:"refusedShare"`        // of the arrivals, 0 to 1
	FirstRefusalSeconds *float64 `json:"firstRefusalSeconds"` // nil: none
	Reconnects          int64    `json:"reconnects"`          // users who came back to their session
	HostsStarted        int64    `json:"hostsStarted"`        // by Start VM on Connect
	PeakSessions        int64    `json:"peakSessions"`        // most at one time
	PeakSeconds         float64  `json:"peakSeconds"`         // when that was first reached
	PeakPerHost         int      `json:"peakPerHost"`         // most on one host at any time
	PeakHostsInUse      int64    `json:"peakHostsInUse"`      // most hosts with a session at one time
	MeanSessions        float64  `json:"meanSessions"`        // over time
	MeanHostsInUse      float64  `json:"meanHostsInUse"`      // over time
	HostHours           float64  `json:"hostHours"`           // hours of hosts with at least one session, summed
	AtPeak              Spread   `json:"atPeak"`              // when the most sessions were reached
	SessionsLeft        int64    `json:"sessionsLeft"`        // at the end of the run
	SampleSeconds       float64  `json:"sampleSeconds"`       // width of a sample
	Series              []Sample `json:"series"`
}

// Spread says how evenly sessions lie on all hosts of the pool. Percentiles are
// nearest-rank.
type Spread struct {
	Jain   float64 `json:"jain"` // Jain's index: 1 when all hosts carry the same, 1/hosts when one carries all
	Median int     `json:"median"`
	P95    int     `json:"p95"`
	Max    int     `json:"max"`
}

// MeasurePool sends the load through each variation of the pool. All variations
// meet the same arrivals. A session that ends at the moment of an arrival has
// left before [decided].
//
// When ctx is cancelled the report covers what was done until then and is
// marked partial; that is no error. Errors are of the parameters
// (*ParameterError) or of a pool that is not balanced.
func MeasurePool(ctx context.Context, pool *hostpool.Pool, load Load, variations []Variation, options Options) (*PoolReport, error) {
	if err := load.check(); err != nil {
		return nil, err
	}
	report := &PoolReport{HostPool: pool.Name, Seed: options.Seed, Results: make([]Result, len(variations))}
	arrivals := load.Arrivals
	if load.Trace != nil {
		report.Start = load.Trace.start
		arrivals = len(load.Trace.attempts)
	}
	progress := progress{report: options.Progress, total: int64(arrivals) * int64(len(variations))}
	for _, v := range variations {
		if err := v.check(); err != nil {
			return nil, err
		}
	}
	errs := make([]error, len(variations))
	inParallel(len(variations), options.Parallel, func(i int) {
		r, err := newRun(pool, load, variations[i], options)
		if err != nil {
			errs[i] = err
			return
		}
		r.progress = &progress
		report.Results[i] = r.measure(ctx)
	})
	for _, r := range report.Results {
		report.Partial = report.Partial || r.Partial
	}
	return report, cmp.Or(errs...)
}

// inParallel calls do for 0 to n-1, so many at a time.
func inParallel(n, parallel int, do func(int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(max(parallel, 1), n) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wait.Wait()
}

// progress adds up what parallel runs have done.
type progress struct {
	mu     sync.Mutex
	report func(done, total int64)
	done   int64
	total  int64
}

func (p *progress) add(n int64) {
	if p.report == nil || n == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	p.report(p.done, p.total)
}

func (v Variation) check() error {
	switch {
	case v.Algorithm != "" && v.Algorithm != hostpool.BreadthFirst && v.Algorithm != hostpool.DepthFirst:
		return &ParameterError{"algorithm", string(v.Algorithm), "BreadthFirst or DepthFirst"}
	case v.MaxSessionLimit < 0 || v.MaxSessionLimit > hostpool.NoLimit:
		return &ParameterError{"max session limit", strconv.Itoa(v.MaxSessionLimit), fmt.Sprint("1 to ", hostpool.NoLimit)}
	case v.Hosts < 0 || v.Hosts > maxHosts:
		return &ParameterError{"hosts", strconv.Itoa(v.Hosts), fmt.Sprint("1 to ", maxHosts)}
	}
	return nil
}

// apply returns the pool as the variation wants it.
func (v Variation) apply(pool *hostpool.Pool, keepSessions bool) *hostpool.Pool {
	p := *pool
	p.LoadBalancerType = cmp.Or(v.Algorithm, pool.LoadBalancerType)
	p.MaxSessionLimit = cmp.Or(v.MaxSessionLimit, pool.MaxSessionLimit)
	hosts := cmp.Or(v.Hosts, len(pool.SessionHosts))
	p.SessionHosts = slices.Clone(pool.SessionHosts[:min(hosts, len(pool.SessionHosts))])
	for len(p.SessionHosts) < hosts {
		p.SessionHosts = append(p.SessionHosts, hostpool.Host{Status: hostpool.Available, AllowNewSession: true})
	}
	if !keepSessions {
		for i := range p.SessionHosts {
			h := &p.SessionHosts[i]
			h.Sessions, h.AnonymousSessions = nil, 0
		}
	}
	return &p
}

// maxHosts keeps a mistyped number from taking all memory: a host costs some
// hundred bytes.
const maxHosts = 10_000_000

// run is one variation under way.
type run struct {
	engine   *Engine
	arrivals arrivals
	ends     *endQueue
	figures  *figures
	series   *series
	homes    []int32 // by the trace's user: the host of the user's session, or absent
	result   Result
	progress *progress
}

// The streams of chance of one seed.
const (
	streamOfLoad = 1 + iota
	streamOfChoices
)

func newRun(pool *hostpool.Pool, load Load, v Variation, options Options) (*run, error) {
	pool = v.apply(pool, options.KeepSessions)
	engine, err := NewEngine(pool, rand.New(rand.NewPCG(options.Seed, streamOfChoices)))
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(pool.SessionHosts))
	for i := range counts {
		counts[i] = pool.SessionHosts[i].SessionCount()
	}
	r := &run{
		engine:   engine,
		arrivals: newArrivals(load, rand.New(rand.NewPCG(options.Seed, streamOfLoad))),
		ends:     newEndQueue(engine.expect),
		figures:  newFigures(counts),
		series:   newSeries(),
	}
	r.result.Variation = Variation{pool.LoadBalancerType, pool.MaxSessionLimit, len(pool.SessionHosts)}
	if load.Trace != nil {
		r.homes = load.Trace.homes(pool)
	}
	return r, nil
}

// homes finds the users' sessions that the pool starts with.
func (t *Trace) homes(pool *hostpool.Pool) []int32 {
	homes := make([]int32, len(t.users))
	index := make(map[string]int, len(t.users))
	for i, name := range t.users {
		index[name] = i
		homes[i] = absent
	}
	for h := range pool.SessionHosts {
		for _, s := range pool.SessionHosts[h].Sessions {
			if i, ok := index[strings.ToLower(s.User)]; ok && homes[i] == absent {
				homes[i] = int32(h)
			}
		}
	}
	return homes
}

// checkEvery is the number of arrivals between looks at the context.
const checkEvery = 1 << 14

// measure runs to the end, or until ctx is cancelled.
func (r *run) measure(ctx context.Context) Result {
	unreported := int64(0)
	for {
		a, ok := r.arrivals.next()
		if !ok {
			r.endUntil(r.arrivals.last)
			break
		}
		r.endUntil(a.at)
		r.arrive(a)
		if unreported++; unreported == checkEvery {
			r.progress.add(unreported)
			unreported = 0
			if ctx.Err() != nil {
				r.result.Partial = true
				break
			}
		}
	}
	r.progress.add(unreported)
	return r.finish()
}

// endUntil ends the sessions whose time has come and moves time on.
func (r *run) endUntil(t time.Duration) {
	for {
		e, ok := r.ends.pop(t)
		if !ok {
			break
		}
		r.moveTo(e.at)
		r.engine.End(int(e.host))
		r.figures.lower(r.engine.Sessions(int(e.host)) + 1)
		if e.user != absent {
			r.homes[e.user] = absent
		}
	}
	r.moveTo(t)
}

func (r *run) moveTo(t time.Duration) {
	if t < r.series.edge() {
		r.figures.advance(t)
	} else {
		r.series.advance(r.figures, t)
	}
}

// arrive places one user.
func (r *run) arrive(a attempt) {
	if a.user != absent && r.homes[a.user] != absent {
		r.result.Reconnects++
		return
	}
	r.result.Arrivals++
	host, ok := r.engine.Connect()
	if !ok {
		r.figures.refuse()
		return
	}
	r.figures.raise(r.engine.Sessions(host) - 1)
	r.figures.note()
	if a.user != absent {
		r.homes[a.user] = int32(host)
	}
	r.ends.push(end{at: a.until, host: int32(host), user: a.user})
}

func (r *run) finish() Result {
	f, res := r.figures, &r.result
	if f.now > r.series.start {
		r.series.close(f)
	}
	res.DurationSeconds = f.now.Seconds()
	res.Refused = f.refused
	if f.refused > 0 {
		res.RefusedShare = float64(f.refused) / float64(res.Arrivals)
		first := f.firstRefusal.Seconds()
		res.FirstRefusalSeconds = &first
	}
	res.HostsStarted = r.engine.started
	res.PeakSessions, res.PeakSeconds = f.peak.sessions, f.peak.at.Seconds()
	res.PeakPerHost, res.PeakHostsInUse = f.peakPerHost, f.peakHostsInUse
	if f.now > 0 {
		res.MeanSessions = f.sessionTime / float64(f.now)
		res.MeanHostsInUse = f.hostTime / float64(f.now)
	}
	res.HostHours = f.hostTime / float64(time.Hour)
	res.AtPeak = Spread{Jain: 1, Median: f.peak.median, P95: f.peak.p95, Max: f.peak.max}
	if n := f.peak.sessions; n > 0 {
		res.AtPeak.Jain = float64(n) * float64(n) / (float64(f.hosts) * float64(f.peak.squares))
	}
	res.SessionsLeft = f.sessions
	res.SampleSeconds = r.series.width.Seconds()
	res.Series = r.series.samples
	return *res
}
