//go:build !unix

package simulate

import (
	"testing"
	"time"
)

var processStart = time.Now()

// cpuTime is elapsed time, where processor time is not to be had.
func cpuTime(*testing.B) time.Duration { return time.Since(processStart) }
