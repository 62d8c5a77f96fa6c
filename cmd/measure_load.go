package cmd

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/pkg/simulate"
)

// loadFlags say what load a measurement uses: generated, in words that both
// measure commands share.
type loadFlags struct {
	rate     *string
	profile  *string
	length   *string
	even     bool
	seed     *string
	parallel bool
}

// add adds the flags; length is the name of the flag for how long a session or
// request lasts.
func (f *loadFlags) add(c *cobra.Command, length, usage string) {
	addText(c, &f.rate, "rate", "how many come: 120/h, 2/m or 0.5/s")
	addText(c, &f.profile, "profile", "file with arrivals per hour, one number a line, for each hour of the run")
	addText(c, &f.length, length, usage+": fixed:8h, exponential:8h, lognormal:8h,0.5, or a file with one duration a line")
	addSwitch(c, &f.even, "even", "space arrivals evenly, instead of by chance")
	addText(c, &f.seed, "seed", "repeat a run, a whole number")
	addSwitch(c, &f.parallel, "parallel", "run variations on all cores")
}

// rates are the arrivals per hour, for each hour of the run.
func (f *loadFlags) rates(a *app) ([]float64, error) {
	switch {
	case f.rate != nil && f.profile != nil:
		return nil, usagef("--rate and --profile both say how many come; give one")
	case f.profile != nil:
		return a.readProfile(*f.profile)
	case f.rate != nil:
		rate, err := parseRate(*f.rate)
		return []float64{rate}, err
	}
	return nil, nil
}

// perHour is how many of a unit of time there are in an hour.
var perHour = map[string]float64{"": 1, "h": 1, "hour": 1, "m": 60, "min": 60, "minute": 60, "s": 3600, "sec": 3600, "second": 3600}

// parseRate reads a rate and gives it per hour.
func parseRate(text string) (float64, error) {
	number, unit, _ := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	factor, known := perHour[strings.ToLower(strings.TrimSpace(unit))]
	if err != nil || !known || !(n > 0) {
		return 0, invalidValue(text, "--rate is %q; expected a number of arrivals a time, such as 120/h", text)
	}
	return n * factor, nil
}

// readProfile reads arrivals per hour, one number a line; # begins a comment.
func (a *app) readProfile(name string) ([]float64, error) {
	var rates []float64
	err := a.eachLine(name, func(line int, text string) error {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n >= 0) {
			return badLine(name, line, "a number of arrivals in an hour", text)
		}
		rates = append(rates, n)
		return nil
	})
	if err == nil && len(rates) == 0 {
		err = badLine(name, 1, "a number of arrivals in an hour on each line", "")
	}
	return rates, err
}

// sessionLength reads how long sessions or requests last.
func (f *loadFlags) sessionLength(a *app, flag string) (simulate.Length, error) {
	if f.length == nil {
		return simulate.Length{}, nil
	}
	l, err := simulate.ParseLength(*f.length)
	if err == nil {
		return l, nil
	}
	data := simulate.Length{Distribution: simulate.Listed}
	readErr := a.eachLine(*f.length, func(line int, text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return badLine(*f.length, line, "a duration such as 7h30m", text)
		}
		data.Values = append(data.Values, d)
		return nil
	})
	if classify(readErr).code == "not_found" {
		return simulate.Length{}, invalidValue(*f.length, "--%s is %q; expected fixed:8h, exponential:8h, lognormal:8h,0.5 or the name of a file", flag, *f.length)
	}
	return data, readErr
}

// eachLine runs fn on the lines of a file that hold more than a comment.
func (a *app) eachLine(name string, fn func(line int, text string) error) error {
	data, err := a.readInput(name, exchange.MaxSize)
	if err != nil {
		return err
	}
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		text, _, _ = strings.Cut(text, "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := fn(line, text); err != nil {
			return err
		}
	}
	return nil
}

func badLine(file string, line int, want, found string) error {
	return &failure{code: "invalid_input", exit: exitInvalid, target: file, err: fmt.Errorf("%s:%d:1: expected %s, found %q", file, line, want, found)}
}

// options are how the measurement runs.
func (f *loadFlags) options(a *app) (simulate.Options, error) {
	o := simulate.Options{Seed: rand.Uint64() >> 11, Parallel: 1}
	if f.parallel {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	if f.seed != nil {
		seed, err := strconv.ParseUint(*f.seed, 10, 64)
		if err != nil {
			return o, invalidValue(*f.seed, "--seed is %q; expected a whole number", *f.seed)
		}
		o.Seed = seed
	}
	return o, nil
}

// interrupted is the error of a run that was stopped after its figures so far
// were printed.
func interrupted(partial bool) error {
	if !partial {
		return nil
	}
	return &failure{code: "interrupted", exit: exitInterrupted, err: fmt.Errorf("interrupted: the figures hold up to the time that each run reached")}
}
