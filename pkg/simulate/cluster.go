package simulate

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"gatepool/pkg/balance"
	"gatepool/pkg/gateway"
)

// Requests says which requests a cluster gets: those recorded, or generated
// ones. The fields are those of Load.
type Requests struct {
	Count    int       // how many
	Rates    []float64 // per hour, for each hour of the run
	Even     bool
	Duration Length
	// Recorded requests are replayed in place of all the above, in any order. A
	// Duration of 0 is not known: it is drawn from Requests.Duration.
	Recorded []Request
}

// Request is one recorded request.
type Request struct {
	Start    time.Time
	Duration time.Duration
}

// ClusterVariation is a setting of the cluster to try. A nil or empty field is
// the cluster's own.
type ClusterVariation struct {
	LoadBalancing gateway.LoadBalancing `json:"loadBalancing"`
	CPU           *int                  `json:"cpu,omitempty"`         // threshold of every member, 0 to 100 percent; 0 is off
	Memory        *int                  `json:"memory,omitempty"`      // likewise
	Concurrency   *int                  `json:"concurrency,omitempty"` // of every member; 0: no limit
}

// ClusterReport is what variations of one cluster did with the same requests.
type ClusterReport struct {
	Cluster string          `json:"cluster"`
	Seed    uint64          `json:"seed"`
	Start   time.Time       `json:"start"`
	Partial bool            `json:"partial"`
	Results []ClusterResult `json:"results"`
}

// ClusterResult is what one variation did. The run ends with the last request.
type ClusterResult struct {
	ClusterVariation
	Partial             bool           `json:"partial"`
	DurationSeconds     float64        `json:"durationSeconds"`
	Requests            int64          `json:"requests"`
	Refused             int64          `json:"refused"`      // no member took them
	RefusedShare        float64        `json:"refusedShare"` // of the requests, 0 to 1
	CPURefusals         int64          `json:"cpuRefusals"`  // of the refused, by what they were told
	MemoryRefusals      int64          `json:"memoryRefusals"`
	ConcurrencyRefusals int64          `json:"concurrencyRefusals"`
	Unreachable         int64          `json:"unreachable"`
	Members             []MemberResult `json:"members"`
}

// MemberResult is what one member did.
type MemberResult struct {
	Name             string  `json:"name"`
	Accepted         int64   `json:"accepted"`
	Share            float64 `json:"share"`           // of all accepted requests, 0 to 1
	OfflineAttempts  int64   `json:"offlineAttempts"` // tries that failed because it is offline
	CPULimit         int64   `json:"cpuLimit"`        // tries that met a limit
	MemoryLimit      int64   `json:"memoryLimit"`
	ConcurrencyLimit int64   `json:"concurrencyLimit"`
	MeanOperations   float64 `json:"meanOperations"` // running at one time, over time
	PeakOperations   int     `json:"peakOperations"`
}

// MeasureCluster sends the requests through each variation of the cluster.
// Every decision is balance.SelectMember's. limits[i] are the limits in force on
// member i, as there.
//
// Members start with no operation running. Their counters are replayed at the
// times that they were recorded; requests that are generated begin at start.
// What a member's machine carries does not change with the requests that the
// variation sends there: nobody knows what a request costs [decided].
//
// Of options, KeepSessions has no meaning here. Cancelling works as in
// MeasurePool.
func MeasureCluster(ctx context.Context, cluster *gateway.Cluster, limits []gateway.Limits, requests Requests, start time.Time,
	variations []ClusterVariation, options Options) (*ClusterReport, error) {
	if err := requests.check(); err != nil {
		return nil, err
	}
	for _, v := range variations {
		if err := v.check(); err != nil {
			return nil, err
		}
	}
	requests.Recorded = slices.Clone(requests.Recorded)
	slices.SortStableFunc(requests.Recorded, func(a, b Request) int { return a.Start.Compare(b.Start) })
	count := requests.Count
	if n := len(requests.Recorded); n > 0 {
		start, count = requests.Recorded[0].Start, n
		if span := requests.Recorded[n-1].Start.Sub(start); span > longest {
			return nil, &ParameterError{"span of the requests", span.String(), "up to a hundred years"}
		}
	}
	report := &ClusterReport{Cluster: cluster.Name, Seed: options.Seed, Start: start, Results: make([]ClusterResult, len(variations))}
	progress := progress{report: options.Progress, total: int64(count) * int64(len(variations))}
	inParallel(len(variations), options.Parallel, func(i int) {
		r := newClusterRun(cluster, limits, requests, start, variations[i], options.Seed)
		r.progress = &progress
		report.Results[i] = r.measure(ctx)
	})
	for _, r := range report.Results {
		report.Partial = report.Partial || r.Partial
	}
	return report, nil
}

