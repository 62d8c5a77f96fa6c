// Package cmd is the command line: the only place that knows cobra, flags,
// environment variables and exit codes. Each command has a file of its own with
// its options and its run function.
package cmd

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"time"
)

// Main runs gatepool with these arguments and streams and returns the exit
// code. Each call builds what it needs afresh.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// A run is short, and the state file bounds what it holds: fewer collections
	// save more than their memory costs.
	debug.SetGCPercent(400)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a := &app{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, now: time.Now}
	err := a.run(args)
	if err == nil {
		return exitOK
	}
	return a.report(err, args)
}
