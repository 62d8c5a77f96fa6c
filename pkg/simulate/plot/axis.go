package plot

import (
	"math"
	"strconv"
	"time"

	"gatepool/pkg/simulate"
)

// valueAxis goes from 0 to top with ticks at round values.
type valueAxis struct {
	top   float64
	ticks []float64
}

// newValueAxis fits the values that the chart has in any variation. They are
// counts, so ticks are whole numbers.
func newValueAxis(chart chart, r *simulate.PoolReport) valueAxis {
	most := chart.highest(r)
	step := max(roundUp(most/4), 1)
	a := valueAxis{top: max(math.Ceil(most/step)*step, step)}
	for v := 0.0; v <= a.top; v += step {
		a.ticks = append(a.ticks, v)
	}
	return a
}

// roundUp returns the least of 1, 2, 5, 10, 20, 50 … that is not below v.
func roundUp(v float64) float64 {
	if v <= 0 {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range []float64{1, 2, 5} {
		if v <= step*power*(1+1e-9) {
			return step * power
		}
	}
	return 10 * power
}

// label writes a tick; large ones in thousands or millions.
func (a valueAxis) label(v float64) string {
	switch {
	case a.top >= 1e7:
		return strconv.FormatFloat(v/1e6, 'f', -1, 64) + "M"
	case a.top >= 1e4:
		return strconv.FormatFloat(v/1e3, 'f', -1, 64) + "k"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// timeAxis goes from the start of the run to its end.
type timeAxis struct {
	end   float64 // seconds; more than 0
	ticks []timeTick
}

type timeTick struct {
	seconds float64
	label   string
}

var timeSteps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day,
	2 * day, 7 * day, 14 * day, 28 * day, 91 * day, 182 * day, 364 * day,
}

const day = 24 * time.Hour

// newTimeAxis puts ticks at round times: of the clock (UTC) where the run has
// one, else since its start.
func newTimeAxis(r *simulate.PoolReport) timeAxis {
	a := timeAxis{}
	for i := range r.Results {
		a.end = max(a.end, r.Results[i].DurationSeconds)
	}
	if a.end == 0 {
		a.end = 1
	}
	run := time.Duration(a.end * float64(time.Second))
	step := timeSteps[0]
	for _, next := range timeSteps {
		if run/step < 7 {
			break
		}
		step = next
	}
	for run/step >= 12 {
		step *= 2
	}
	first := time.Duration(0)
	if !r.Start.IsZero() {
		first = r.Start.UTC().Truncate(step).Sub(r.Start)
		if first < 0 {
			first += step
		}
	}
	for at := first; at <= run; at += step {
		label := since(at, step)
		if !r.Start.IsZero() {
			label = clock(r.Start.Add(at).UTC(), step)
		}
		a.ticks = append(a.ticks, timeTick{at.Seconds(), label})
	}
	return a
}

// clock writes a time as finely as the axis' step needs; midnight is a date.
func clock(t time.Time, step time.Duration) string {
	switch {
	case t.Equal(t.Truncate(day)):
		return t.Format("Jan 2")
	case step < time.Minute:
		return t.Format("15:04:05")
	}
	return t.Format("15:04")
}

// since writes a time in the unit of the axis' step.
func since(at, step time.Duration) string {
	unit, name := time.Second, "s"
	switch {
	case step >= day:
		unit, name = day, "d"
	case step >= time.Hour:
		unit, name = time.Hour, "h"
	case step >= time.Minute:
		unit, name = time.Minute, "min"
	}
	return strconv.FormatInt(int64(at/unit), 10) + " " + name
}
