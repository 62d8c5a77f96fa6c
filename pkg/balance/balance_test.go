package balance

import (
	"encoding/json"
	"testing"
)

// The parts of a decision are printed as they are, so their JSON is a contract.
func TestJSON(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{HostVerdict{"h1", 11, Eligible, 0.2}, `{"name":"h1","sessions":11,"verdict":"Eligible","probability":0.2}`},
		{MemberVerdict{"g1", NotTried, 0, 0.5}, `{"name":"g1","verdict":"NotTried","probability":0,"firstTry":0.5}`},
		{Attempt{"g1", CPULimit, ptr(80), nil, 3}, `{"member":"g1","result":"CpuLimit","cpu":80,"memory":null,"activeOperations":3}`},
		{map[Verdict]int{Drained: 2}, `{"Drained":2}`},
	} {
		if got, err := json.Marshal(test.value); err != nil || string(got) != test.want {
			t.Errorf("%s (%v), want %s", got, err, test.want)
		}
	}
}