func (r Requests) check() error {
	if len(r.Recorded) == 0 {
		return Load{Arrivals: r.Count, Rates: r.Rates, Length: r.Duration}.check()
	}
	for _, request := range r.Recorded {
		if request.Duration == 0 {
			return r.Duration.check()
		}
	}
	return nil
}

func (v ClusterVariation) check() error {
	if v.LoadBalancing != "" && !slices.Contains(v.LoadBalancing.Values(), string(v.LoadBalancing)) {
		return &ParameterError{"load balancing", string(v.LoadBalancing), "Failover, Random or RoundRobin"}
	}
	return cmp.Or(
		checkRange("cpu", v.CPU, 100), checkRange("memory", v.Memory, 100), checkRange("concurrency", v.Concurrency, 1_000_000))
}

func checkRange(name string, value *int, most int) error {
	if value != nil && (*value < 0 || *value > most) {
		return &ParameterError{name, strconv.Itoa(*value), fmt.Sprint("0 to ", most)}
	}
	return nil
}

// clusterRun is one variation under way.
type clusterRun struct {
	cluster  gateway.Cluster // Counters of its members are those of the window only
	limits   []gateway.Limits
	counters []window
	requests requestStream
	start    time.Time
	choices  *rand.Rand
	ends     *endQueue
	now      time.Duration
	running  []float64 // per member: operations integrated over time, in ns
	result   ClusterResult
	progress *progress
}

// window is the part of a member's samples that can count at the present time.
type window struct {
	samples []gateway.Counter // by their end
	from    int
	to      int
}

func newClusterRun(cluster *gateway.Cluster, limits []gateway.Limits, requests Requests, start time.Time, v ClusterVariation, seed uint64) *clusterRun {
	r := &clusterRun{
		cluster:  *cluster,
		requests: newRequestStream(requests, start, rand.New(rand.NewPCG(seed, streamOfLoad))),
		start:    start,
		choices:  rand.New(rand.NewPCG(seed, streamOfChoices)),
		ends:     newEndQueue(func([]end) {}),
		running:  make([]float64, len(cluster.Members)),
	}
	r.cluster.LoadBalancing = cmp.Or(v.LoadBalancing, cluster.LoadBalancing, gateway.Failover)
	r.cluster.Members = slices.Clone(cluster.Members)
	for i := range r.cluster.Members {
		m := &r.cluster.Members[i]
		m.ActiveOperations = 0
		samples := slices.Clone(m.Counters)
		slices.SortStableFunc(samples, func(a, b gateway.Counter) int { return a.To.Compare(b.To) })
		r.counters = append(r.counters, window{samples: samples})

		limit := m.EffectiveLimits()
		if i < len(limits) {
			limit = limits[i]
		}
		set(&limit.CPU, v.CPU)
		set(&limit.Memory, v.Memory)
		set(&limit.Concurrency, v.Concurrency)
		r.limits = append(r.limits, limit)
		r.result.Members = append(r.result.Members, MemberResult{Name: m.Name})
	}
	r.result.ClusterVariation = v
	r.result.LoadBalancing = r.cluster.LoadBalancing
	return r
}

func set(to *int, value *int) {
	if value != nil {
		*to = *value
	}
}

