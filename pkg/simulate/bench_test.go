package simulate

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
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
func (everyoneToOne) pick() int32                 { return 0 }
func (everyoneToOne) any() bool                   { return true }
func (everyoneToOne) probability(h int32) float64 { return float64(1 - min(h, 1)) }

func emptyPool(algorithm hostpool.LoadBalancerType, hosts, limit int) *hostpool.Pool {
	pool := &hostpool.Pool{Name: "hp", HostPoolType: hostpool.Pooled, LoadBalancerType: algorithm, MaxSessionLimit: limit}
	for range hosts {
		pool.SessionHosts = append(pool.SessionHosts, hostpool.Host{Status: hostpool.Available, AllowNewSession: true})
	}
	return pool
}

// BenchmarkConnection is a whole simulated connection (arrival, choice, end,
// figures) with half of the seats taken, and its ratio to the same loop without
// an engine. Processor time counts, and of several turns the fastest, so that
// other work on the machine falls on neither. The published figures are of
//
//	go test -run ^$ -bench Connection -benchtime 10000000x -cpu 1
func BenchmarkConnection(b *testing.B) {
	const limit, turns = 12, 2
	for _, hosts := range []int{100, 10_000, 1_000_000} {
		for _, algorithm := range []hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst} {
			b.Run(fmt.Sprintf("%s/%d", algorithm, hosts), func(b *testing.B) {
				load := Load{
					Arrivals: b.N,
					Rates:    []float64{float64(hosts) * limit / 2},
					Length:   Length{Distribution: Exponential, Mean: time.Hour},
				}
				pool := emptyPool(algorithm, hosts, limit)
				measure := func(engine bool) time.Duration {
					r, err := newRun(pool, load, Variation{}, Options{Seed: 1})
					if err != nil {
						b.Fatal(err)
					}
					r.progress = &progress{}
					if !engine {
						r.engine.index = everyoneToOne{r.engine.seats}
					}
					runtime.GC()
					start := cpuTime(b)
					r.measure(context.Background())
					return cpuTime(b) - start
				}
				with, without := measure(true), measure(false)
				for range turns - 1 {
					with = min(with, measure(true))
					without = min(without, measure(false))
				}
				b.ReportMetric(float64(with)/float64(b.N), "ns/connection")
				b.ReportMetric(float64(without)/float64(b.N), "ns/loop")
				b.ReportMetric(float64(with)/float64(without), "ratio")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkPick is the choice alone among 10,000 hosts, and how many times
// faster it is than to sort the hosts for it, as one would at first.
func BenchmarkPick(b *testing.B) {
	const hosts = 10_000
	random := rand.New(rand.NewPCG(1, 1))
	for _, algorithm := range []hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst} {
		b.Run(string(algorithm), func(b *testing.B) {
			pool := emptyPool(algorithm, hosts, 20)
			counts := make([]int, hosts)
			for i := range counts {
				counts[i] = random.IntN(15)
				pool.SessionHosts[i].AnonymousSessions = counts[i]
			}
			engine, err := NewEngine(pool, random)
			if err != nil {
				b.Fatal(err)
			}
			start := cpuTime(b)
			for b.Loop() {
				engine.index.pick()
			}
			pick := float64(cpuTime(b)-start) / float64(b.N)

			const sorts = 30
			order := make([]int, hosts)
			start = cpuTime(b)
			for range sorts {
				for i := range order {
					order[i] = i
				}
				slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(counts[x], counts[y]) })
			}
			sort := float64(cpuTime(b)-start) / sorts
			b.ReportMetric(pick, "ns/pick")
			b.ReportMetric(sort, "ns/sort")
			b.ReportMetric(sort/pick, "times-faster")
		})
	}
}
