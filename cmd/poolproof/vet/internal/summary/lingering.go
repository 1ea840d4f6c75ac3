package summary

import "fmt"

// Lingering says that a goroutine, which a function starts on some path and does
// not wait for there, uses what a parameter refers to: when the function has
// returned it may still do so.
type Lingering struct {
	Param int
	// Result tells the caller of it: wherever the goroutine was started, this result
	// is Value (true; or nil, of an error). It is -1 if none does.
	Result int
	Value  bool
	// Signals is set if the goroutine says that it has ended, in a way by which
	// others than the function may wait for it.
	Signals bool
	// Sent is set if it is no goroutine that the function starts but one that
	// receives it from a channel.
	Sent bool
}

// AddLingering notes that a goroutine still uses a parameter.
func (s *Summary) AddLingering(l Lingering) {
	for i := range s.Lingers {
		old := &s.Lingers[i]
		if old.Param != l.Param {
			continue
		}
		if old.Result != l.Result || old.Value != l.Value {
			old.Result, old.Value = -1, false
		}
		old.Signals = old.Signals || l.Signals
		old.Sent = old.Sent && l.Sent
		return
	}
	s.Lingers = append(s.Lingers, l)
}

// Lingering returns what is known of a parameter that a goroutine still uses.
func (s *Summary) Lingering(param int) (Lingering, bool) {
	return first(s.Lingers, func(l Lingering) bool { return l.Param == param })
}

// String is for tests: "[0]", "[0 if result 1 is true]", "[0 signals]".
func (l Lingering) String() string {
	s := fmt.Sprint(l.Param)
	if l.Result >= 0 {
		s += fmt.Sprintf(" if result %d is %t", l.Result, l.Value)
	}
	if l.Signals {
		s += " signals"
	}
	if l.Sent {
		s += " sent"
	}
	return "[" + s + "]"
}
