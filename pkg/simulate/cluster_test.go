package simulate

import (
	"context"
	"math"
	"testing"
	"time"

	"gatepool/pkg/gateway"
)

func cluster(members ...gateway.Member) *gateway.Cluster {
	for i := range members {
		members[i].Enabled = true
		if members[i].Status == "" {
			members[i].Status = gateway.Online
		}
	}
	return &gateway.Cluster{Name: "gw", Members: members}
}

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func measureCluster(t *testing.T, c *gateway.Cluster, requests Requests, variations []ClusterVariation, options Options) *ClusterReport {
	t.Helper()
	report, err := MeasureCluster(context.Background(), c, nil, requests, noon, variations, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func number(n int) *int { return &n }

// TestClusterByHand: requests at 1h, 2h, 3h, 4h that last 2.5 hours. The
// primary is offline and the others take one operation at a time.
func TestClusterByHand(t *testing.T) {
	c := cluster(gateway.Member{Name: "a", Status: gateway.Offline}, gateway.Member{Name: "b"}, gateway.Member{Name: "c"})
	requests := Requests{Count: 4, Rates: []float64{1}, Even: true, Duration: Length{Distribution: Fixed, Mean: 150 * time.Minute}}
	report := measureCluster(t, c, requests, []ClusterVariation{
		{LoadBalancing: gateway.RoundRobin, Concurrency: number(1)},
		{Concurrency: number(1)}, // failover: b is the one, its refusal stands
		{Concurrency: number(0)},
	}, Options{})
	type member struct {
		accepted, offline, limit int64
		mean                     float64
		peak                     int
	}
	for i, want := range []struct {
		refused int64
		members []member
	}{
		// 1h: b. 2h: c. 3h: a is offline, b busy, c busy. 4h: c's turn has not
		// changed: a is offline again, b is free.
		{1, []member{{0, 3, 0, 0, 0}, {2, 0, 1, 2.5 / 4, 1}, {1, 0, 1, 2.0 / 4, 1}}},
		{2, []member{{0, 4, 0, 0, 0}, {2, 0, 2, 2.5 / 4, 1}, {0, 0, 0, 0, 0}}},
		{0, []member{{0, 4, 0, 0, 0}, {4, 0, 0, (2.5 + 2 + 1) / 4, 3}, {0, 0, 0, 0, 0}}},
	} {
		r := report.Results[i]
		if r.Refused != want.refused || r.ConcurrencyRefusals != want.refused || r.Requests != 4 || r.DurationSeconds != 4*3600 {
			t.Errorf("variation %d: %s, want %d refused", i, show(r), want.refused)
		}
		for j, w := range want.members {
			m := r.Members[j]
			if got := (member{m.Accepted, m.OfflineAttempts, m.ConcurrencyLimit, m.MeanOperations, m.PeakOperations}); got != w {
				t.Errorf("variation %d, member %s: %+v, want %+v", i, m.Name, got, w)
			}
		}
	}
	if c.Members[1].ActiveOperations != 0 || c.RoundRobinNext != "" {
		t.Error("the measurement changed the cluster")
	}
}

// TestRecordedCounters replays a load that goes over the threshold at 12:10 and
// under it again at 12:20.
func TestRecordedCounters(t *testing.T) {
	m := gateway.Member{Name: "a"}
	for minute := range 30 {
		cpu := 20.0
		if minute >= 10 && minute < 20 {
			cpu = 90
		}
		m.Counters = append(m.Counters, gateway.Counter{
			From: noon.Add(time.Duration(minute) * time.Minute), To: noon.Add(time.Duration(minute+1) * time.Minute), CPU: &cpu})
	}
	requests := Requests{Recorded: []Request{
		{noon.Add(25*time.Minute + 30*time.Second), time.Second}, // 5 samples of 21..25: 20 %
		{noon.Add(30 * time.Second), time.Second},                // nothing measured
		{noon.Add(15*time.Minute + 30*time.Second), time.Second}, // 11..15: 90 %
		{noon.Add(12*time.Minute + 30*time.Second), time.Second}, // 8..12: 48 %
		{noon.Add(13*time.Minute + 30*time.Second), time.Second}, // 9..13: 62 %
	}}
	report := measureCluster(t, cluster(m), requests, []ClusterVariation{{CPU: number(60)}, {CPU: number(48)}, {CPU: number(0)}}, Options{})
	for i, want := range []int64{2, 3, 0} {
		if r := report.Results[i]; r.CPURefusals != want || r.Refused != want || r.Members[0].CPULimit != want {
			t.Errorf("threshold %d: %s, want %d refused", *r.CPU, show(r), want)
		}
	}
	if !report.Start.Equal(noon.Add(30 * time.Second)) {
		t.Errorf("starts at %v", report.Start)
	}
}

// TestRandomIsEven: each of three members gets a third of the requests, and the
// operations that run follow Little's law.
func TestRandomIsEven(t *testing.T) {
	c := cluster(gateway.Member{Name: "a"}, gateway.Member{Name: "b"}, gateway.Member{Name: "c"})
	c.LoadBalancing = gateway.Random
	requests := Requests{Count: 20_000, Rates: []float64{3600}, Duration: Length{Distribution: Exponential, Mean: 10 * time.Second}}
	report := measureCluster(t, c, requests, []ClusterVariation{{}}, Options{Seed: 1})
	r := report.Results[0]
	sum := 0.0
	for _, m := range r.Members {
		sum += m.MeanOperations
		if math.Abs(m.Share-1.0/3) > 0.012 { // 3.6 standard errors
			t.Errorf("member %s gets %.3f of the requests", m.Name, m.Share)
		}
	}
	if math.Abs(sum-10) > 0.6 || r.Refused != 0 {
		t.Errorf("%.2f operations run on average, want 10; %d refused", sum, r.Refused)
	}
	again := measureCluster(t, c, requests, []ClusterVariation{{}}, Options{Seed: 1, Parallel: 2})
	if show(report) != show(again) {
		t.Error("the same seed gave another result")
	}
}

func TestBadClusterParameters(t *testing.T) {
	good := Requests{Count: 1, Rates: []float64{1}, Duration: Length{Distribution: Fixed, Mean: 1}}
	for _, tt := range []struct {
		requests  Requests
		variation ClusterVariation
		want      string
	}{
		{Requests{}, ClusterVariation{}, "arrivals is 0: want 1 or more"},
		{Requests{Recorded: []Request{{noon, 0}}}, ClusterVariation{}, "session length is 0s: want more than 0, up to a hundred years"},
		{Requests{Recorded: []Request{{noon, 1}, {noon.AddDate(-200, 0, 0), 1}}}, ClusterVariation{}, "span of the requests is 1753176h0m0s: want up to a hundred years"},
		{good, ClusterVariation{LoadBalancing: "Sticky"}, "load balancing is Sticky: want Failover, Random or RoundRobin"},
		{good, ClusterVariation{CPU: number(101)}, "cpu is 101: want 0 to 100"},
		{good, ClusterVariation{Concurrency: number(-1)}, "concurrency is -1: want 0 to 1000000"},
	} {
		_, err := MeasureCluster(context.Background(), cluster(gateway.Member{Name: "a"}), nil, tt.requests, noon, []ClusterVariation{tt.variation}, Options{})
		if err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
