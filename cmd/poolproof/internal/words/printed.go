package words

import (
	"fmt"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// printedSentence says what lines that go test printed can tell; "" for another
// reason.
func printedSentence(why study.Reason) string {
	switch why.Code {
	case study.ReasonPrintedOnce:
		return "time is unresolved: one line a side has no interval; -count=10 prints ten"
	case study.ReasonPrintedElsewhere:
		return "time is not compared: " + why.Text
	case study.ReasonNoMemory:
		return fmt.Sprintf("the %s has no B/op and allocs/op: run both with -benchmem", why.Side)
	case study.ReasonPrinted:
		return printedTime(why)
	}
	return ""
}

// printedTime says what became of time.
func printedTime(why study.Reason) string {
	of := "processes"
	if why.Alone {
		of = "lines"
	}
	e := fmt.Sprintf("%s over %d and %d %s, with %s that the machine may have changed in between", withInterval(*why.Estimate), why.Counts[0], why.Counts[1], of, share(why.Share))
	switch why.Class {
	case study.Better:
		return fmt.Sprintf("time falls by more than a factor of %.0f: %s", why.Bound, e)
	case study.Worse:
		return fmt.Sprintf("time rises by more than a factor of %.0f: %s", why.Bound, e)
	case study.NotWorse:
		return "time does not rise: " + e
	}
	return "time is unresolved: " + e
}
