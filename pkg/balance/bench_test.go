package balance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gatepool/pkg/hostpool"
)

// BenchmarkSelectHost is one connect; BenchmarkStableSort is the bare pick as
// a stable sort of the hosts would do it, for comparison.
func BenchmarkSelectHost(b *testing.B) {
	for _, algorithm := range []hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst} {
		for _, n := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/hosts=%d", algorithm, n), func(b *testing.B) {
				p, rng := benchPool(algorithm, n), seeded(1)
				b.ReportAllocs()
				for b.Loop() {
					if d := SelectHost(p, HostRequest{User: "u"}, rng); d.Refusal != nil {
						b.Fatal(d.Refusal)
					}
				}
			})
		}
	}
}

func BenchmarkStableSort(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("hosts=%d", n), func(b *testing.B) {
			p, rng := benchPool(hostpool.BreadthFirst, n), seeded(1)
			hosts := make([]*hostpool.Host, n)
			b.ReportAllocs()
			for b.Loop() {
				for i := range p.SessionHosts {
					hosts[i] = &p.SessionHosts[i]
				}
				slices.SortStableFunc(hosts, func(a, b *hostpool.Host) int { return a.SessionCount() - b.SessionCount() })
				if hosts[rng.IntN((n+1)/2)] == nil {
					b.Fatal("no host")
				}
			}
		})
	}
}

func benchPool(algorithm hostpool.LoadBalancerType, n int) *hostpool.Pool {
	rng := rand.New(rand.NewPCG(7, 7))
	counts := make([]int, n)
	for i := range counts {
		counts[i] = rng.IntN(20)
	}
	return pooled(algorithm, 20, counts...)
}
