package output

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"
)

func manyHosts() []host {
	rows := make([]host, 10_000)
	for i := range rows {
		rows[i] = host{
			Name:            fmt.Sprintf("avd-eu-%d.contoso.example", i),
			Status:          []string{"Available", "Shutdown", "Unavailable"}[i%3],
			AllowNewSession: i%5 > 0,
			Sessions:        i % 13,
			MaxSessionLimit: 12,
			AssignedUser:    fmt.Sprintf("user%d@contoso.example", i),
		}
	}
	return rows
}

// BenchmarkWrite prints 10,000 hosts in each format. The ratio is to a yardstick
// that runs in turn with it: csv for a table, marshalling alone for the others.
func BenchmarkWrite(b *testing.B) {
	rows, columns := manyHosts(), hostColumns()
	write := func(o Options) func() {
		return func() {
			if err := Write(io.Discard, o, rows, columns); err != nil {
				b.Fatal(err)
			}
		}
	}
	csv := write(Options{Format: CSV})
	marshal := func() {
		for i := range rows {
			if _, err := json.Marshal(&rows[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
	benchmarks := []struct {
		name   string
		run    func()
		unit   string
		beside func()
	}{
		{"table", write(Options{Format: Wide}), "×csv", csv},
		{"table of 80 columns", write(Options{Format: Wide, Color: true, Width: 80}), "×csv", csv},
		{"csv", csv, "×marshal", marshal},
		{"json", write(Options{Format: JSON}), "×marshal", marshal},
		{"ndjson", write(Options{Format: NDJSON}), "×marshal", marshal},
		{"json of columns", write(Options{Format: JSON, Columns: []string{"name", "free"}}), "×marshal", marshal},
		{"yaml", write(Options{Format: YAML}), "×marshal", marshal},
		{"name", write(Options{Format: Name}), "×csv", csv},
	}
	for _, bench := range benchmarks {
		b.Run(bench.name, func(b *testing.B) {
			var own, other time.Duration
			for b.Loop() {
				start := time.Now()
				bench.run()
				middle := time.Now()
				bench.beside()
				own += middle.Sub(start)
				other += time.Since(middle)
			}
			b.ReportMetric(float64(own)/float64(b.N), "ns/op")
			b.ReportMetric(float64(own)/float64(other), bench.unit)
		})
	}
}
