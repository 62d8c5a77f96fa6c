package cmd

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// A progress line on stderr says how far a long run has come, how fast it goes
// and how long it will take. It shows only on a terminal, and only after a
// second.
type progress struct {
	w       io.Writer
	now     func() time.Time
	started time.Time
	shown   time.Time
	width   int // of the line that stands there, to be wiped
}

// newProgress returns nil where nobody looks.
func (a *app) newProgress() *progress {
	if !isTerminal(a.stderr) {
		return nil
	}
	return &progress{w: a.stderr, now: time.Now, started: time.Now()}
}

const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// report tells how much is done.
func (p *progress) report(done, total int64) {
	now := p.now()
	elapsed := now.Sub(p.started)
	if elapsed < progressAfter || now.Sub(p.shown) < progressEvery || done == 0 || total == 0 {
		return
	}
	p.shown = now
	const bar = 20
	full := int(bar * done / total)
	left := time.Duration(float64(elapsed) * float64(total-done) / float64(done)).Round(time.Second)
	line := fmt.Sprintf("[%s%s] %d %%  %s/s  %s left", strings.Repeat("#", full), strings.Repeat("-", bar-full),
		100*done/total, quantity(float64(done)/elapsed.Seconds()), left)
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(0, p.width-len(line))))
	p.width = len(line)
}

// done wipes the line.
func (p *progress) done() {
	if p != nil && p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
	}
}

// quantity writes a large number in few letters: 1.2M.
func quantity(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", n/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1fk", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}
