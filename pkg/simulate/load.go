package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Load says which sessions arrive: those of a trace, or generated ones.
type Load struct {
	// Arrivals is how many users arrive. Not used with a trace.
	Arrivals int
	// Rates are arrivals per hour: the first holds in the first hour of the run
	// and so on, and after the last it begins again. One rate is a constant one.
	Rates []float64
	// Even spaces arrivals evenly at the rate of the hour. Otherwise they come
	// by chance, independent of each other (a Poisson process).
	Even bool
	// Length is how long a session lasts.
	Length Length
	// Trace are recorded attempts to connect, in place of all the above.
	Trace *Trace
}

// longest is the most simulated time: what overflows no time.Duration even when
// a session of the longest length starts at the very end.
const longest = 100 * 365 * 24 * time.Hour

// ParameterError says that a parameter of a measurement is out of its range.
type ParameterError struct {
	Parameter string // such as "arrivals"
	Value     string
	Want      string // the values that would do
}

func (e *ParameterError) Error() string {
	return fmt.Sprintf("%s is %s: want %s", e.Parameter, e.Value, e.Want)
}

func (l Load) check() error {
	if l.Trace != nil {
		return nil
	}
	if l.Arrivals < 1 {
		return &ParameterError{"arrivals", strconv.Itoa(l.Arrivals), "1 or more"}
	}
	if err := checkRates(l.Arrivals, l.Rates); err != nil {
		return err
	}
	return l.Length.check()
}

func checkRates(arrivals int, rates []float64) error {
	sum := 0.0
	for _, rate := range rates {
		if !(rate >= 0 && rate <= 1e12) {
			return &ParameterError{"rate", formatNumber(rate), "0 to 1e12 an hour"}
		}
		sum += rate
	}
	if sum == 0 {
		return &ParameterError{"rate", "0 in every hour", "more than 0 in one hour at least"}
	}
	if mean := sum / float64(len(rates)); float64(arrivals)/mean > longest.Hours() {
		return &ParameterError{"rate", formatNumber(mean) + " an hour",
			fmt.Sprintf("one that brings %d arrivals within a hundred years", arrivals)}
	}
	return nil
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// clock generates times of arrivals.
type clock struct {
	rates []float64 // per hour
	even  bool
	hours float64 // now
}

// next returns the next arrival's time. The number of arrivals expected until
// then, the integral of the rate, is 1 for even arrivals and exponentially
// distributed for chance ones; so the rate may change in mid-gap.
func (c *clock) next(random *rand.Rand) time.Duration {
	expected := 1.0
	if !c.even {
		expected = random.ExpFloat64()
	}
	if len(c.rates) == 1 {
		c.hours += expected / c.rates[0]
		return c.now()
	}
	for {
		hour := math.Floor(c.hours)
		rate := c.rates[int(hour)%len(c.rates)]
		rest := (hour + 1 - c.hours) * rate
		if expected < rest {
			c.hours += expected / rate
			return c.now()
		}
		expected -= rest
		c.hours = hour + 1
	}
}

func (c *clock) now() time.Duration { return time.Duration(c.hours * float64(time.Hour)) }

// Distribution names a way to draw session lengths.
type Distribution string

// The distributions. Fixed is always the mean; Listed draws one of given
// values, each equally likely.
const (
	Fixed       Distribution = "Fixed"
	Exponential Distribution = "Exponential"
	Lognormal   Distribution = "Lognormal"
	Listed      Distribution = "Listed"
)

// Length is a distribution of session lengths or request durations.
type Length struct {
	Distribution Distribution
	Mean         time.Duration   // not used by Listed
	Sigma        float64         // Lognormal: standard deviation of the logarithm, 0 to 10
	Values       []time.Duration // Listed
}

// ParseLength reads a length as people write it: 8h, fixed:8h, exponential:8h,
// or lognormal:8h,0.5 (mean, then sigma). Case does not matter.
func ParseLength(text string) (Length, error) {
	kind, rest, named := strings.Cut(text, ":")
	if !named {
		kind, rest = "fixed", text
	}
	mean, sigma, both := strings.Cut(rest, ",")
	bad := &ParameterError{"session length", strconv.Quote(text), "such as 8h, fixed:8h, exponential:8h or lognormal:8h,0.5"}
	var l Length
	switch strings.ToLower(kind) {
	case "fixed":
		l.Distribution = Fixed
	case "exponential":
		l.Distribution = Exponential
	case "lognormal":
		l.Distribution = Lognormal
	default:
		return Length{}, bad
	}
	if both != (l.Distribution == Lognormal) {
		return Length{}, bad
	}
	var err error
	if l.Mean, err = time.ParseDuration(mean); err != nil {
		return Length{}, bad
	}
	if both {
		if l.Sigma, err = strconv.ParseFloat(sigma, 64); err != nil {
			return Length{}, bad
		}
	}
	return l, l.check()
}

func (l Length) check() error {
	if l.Distribution == Listed {
		if len(l.Values) == 0 {
			return &ParameterError{"session lengths", "an empty list", "one value at least"}
		}
		for _, v := range l.Values {
			if v < 0 || v > longest {
				return &ParameterError{"session length", v.String(), "0 to a hundred years"}
			}
		}
		return nil
	}
	if l.Mean <= 0 || l.Mean > longest {
		return &ParameterError{"session length", l.Mean.String(), "more than 0, up to a hundred years"}
	}
	if !(l.Sigma >= 0 && l.Sigma <= 10) {
		return &ParameterError{"sigma", formatNumber(l.Sigma), "0 to 10"}
	}
	return nil
}

func (l *Length) draw(random *rand.Rand) time.Duration {
	mean := float64(l.Mean)
	switch l.Distribution {
	case Exponential:
		mean *= random.ExpFloat64()
	case Lognormal:
		mean *= math.Exp(l.Sigma*random.NormFloat64() - l.Sigma*l.Sigma/2)
	case Listed:
		return l.Values[random.IntN(len(l.Values))]
	}
	return time.Duration(min(mean, float64(longest)))
}

// arrivals are the attempts of a load, in order of time.
type arrivals struct {
	trace  []attempt // those to come
	length Length
	clock  clock
	random *rand.Rand
	left   int
	last   time.Duration // when the run is over, once all have arrived
}

func newArrivals(load Load, random *rand.Rand) arrivals {
	if load.Trace != nil {
		return arrivals{trace: load.Trace.attempts, left: len(load.Trace.attempts), last: load.Trace.end}
	}
	return arrivals{
		length: load.Length,
		clock:  clock{rates: load.Rates, even: load.Even},
		random: random,
		left:   load.Arrivals,
	}
}

func (a *arrivals) next() (attempt, bool) {
	if a.left == 0 {
		return attempt{}, false
	}
	a.left--
	if a.random == nil {
		first := a.trace[0]
		a.trace = a.trace[1:]
		return first, true
	}
	a.last = a.clock.next(a.random)
	return attempt{at: a.last, until: a.last + a.length.draw(a.random), user: absent}, true
}
