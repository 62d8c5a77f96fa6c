package simulate

import "time"

// Sample is one span of a run.
type Sample struct {
	StartSeconds   float64 `json:"startSeconds"`   // since the start of the run
	Sessions       float64 `json:"sessions"`       // mean over the span
	HostsInUse     float64 `json:"hostsInUse"`     // mean over the span
	Refused        int64   `json:"refused"`        // in the span
	MedianSessions int     `json:"medianSessions"` // per host, at the end of the span
	MaxSessions    int     `json:"maxSessions"`    // on any one host, highest in the span
}

// series cuts a run into spans of equal width. Their number stays bounded
// however long the run: when it reaches maxSamples, spans are joined to the next
// width.
type series struct {
	width   time.Duration
	start   time.Duration // of the open span
	samples []Sample
	since   struct { // figures at start
		sessionTime, hostTime float64
		refused               int64
	}
}

// maxSamples is divided by all the steps from one width to the next.
const maxSamples = 360

// widths are spans that people use; each divides the next. Longer ones double.
var widths = [...]time.Duration{
	time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

func newSeries() *series { return &series{width: widths[0]} }

// edge is the end of the open span.
func (s *series) edge() time.Duration { return s.start + s.width }

// advance moves the figures on to t and closes every span that ends by then.
func (s *series) advance(f *figures, t time.Duration) {
	for s.edge() <= t {
		f.advance(s.edge())
		s.close(f)
		if len(s.samples) == maxSamples {
			s.join()
		}
	}
	f.advance(t)
}

// close ends the open span at the figures' time.
func (s *series) close(f *figures) {
	length := float64(f.now - s.start)
	s.samples = append(s.samples, Sample{
		StartSeconds:   s.start.Seconds(),
		Sessions:       (f.sessionTime - s.since.sessionTime) / length,
		HostsInUse:     (f.hostTime - s.since.hostTime) / length,
		Refused:        f.refused - s.since.refused,
		MedianSessions: f.median.count,
		MaxSessions:    f.spanMax,
	})
	s.start = f.now
	s.since.sessionTime, s.since.hostTime, s.since.refused = f.sessionTime, f.hostTime, f.refused
	f.spanMax = f.max.count
}

func (s *series) join() {
	next := 2 * s.width
	for _, w := range widths {
		if w > s.width {
			next = w
			break
		}
	}
	n := int(next / s.width)
	joined := s.samples[:0]
	for i := 0; i < len(s.samples); i += n {
		sum := s.samples[i]
		for _, x := range s.samples[i+1 : i+n] {
			sum.Sessions += x.Sessions
			sum.HostsInUse += x.HostsInUse
			sum.Refused += x.Refused
			sum.MedianSessions = x.MedianSessions
			sum.MaxSessions = max(sum.MaxSessions, x.MaxSessions)
		}
		sum.Sessions /= float64(n)
		sum.HostsInUse /= float64(n)
		joined = append(joined, sum)
	}
	s.samples, s.width = joined, next
}
