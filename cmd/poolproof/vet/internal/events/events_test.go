package events_test

import (
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

func TestTheFirstAndTheLastEventOfAHistory(t *testing.T) {
	h := events.History{Events: []events.Event{
		{Kind: events.Get, Pos: 1}, {Kind: events.Put, Pos: 2}, {Kind: events.Put, Pos: 3}, {Kind: events.Use, Pos: 4},
	}}
	if last := h.Last(); last.Pos != 4 {
		t.Errorf("the last one is at %d", last.Pos)
	}
	for kind, want := range map[events.Kind]int{events.Get: 1, events.Put: 2, events.Use: 4, events.Exit: 0} {
		e, ok := h.First(kind)
		if ok != (want > 0) || int(e.Pos) != want {
			t.Errorf("the first of kind %d is at %d, %t; want %d", kind, e.Pos, ok, want)
		}
	}
}

func TestTiersHaveNamesAndAnOrder(t *testing.T) {
	order := []events.Tier{events.Error, events.Warning, events.Audit}
	for i, name := range []string{"error", "warning", "audit"} {
		tier, ok := events.ParseTier(name)
		if !ok || tier != order[i] || tier.String() != name {
			t.Errorf("%s is tier %d, %t, which is called %s", name, tier, ok, tier)
		}
	}
	if !(events.Error < events.Warning && events.Warning < events.Audit) {
		t.Error("the most certain tier is not the first")
	}
	for _, name := range []string{"", "none", "Error", "fatal"} {
		if tier, ok := events.ParseTier(name); ok {
			t.Errorf("%q is tier %s", name, tier)
		}
	}
	if events.Tier(0).String() != "none" || events.Tier(4).String() != "none" {
		t.Error("what is no tier has a name")
	}
}

func TestATierIsAFlag(t *testing.T) {
	tier := events.Warning
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Var(&tier, "tier", "")
	if err := flags.Parse([]string{"-tier", "audit"}); err != nil || tier != events.Audit {
		t.Errorf("tier %s, %v", tier, err)
	}
	err := flags.Parse([]string{"-tier", "fatal"})
	if err == nil || !strings.Contains(err.Error(), "there is no tier fatal; the tiers are error, warning and audit") {
		t.Errorf("error %v", err)
	}
	if tier != events.Audit {
		t.Errorf("a wrong name made it %s", tier)
	}
}
