package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gatepool/pkg/hostpool"
)

// everyoneToOne is no engine at all: every session goes to host 0.
type everyoneToOne struct{ *seats }

func (everyoneToOne) insert(int32)                {}
func (everyoneToOne) remove(int32)                {}
func (e everyoneToOne) raise(host int32)          { e.hosts[host].sessions++ }
func (e everyoneToOne) lower(host int32)          { e.hosts[host].sessions-- }
func (everyoneToOne) pick(*rand.Rand) int32       { return 0 }
func (everyoneToOne) probability(h int32) float64 { return float64(1 - min(h, 1)) }

func emptyPool(algorithm hostpool.LoadBalancerType, hosts, limit int) *hostpool.Pool {
	pool := &hostpool.Pool{Name: "hp", HostPoolType: hostpool.Pooled, LoadBalancerType: algorithm, MaxSessionLimit: limit}
	for range hosts {
		pool.SessionHosts = append(pool.SessionHosts, hostpool.Host{Status: hostpool.Available, AllowNewSession: true})
	}
	return pool
}

// BenchmarkConnection is a whole simulated connection (arrival, choice, end,
// figures) at half of the seats taken, and its ratio to the same loop without
// an engine.
func BenchmarkConnection(b *testing.B) {
	const limit = 12
	for _, hosts := range []int{100, 10_000, 1_000_000} {
		load := Load{
			Arrivals: b.N,
			Rates:    []float64{float64(hosts) * limit / 2},
			Length:   Length{Distribution: Exponential, Mean: time.Hour},
		}
		_ = load
		for _, algorithm := range []hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst} {
			b.Run(fmt.Sprintf("%s/%d", algorithm, hosts), func(b *testing.B) {
				measure := func(replace bool, n int) time.Duration {
					load.Arrivals = n
					r, err := newRun(emptyPool(algorithm, hosts, limit), load, Variation{}, Options{Seed: 1})
					if err != nil {
						b.Fatal(err)
					}
					r.progress = &progress{}
					if replace {
						r.engine.index = everyoneToOne{r.engine.seats}
					}
					start := time.Now()
					r.measure(context.Background())
					return time.Since(start)
				}
				with := measure(false, b.N)
				without := measure(true, b.N)
				b.ReportMetric(float64(with)/float64(b.N), "ns/connection")
				b.ReportMetric(float64(without)/float64(b.N), "ns/loop")
				b.ReportMetric(float64(with)/float64(without), "ratio")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

var _ = slices.Sort[[]int]
