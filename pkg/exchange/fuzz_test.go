package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// addSamples seeds a fuzz target with every sample.
func addSamples(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatalf("%d samples, error %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// FuzzRead has what Read takes be merged twice, written and compared; what it
// does not take is told as a FormatError.
func FuzzRead(f *testing.F) {
	addSamples(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Read(data, "f")
		if err != nil {
			var format *FormatError
			if !errors.As(err, &format) {
				t.Errorf("error %v is no FormatError", err)
			}
			return
		}
		e.AssumePool("p")
		once := Live(Snapshot{}, e)
		twice := Live(once, e)
		first, err := json.Marshal(once)
		if err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(twice)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("first\n%s\nsecond\n%s", first, second)
		}
		if differences := Compare(once, twice); len(differences) > 0 {
			t.Errorf("%+v", differences)
		}
	})
}

func FuzzReadCounters(f *testing.F) {
	addSamples(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		all, _, err := ReadCounters(bytes.NewReader(data), "f")
		var format *FormatError
		if err != nil && !errors.As(err, &format) {
			t.Errorf("error %v is no FormatError", err)
		}
		for _, m := range all {
			for _, c := range m.Counters {
				if c.From.IsZero() || c.To.Before(c.From) || c.CPU == nil && c.Memory == nil || c.CPU != nil && !(*c.CPU >= 0 && *c.CPU <= 100) {
					t.Errorf("sample %+v", c)
				}
			}
		}
	})
}

func FuzzReadRequests(f *testing.F) {
	addSamples(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		requests, _, err := ReadRequests(bytes.NewReader(data), "f")
		var format *FormatError
		if err != nil && !errors.As(err, &format) {
			t.Errorf("error %v is no FormatError", err)
		}
		for _, r := range requests {
			if r.Member == "" || r.Duration < 0 {
				t.Errorf("request %+v", r)
			}
		}
	})
}

func FuzzReadTrace(f *testing.F) {
	addSamples(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, _, err := ReadTrace(data, "f")
		var format *FormatError
		if err != nil && !errors.As(err, &format) {
			t.Errorf("error %v is no FormatError", err)
		}
		var last time.Time
		for _, c := range trace {
			if c.Time.Before(last) || c.Time.IsZero() || (c.Outcome == "") == (c.State == "") {
				t.Errorf("connection %+v", c)
			}
			last = c.Time
		}
	})
}
