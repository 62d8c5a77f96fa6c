package cmd

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// What TAB offers. The scripts in completions/ ask by gatepool __complete and
// show the answer. Cobra's own __complete, which this one replaces, knows no
// flag or cmdlet as PowerShell spells it, and gives up at the first value that
// is wrong; here a line is read for what it says so far.

const (
	// completeTime is how long TAB may look for names; then it offers none.
	completeTime = 800 * time.Millisecond
	// mostOffered is how many candidates are offered; nobody reads more.
	mostOffered = 1000
)

// candidate is one word that may stand where the cursor is.
type candidate struct {
	value string
	about string // a description in printable ASCII, or ""
}

// offer is what may stand where the cursor is.
type offer struct {
	candidates []candidate
	files      bool // names of files, which the shell knows
}

// completeNames begin the requests that completion scripts make.
const (
	completeWords      = cobra.ShellCompRequestCmd // WORD..., the last one as far as it is typed
	completeBash       = "__completeBash"          // LINE TEXT COMP_TYPE COLUMNS
	completePowerShell = "__completePowerShell"    // the words, percent-encoded in one argument
)

// complete answers a completion script: one candidate a line, a description
// behind a tab, and last a colon with the directives of cobra's protocol. It
// never fails: a broken state file is no reason to disturb somebody who types.
func (a *app) complete(request string, args []string) {
	var lines []string
	var o offer
	switch request {
	case completeBash:
		args = append(args, "", "", "", "")
		lines, o = a.completeBash(args[0], args[1], args[2] == listCompletions, args[3])
	case completePowerShell:
		words, err := url.PathUnescape(strings.Join(args, ""))
		if err != nil {
			return
		}
		o = a.offerInTime(strings.Split(words, "\n"))
		for _, c := range o.candidates {
			lines = append(lines, powerShellLine(c))
		}
	default:
		o = a.offerInTime(append(args, "")[:max(1, len(args))])
		for _, c := range o.candidates {
			lines = append(lines, strings.TrimSuffix(c.value+"\t"+c.about, "\t"))
		}
	}
	for _, line := range lines {
		fmt.Fprintln(a.stdout, line)
	}
	fmt.Fprintf(a.stdout, ":%d\n", o.directive())
}

func (o offer) directive() cobra.ShellCompDirective {
	if o.files {
		return cobra.ShellCompDirectiveDefault
	}
	d := cobra.ShellCompDirectiveNoFileComp
	goesOn := func(c candidate) bool { return strings.HasSuffix(c.value, "=") || strings.HasSuffix(c.value, "/") }
	if len(o.candidates) > 0 && !slices.ContainsFunc(o.candidates, func(c candidate) bool { return !goesOn(c) }) {
		d |= cobra.ShellCompDirectiveNoSpace
	}
	return d
}

// offerInTime is what may stand for the last of the words typed so far, or
// nothing when that takes too long to find out.
func (a *app) offerInTime(typed []string) offer {
	return inTime(completeTime, func() offer { return a.offer(typed) })
}

// inTime is what look finds, or nothing when that takes longer than the limit.
func inTime(limit time.Duration, look func() offer) offer {
	found := make(chan offer, 1)
	go func() { found <- look() }()
	select {
	case o := <-found:
		return o
	case <-time.After(limit):
		return offer{}
	}
}

func (a *app) offer(typed []string) offer {
	l, ok := a.readTyped(typed)
	if !ok {
		return offer{}
	}
	o := l.offer(a)
	if len(o.candidates) > mostOffered {
		// What shells put in is what all candidates begin with, which the first
		// and the last one in order tell.
		slices.SortFunc(o.candidates, func(x, y candidate) int { return strings.Compare(x.value, y.value) })
		o.candidates = append(o.candidates[:mostOffered-1:mostOffered-1], o.candidates[len(o.candidates)-1])
	}
	return o
}
