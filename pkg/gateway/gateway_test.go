package gateway

import (
	"testing"
	"time"
)

// The window is (now - minutes, now], and a sample counts by its end.
func TestLoad(t *testing.T) {
	now := time.Date(2026, 11, 29, 8, 10, 0, 0, time.UTC)
	value := func(x float64) *float64 { return &x }
	at := func(minutes int, cpu, memory *float64) Counter {
		end := now.Add(time.Duration(minutes) * time.Minute)
		return Counter{From: end.Add(-5 * time.Minute), To: end, CPU: cpu, Memory: memory}
	}
	tests := []struct {
		name        string
		counters    []Counter
		cpu, memory *float64
	}{
		{"nothing measured", nil, nil, nil},
		{"ends now", []Counter{at(0, value(80), nil)}, value(80), nil},
		{"ends at the window's open edge", []Counter{at(-5, value(80), nil)}, nil, nil},
		{"ends in the future", []Counter{at(1, value(80), value(1))}, nil, nil},
		{"mean of those in the window", []Counter{at(-9, value(1), value(1)), at(-4, value(70), nil), at(-1, value(90), value(50))}, value(80), value(50)},
		{"binary fractions round away", []Counter{at(-2, value(79.9), nil), at(-1, value(80.1), nil)}, value(80), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := Member{Counters: test.counters}
			cpu, memory := m.Load(now, 5)
			same := func(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
			if !same(cpu, test.cpu) || !same(memory, test.memory) {
				t.Errorf("cpu %v, memory %v", cpu, memory)
			}
		})
	}
}

func TestEffectiveLimits(t *testing.T) {
	if got, want := (Member{}).EffectiveLimits(), (Limits{AggregationMinutes: 5, Concurrency: 40}); got != want {
		t.Errorf("a member without limits has %+v, want the service's defaults %+v", got, want)
	}
	own := Limits{CPU: 80, AggregationMinutes: 1}
	if got := (Member{Limits: &own}).EffectiveLimits(); got != own {
		t.Errorf("%+v", got)
	}
}

func TestPrimaryAndMember(t *testing.T) {
	var empty Cluster
	if empty.Primary() != nil || empty.Member("a") != nil {
		t.Error("an empty cluster has a member")
	}
	c := Cluster{Members: []Member{{Name: "GW-1"}, {Name: "GW-2"}}}
	if c.Primary() != &c.Members[0] || c.Member("gw-2") != &c.Members[1] {
		t.Error("the first member is the primary, and names match in any case")
	}
}