func (r *clusterRun) measure(ctx context.Context) ClusterResult {
	unreported := int64(0)
	for {
		at, duration, ok := r.requests.next()
		if !ok {
			break
		}
		r.endUntil(at)
		r.request(duration)
		if unreported++; unreported == checkRequestsEvery {
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

// checkRequestsEvery is less than checkEvery, because a request costs more.
const checkRequestsEvery = 1 << 10

// endUntil ends the operations whose time has come and moves time on.
func (r *clusterRun) endUntil(t time.Duration) {
	for {
		e, ok := r.ends.pop(t)
		if !ok {
			break
		}
		r.moveTo(e.at)
		r.cluster.Members[e.host].ActiveOperations--
	}
	r.moveTo(t)
}

func (r *clusterRun) moveTo(t time.Duration) {
	passed := float64(t - r.now)
	for i := range r.running {
		r.running[i] += passed * float64(r.cluster.Members[i].ActiveOperations)
	}
	r.now = t
}

func (r *clusterRun) request(duration time.Duration) {
	now := r.start.Add(r.now)
	for i := range r.counters {
		minutes := cmp.Or(r.limits[i].AggregationMinutes, gateway.DefaultAggregationMinutes)
		r.cluster.Members[i].Counters = r.counters[i].slide(now.Add(-time.Duration(minutes)*time.Minute), now)
	}
	decision := balance.SelectMember(&r.cluster, r.limits, now, r.choices)
	decision.Record(&r.cluster)
	r.result.Requests++
	for _, attempt := range decision.Attempts {
		r.count(attempt)
	}
	if decision.Refusal != nil {
		r.refuse(decision.Refusal.Code)
		return
	}
	member := decision.MemberIndex
	m, result := &r.cluster.Members[member], &r.result.Members[member]
	m.ActiveOperations++
	result.Accepted++
	result.PeakOperations = max(result.PeakOperations, m.ActiveOperations)
	r.ends.push(end{at: r.now + duration, host: int32(member), user: absent})
}

// slide returns the samples that end after from and not after to. Both grow only.
func (w *window) slide(from, to time.Time) []gateway.Counter {
	for w.to < len(w.samples) && !w.samples[w.to].To.After(to) {
		w.to++
	}
	for w.from < w.to && !w.samples[w.from].To.After(from) {
		w.from++
	}
	return w.samples[w.from:w.to]
}

func (r *clusterRun) count(a balance.Attempt) {
	i := slices.IndexFunc(r.cluster.Members, func(m gateway.Member) bool { return m.Name == a.Member })
	m := &r.result.Members[i]
	switch a.Result {
	case balance.Offline:
		m.OfflineAttempts++
	case balance.CPULimit:
		m.CPULimit++
	case balance.MemoryLimit:
		m.MemoryLimit++
	case balance.ConcurrencyLimit:
		m.ConcurrencyLimit++
	}
}

func (r *clusterRun) refuse(code balance.Code) {
	r.result.Refused++
	switch code {
	case balance.CodeCPULimit:
		r.result.CPURefusals++
	case balance.CodeMemoryLimit:
		r.result.MemoryRefusals++
	case balance.CodeConcurrencyLimit:
		r.result.ConcurrencyRefusals++
	default:
		r.result.Unreachable++
	}
}

func (r *clusterRun) finish() ClusterResult {
	res := &r.result
	res.DurationSeconds = r.now.Seconds()
	if res.Requests > 0 {
		res.RefusedShare = float64(res.Refused) / float64(res.Requests)
	}
	accepted := res.Requests - res.Refused
	for i := range res.Members {
		m := &res.Members[i]
		if accepted > 0 {
			m.Share = float64(m.Accepted) / float64(accepted)
		}
		if r.now > 0 {
			m.MeanOperations = r.running[i] / float64(r.now)
		}
	}
	return *res
}

// requestStream are the requests in order of time.
type requestStream struct {
	recorded []Request // those to come
	start    time.Time
	length   Length
	clock    clock
	random   *rand.Rand
	left     int
}

func newRequestStream(r Requests, start time.Time, random *rand.Rand) requestStream {
	s := requestStream{recorded: r.Recorded, start: start, length: r.Duration, random: random, left: r.Count,
		clock: clock{rates: r.Rates, even: r.Even}}
	if len(r.Recorded) > 0 {
		s.left = len(r.Recorded)
	}
	return s
}

func (s *requestStream) next() (at, duration time.Duration, ok bool) {
	if s.left == 0 {
		return 0, 0, false
	}
	s.left--
	if len(s.recorded) == 0 {
		return s.clock.next(s.random), s.length.draw(s.random), true
	}
	first := s.recorded[0]
	s.recorded = s.recorded[1:]
	duration = min(first.Duration, longest)
	if duration == 0 {
		duration = s.length.draw(s.random)
	}
	return first.Start.Sub(s.start), duration, true
}
