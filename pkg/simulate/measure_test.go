package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gatepool/pkg/hostpool"
)

func measure(t *testing.T, pool *hostpool.Pool, load Load, variations []Variation, options Options) *PoolReport {
	t.Helper()
	report, err := MeasurePool(context.Background(), pool, load, variations, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

var bothAlgorithms = Variations([]hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst}, nil, nil)

// nineHosts is the documentation's example: hosts with 11 to 19 sessions.
func nineHosts(algorithm hostpool.LoadBalancerType, limit int) *hostpool.Pool {
	pool := emptyPool(algorithm, 9, limit)
	for i := range pool.SessionHosts {
		pool.SessionHosts[i].AnonymousSessions = 11 + i
	}
	return pool
}

func TestNineHosts(t *testing.T) {
	const draws = 100_000
	counts := make([]float64, 9)
	engine, err := NewEngine(nineHosts(hostpool.BreadthFirst, 0), rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	for range draws {
		host, _ := engine.Connect()
		counts[host]++
		engine.End(host)
	}
	want := make([]float64, 9)
	for host := range want {
		if host < 5 {
			want[host] = 0.2 * draws
		}
		if got := engine.Probability(host); got*draws != want[host] {
			t.Errorf("host %d has probability %v, want %v", host, got, want[host]/draws)
		}
	}
	if chi := chiSquared(t, counts, want); chi > 18.47 { // 4 degrees of freedom, p = 0.001
		t.Errorf("chi-squared is %.1f: %v", chi, counts)
	}

	for limit, want := range map[int]int{20: 8, 15: 3} { // 19 sessions; 14 sessions
		engine, err := NewEngine(nineHosts(hostpool.DepthFirst, limit), nil)
		if err != nil {
			t.Fatal(err)
		}
		if host, ok := engine.Connect(); !ok || host != want {
			t.Errorf("limit %d: depth-first takes host %d (%v), want %d", limit, host, ok, want)
		}
	}
}

// chiSquared compares counts with what is expected of each, where that is not 0.
func chiSquared(t *testing.T, got, want []float64) float64 {
	t.Helper()
	sum := 0.0
	for i := range want {
		if want[i] == 0 {
			if got[i] > 0 {
				t.Errorf("drew %d %v times, which has no chance", i, got[i])
			}
			continue
		}
		sum += (got[i] - want[i]) * (got[i] - want[i]) / want[i]
	}
	return sum
}

// TestDrawsFollowProbability draws from one state again and again, without and
// with connections between, where the half cuts a group.
func TestDrawsFollowProbability(t *testing.T) {
	const draws = 200_000
	sessions := []int{1, 2, 3, 1, 2, 2, 1, 2, 3} // half: the 3 ones and 2 of the 4 twos
	for _, connect := range []bool{false, true} {
		for _, copies := range []int{1, large / 3} {
			pool := emptyPool(hostpool.BreadthFirst, 9*copies, 0)
			for i := range pool.SessionHosts {
				pool.SessionHosts[i].AnonymousSessions = sessions[i%9]
			}
			engine, err := NewEngine(pool, rand.New(rand.NewPCG(3, 4)))
			if err != nil {
				t.Fatal(err)
			}
			got, want := make([]float64, 9), make([]float64, 9)
			for host := range engine.Hosts() {
				want[host%9] += draws * engine.Probability(host)
			}
			for range draws {
				host := int(engine.index.pick())
				if connect {
					host, _ = engine.Connect()
					engine.End(host)
				}
				got[host%9]++
			}
			if chi := chiSquared(t, got, want); chi > 22.46 { // 6 degrees of freedom, p = 0.001
				t.Errorf("%d copies: chi-squared is %.1f, drew %v, want %v", copies, chi, got, want)
			}
		}
	}
}

// TestMemberOfLargeGroup draws places of a group whose edges move.
func TestMemberOfLargeGroup(t *testing.T) {
	const draws, bins = 400_000, 128
	random := rand.New(rand.NewPCG(5, 6))
	b := breadthFirst{seats: &seats{}, draws: newLookahead(random), order: make([]int32, 3*large)}
	got, want := make([]float64, bins), make([]float64, bins)
	for i := range want {
		want[i] = draws / bins
	}
	for range draws {
		from := int32(large/2 + random.IntN(200))
		place := b.member(draw{member: random.Uint64()}, from, from+large)
		got[(place-from)*bins/large]++
	}
	if chi := chiSquared(t, got, want); chi > 181 { // 127 degrees of freedom, p = 0.001
		t.Errorf("chi-squared is %.1f: %v", chi, got)
	}
}

// TestLittlesLaw: mean sessions = arrival rate × mean length. With exponential
// lengths and no refusals, sessions are Poisson distributed around 200 in the
// long run; over 400 mean lengths the time average has a standard error of 1.
func TestLittlesLaw(t *testing.T) {
	for _, length := range []Length{
		{Distribution: Exponential, Mean: 2 * time.Hour},
		{Distribution: Lognormal, Mean: 2 * time.Hour, Sigma: 0.5},
		{Distribution: Fixed, Mean: 2 * time.Hour},
		{Distribution: Listed, Values: []time.Duration{time.Hour, 3 * time.Hour}},
	} {
		load := Load{Arrivals: 80_000, Rates: []float64{100}, Length: length}
		for _, r := range measure(t, emptyPool(hostpool.BreadthFirst, 30, 0), load, bothAlgorithms, Options{Seed: 5}).Results {
			arrivals := float64(r.Arrivals) / (r.DurationSeconds / 3600)
			if want := arrivals * 2; math.Abs(r.MeanSessions-want) > 5 {
				t.Errorf("%s %s: mean sessions %.1f, want %.1f", length.Distribution, r.Algorithm, r.MeanSessions, want)
			}
		}
	}
}

// TestDepthFirstNeedsFewerHosts compares means: on one run it need not be so.
func TestDepthFirstNeedsFewerHosts(t *testing.T) {
	load := Load{
		Arrivals: 600,
		Rates:    []float64{60}, // 60 sessions at a time: half of 12 hosts × 10
		Length:   Length{Distribution: Exponential, Mean: time.Hour},
	}
	var breadth, depth float64
	for seed := range uint64(50) {
		results := measure(t, emptyPool("", 12, 10), load, bothAlgorithms, Options{Seed: seed}).Results
		breadth += results[0].HostHours
		depth += results[1].HostHours
	}
	if depth >= breadth {
		t.Errorf("depth-first takes %.0f host-hours, breadth-first %.0f", depth, breadth)
	}
}

// TestByHand runs a load whose every figure can be checked on paper: two hosts
// for one session each; arrivals at 1h, 2h, 3h, 4h; each stays 1.5 hours.
//
//	host 0  1h..2.5h, 3h..4h(end)
//	host 1  2h..3.5h, 4h..4h(end)
func TestByHand(t *testing.T) {
	load := Load{Arrivals: 4, Rates: []float64{1}, Even: true, Length: Length{Distribution: Fixed, Mean: 90 * time.Minute}}
	got := measure(t, emptyPool(hostpool.DepthFirst, 2, 1), load, []Variation{{}, {Hosts: 1}}, Options{}).Results

	series := got[0].Series
	got[0].Series, got[1].Series = nil, nil
	first := 7200.0
	want := []Result{{
		Variation: Variation{hostpool.DepthFirst, 1, 2}, DurationSeconds: 4 * 3600, Arrivals: 4,
		PeakSessions: 2, PeakSeconds: 2 * 3600, PeakPerHost: 1, PeakHostsInUse: 2,
		MeanSessions: 1, MeanHostsInUse: 1, HostHours: 4, AtPeak: Spread{Jain: 1, Median: 1, P95: 1, Max: 1},
		SessionsLeft: 2, SampleSeconds: 60,
	}, {
		Variation: Variation{hostpool.DepthFirst, 1, 1}, DurationSeconds: 4 * 3600, Arrivals: 4,
		Refused: 2, RefusedShare: 0.5, FirstRefusalSeconds: &first,
		PeakSessions: 1, PeakSeconds: 3600, PeakPerHost: 1, PeakHostsInUse: 1,
		MeanSessions: 2.5 / 4, MeanHostsInUse: 2.5 / 4, HostHours: 2.5, AtPeak: Spread{Jain: 1, Median: 1, P95: 1, Max: 1},
		SessionsLeft: 1, SampleSeconds: 60,
	}}
	if g, w := show(got), show(want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
	if len(series) != 240 {
		t.Fatalf("%d samples, want one a minute", len(series))
	}
	for i, s := range series {
		hour := float64(i) / 60
		in := func(from, to float64) float64 {
			if hour >= from && hour < to {
				return 1
			}
			return 0
		}
		want := in(1, 2.5) + in(3, 4) + in(2, 3.5)
		if s.StartSeconds != float64(60*i) || math.Abs(s.Sessions-want) > 1e-9 || math.Abs(s.HostsInUse-want) > 1e-9 {
			t.Fatalf("minute %d is %+v, want %v sessions", i, s, want)
		}
	}
}

func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestSameSeedSameResult(t *testing.T) {
	load := Load{Arrivals: 40_000, Rates: []float64{10, 500, 200}, Length: Length{Distribution: Lognormal, Mean: time.Hour, Sigma: 1}}
	variations := Variations([]hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst}, []int{8, 12}, []int{20, 30})
	pool := emptyPool("", 20, 0)
	once := measure(t, pool, load, variations, Options{Seed: 7})
	if again := measure(t, pool, load, variations, Options{Seed: 7, Parallel: 4}); show(once) != show(again) {
		t.Error("the same seed gave another result when run in parallel")
	}
	if other := measure(t, pool, load, variations, Options{Seed: 8}); show(once.Results[0]) == show(other.Results[0]) {
		t.Error("another seed gave the same result")
	}
	if len(once.Results) != 8 {
		t.Fatalf("%d results, want 8", len(once.Results))
	}
	for _, r := range once.Results {
		if r.Arrivals != 40_000 || r.DurationSeconds != once.Results[0].DurationSeconds {
			t.Errorf("%+v met other arrivals than the first variation", r.Variation)
		}
		refused := int64(0)
		for _, s := range r.Series {
			refused += s.Refused
		}
		if refused != r.Refused || len(r.Series) > maxSamples {
			t.Errorf("%+v: %d samples count %d refusals, want %d", r.Variation, len(r.Series), refused, r.Refused)
		}
	}
}

// TestFiguresEqualCounting compares the figures after each step of a run with
// the same figures counted anew.
func TestFiguresEqualCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for _, hosts := range []int{1, 2, 7, 40} {
		counts := make([]int, hosts)
		for i := range counts {
			counts[i] = random.IntN(4)
		}
		f := newFigures(counts)
		for range 3000 {
			h := random.IntN(hosts)
			if random.IntN(2) == 0 {
				f.raise(counts[h])
				counts[h]++
			} else if counts[h] > 0 {
				f.lower(counts[h])
				counts[h]--
			}
			sorted := slices.Sorted(slices.Values(counts))
			inUse, sum, squares := int64(0), int64(0), int64(0)
			for _, c := range sorted {
				inUse += one(c > 0)
				sum += int64(c)
				squares += int64(c * c)
			}
			nearestRank := func(percent int) int { return sorted[(hosts*percent+99)/100-1] }
			if f.median.count != nearestRank(50) || f.p95.count != nearestRank(95) || f.max.count != sorted[hosts-1] ||
				f.hostsInUse != inUse || f.sessions != sum || f.squares != squares {
				t.Fatalf("figures %+v of %v", f, sorted)
			}
		}
	}
}

func TestStartVMOnConnect(t *testing.T) {
	pool := emptyPool(hostpool.DepthFirst, 3, 2)
	pool.StartVMOnConnect = true
	for i := range pool.SessionHosts[1:] {
		pool.SessionHosts[1+i].Status = hostpool.Shutdown
	}
	load := Load{Arrivals: 7, Rates: []float64{1}, Even: true, Length: Length{Distribution: Fixed, Mean: 24 * time.Hour}}
	r := measure(t, pool, load, []Variation{{}}, Options{}).Results[0]
	if r.HostsStarted != 2 || r.Refused != 1 || r.PeakHostsInUse != 3 {
		t.Errorf("%d hosts started, %d refused, %d in use; want 2, 1, 3", r.HostsStarted, r.Refused, r.PeakHostsInUse)
	}
}

func TestKeepSessions(t *testing.T) {
	pool := nineHosts(hostpool.DepthFirst, 20)
	load := Load{Arrivals: 46, Rates: []float64{60}, Even: true, Length: Length{Distribution: Fixed, Mean: 24 * time.Hour}}
	r := measure(t, pool, load, []Variation{{}}, Options{KeepSessions: true}).Results[0]
	// 135 sessions are there, 180 fit.
	if r.Refused != 1 || r.PeakSessions != 180 || r.PeakHostsInUse != 9 {
		t.Errorf("refused %d, peak %d on %d hosts; want 1, 180, 9", r.Refused, r.PeakSessions, r.PeakHostsInUse)
	}
	if pool.SessionHosts[0].AnonymousSessions != 11 {
		t.Error("the measurement changed the pool")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var last int64
	report, err := MeasurePool(ctx, emptyPool(hostpool.BreadthFirst, 10, 0),
		Load{Arrivals: 1_000_000, Rates: []float64{1000}, Length: Length{Distribution: Fixed, Mean: time.Hour}}, bothAlgorithms,
		Options{Progress: func(done, total int64) {
			if total != 2_000_000 || done <= last {
				t.Errorf("progress %d of %d after %d", done, total, last)
			}
			last = done
			if done >= 100_000 {
				cancel()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Results[0]; !report.Partial || !r.Partial || r.Arrivals < 100_000 || r.Arrivals > 150_000 || r.MeanSessions == 0 {
		t.Errorf("partial report: %v %v %d %v", report.Partial, r.Partial, r.Arrivals, r.MeanSessions)
	}
}

func TestBadParameters(t *testing.T) {
	fine := Load{Arrivals: 1, Rates: []float64{1}, Length: Length{Distribution: Fixed, Mean: 1}}
	with := func(edit func(*Load)) Load { l := fine; edit(&l); return l }
	for _, tt := range []struct {
		name      string
		load      Load
		variation Variation
		want      string
	}{
		{"no arrivals", with(func(l *Load) { l.Arrivals = 0 }), Variation{}, "arrivals is 0: want 1 or more"},
		{"no rate", with(func(l *Load) { l.Rates = nil }), Variation{}, "rate is 0 in every hour: want more than 0 in one hour at least"},
		{"NaN", with(func(l *Load) { l.Rates = []float64{math.NaN()} }), Variation{}, "rate is NaN: want 0 to 1e12 an hour"},
		{"too slow", with(func(l *Load) { l.Rates = []float64{1e-9} }), Variation{}, "rate is 1e-09 an hour: want one that brings 1 arrivals within a hundred years"},
		{"no length", with(func(l *Load) { l.Length.Mean = 0 }), Variation{}, "session length is 0s: want more than 0, up to a hundred years"},
		{"limit", fine, Variation{MaxSessionLimit: 1e6}, "max session limit is 1000000: want 1 to 999999"},
		{"hosts", fine, Variation{Hosts: -1}, "hosts is -1: want 1 to 10000000"},
		{"algorithm", fine, Variation{Algorithm: hostpool.Persistent}, "algorithm is Persistent: want BreadthFirst or DepthFirst"},
	} {
		_, err := MeasurePool(context.Background(), emptyPool("", 1, 1), tt.load, []Variation{tt.variation}, Options{})
		var parameter *ParameterError
		if !errors.As(err, &parameter) || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	personal := &hostpool.Pool{Name: "hp-dev", HostPoolType: hostpool.Personal}
	_, err := MeasurePool(context.Background(), personal, fine, []Variation{{}}, Options{})
	if err == nil || err.Error() != "host pool hp-dev is Personal: only pooled host pools are balanced" {
		t.Errorf("personal pool: %v", err)
	}
}

func TestParseLength(t *testing.T) {
	for text, want := range map[string]Length{
		"8h":                {Distribution: Fixed, Mean: 8 * time.Hour},
		"Fixed:90m":         {Distribution: Fixed, Mean: 90 * time.Minute},
		"exponential:1h30m": {Distribution: Exponential, Mean: 90 * time.Minute},
		"lognormal:8h,0.5":  {Distribution: Lognormal, Mean: 8 * time.Hour, Sigma: 0.5},
	} {
		if got, err := ParseLength(text); err != nil || show(got) != show(want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "8", "-8h", "0s", "gamma:8h", "lognormal:8h", "fixed:8h,1", "lognormal:8h,NaN", "lognormal:8h,-1", "1e9h"} {
		if got, err := ParseLength(text); err == nil {
			t.Errorf("%q is taken as %+v", text, got)
		}
	}
}

func FuzzParseLength(f *testing.F) {
	for _, text := range []string{"8h", "fixed:8h", "exponential:90m", "lognormal:8h,0.5", "lognormal:1ns,10", ":,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLength(text)
		if err != nil {
			return
		}
		random := rand.New(rand.NewPCG(1, 1))
		for range 100 {
			if d := l.draw(random); d < 0 || d > longest {
				t.Fatalf("%q draws %v", text, d)
			}
		}
	})
}

// TestProfile counts arrivals in each hour of a profile that repeats.
func TestProfile(t *testing.T) {
	const days = 2000
	rates := []float64{0, 10, 2, 0}
	for _, even := range []bool{false, true} {
		c := clock{rates: rates, even: even}
		random := rand.New(rand.NewPCG(1, 1))
		got := make([]float64, len(rates))
		before := time.Duration(0)
		for range days * 12 {
			at := c.next(random)
			if at < before {
				t.Fatalf("%v comes after %v", at, before)
			}
			before = at
			got[int(at.Hours())%len(rates)]++
		}
		for hour, rate := range rates {
			if want := rate * days; math.Abs(got[hour]-want) > 5*math.Sqrt(want)+1 {
				t.Errorf("even %v: %v arrivals in hour %d, want about %v", even, got[hour], hour, want)
			}
		}
	}
}
