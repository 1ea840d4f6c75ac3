package vetrun

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

func TestAFindingThatAnotherOneExplainsIsLeftOut(t *testing.T) {
	const file = "p.go"
	at := func(code string, line int, tier vet.Tier) Finding {
		return Finding{Code: code, File: file, Line: line, Tier: tier}
	}
	got := explained([]Finding{
		at("PV001", 3, vet.Error), at("PV002", 3, vet.Error), // put twice: the second put is a use
		at("PV005", 7, vet.Warning), at("PV016", 7, vet.Warning), // deferred in a loop
		at("PV001", 9, vet.Error), at("PV002", 9, vet.Warning), // the one that explains is not as grave
		at("PV002", 11, vet.Error), at("PV001", 12, vet.Error), // another line
		at("PV008", 14, vet.Warning), at("PV001", 14, vet.Error), // neither explains the other
	})
	want := []Finding{
		at("PV002", 3, vet.Error), at("PV016", 7, vet.Warning), at("PV001", 9, vet.Error), at("PV002", 9, vet.Warning),
		at("PV002", 11, vet.Error), at("PV001", 12, vet.Error), at("PV008", 14, vet.Warning), at("PV001", 14, vet.Error),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
