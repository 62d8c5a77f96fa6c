// Package cmd is the command line: the only place that knows cobra, flags,
// environment variables and exit codes. Each command has a file of its own with
// its options and its run function.
package cmd

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"time"
)

// Main runs gatepool with these arguments and streams and returns the exit
// code. Each call builds what it needs afresh.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// A run is short: up to 48 MB (1200 % of the 4 MB that the runtime begins with) nothing
	// is collected. A run that needs more collects at the usual pace from then on.
	debug.SetGCPercent(1200)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, 100)
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, now: time.Now}
	err := a.run(args)
	if a.stopListening != nil {
		a.stopListening()
	}
	if err == nil {
		return exitOK
	}
	return a.report(err, args)
}

// untilInterrupt is a context that Ctrl-C ends, for what takes long or must tidy
// up. All else Ctrl-C may simply end: to listen for it takes a seventh of the
// time of a short command. So it is done aside, too.
func (a *app) untilInterrupt() context.Context {
	if a.ctx == nil {
		ctx, cancel := context.WithCancel(context.Background())
		interrupt := make(chan os.Signal, 1)
		ready := make(chan struct{})
		go func() {
			signal.Notify(interrupt, os.Interrupt)
			close(ready)
			select {
			case <-interrupt:
				cancel()
			case <-ctx.Done():
			}
		}()
		a.ctx, a.stopListening = ctx, func() {
			<-ready
			signal.Stop(interrupt)
			cancel()
		}
	}
	return a.ctx
}
