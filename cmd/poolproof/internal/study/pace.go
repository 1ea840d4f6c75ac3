package study

import (
	"fmt"
	"math"
	"time"
)

// DefaultWindow is the length of a burst of a benchmark with a rate, where the
// study names none.
const DefaultWindow = 5 * time.Second

// Bounds of what a study may ask of a paced benchmark. Beyond the highest rate
// a timer wakes too late to keep the distance between two operations; a longer
// window leaves no room for enough launches.
const (
	MaxRate   = 10000
	MinWindow = 10 * time.Millisecond
	MaxWindow = time.Minute
)

// Pace is the fixed rate at which the operations of a comparison start.
type Pace struct {
	Rate   int      `json:"rate"`   // operations a second
	Window Duration `json:"window"` // of a burst
}

// Ops is the number of operations of a window, at least 1.
func (p Pace) Ops() int {
	return max(1, int(math.Round(float64(p.Rate)*time.Duration(p.Window).Seconds())))
}

// Shape of a launch at a fixed rate: windows are long, so it has few.
const (
	paceWindows = 10 * time.Second // of all windows of a launch, unless two are longer
	pacePairs   = 10               // of windows, at most
	paceWarmUp  = 10               // a launch warms up for one window divided by this
)

// Pairs is the number of pairs of windows of a launch.
func (p Pace) Pairs() int {
	return min(pacePairs, max(1, int(paceWindows/(2*max(1, time.Duration(p.Window))))))
}

// WarmUp is the number of operations with which each side of a launch warms
// up.
func (p Pace) WarmUp() int { return max(1, p.Ops()/paceWarmUp) }

// Launch is the length of a launch, without the start of its processes.
func (p Pace) Launch() time.Duration {
	return 2 * p.Period() * time.Duration(p.Pairs()*p.Ops()+p.WarmUp())
}

// Period is the time from the start of one operation to that of the next.
func (p Pace) Period() time.Duration { return time.Second / time.Duration(max(p.Rate, 1)) }

// Pace returns the benchmark's pace; nil if it runs as fast as it can. The
// benchmark is one that Read has checked.
func (b Benchmark) Pace() *Pace {
	if b.Rate == 0 {
		return nil
	}
	w, err := ParseWindow(b.Window)
	if err != nil {
		w = DefaultWindow
	}
	return &Pace{Rate: b.Rate, Window: Duration(w)}
}

// ParseWindow parses a benchmark's window. Empty text is DefaultWindow.
func ParseWindow(text string) (time.Duration, error) {
	if text == "" {
		return DefaultWindow, nil
	}
	w, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("window %q is not a duration; write one such as \"5s\"", text)
	}
	if w < MinWindow || w > MaxWindow {
		return 0, fmt.Errorf("window %q is out of bounds; write one from %s to %s", text, MinWindow, MaxWindow)
	}
	return w, nil
}

// Duration is a time.Duration whose JSON form is its String.
type Duration time.Duration

// MarshalText writes the form of time.Duration.String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration reads.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = Duration(v)
	return err
}
