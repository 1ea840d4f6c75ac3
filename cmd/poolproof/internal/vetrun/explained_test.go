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
	telling := func(code string, line int, of ...int) Finding {
		f := at(code, line, vet.Error)
		for _, other := range of {
			f.Related = append(f.Related, Location{File: file, Line: other})
		}
		return f
	}
	got := explained([]Finding{
		telling("PV002", 25, 21, 22), telling("PV004", 22, 21, 25), // sent to code that puts it, and put
		telling("PV002", 32, 31, 32), telling("PV001", 34, 31, 32), // put in each round, and used in the next
		telling("PV002", 43, 41, 42), telling("PV001", 44, 41, 42), // what comes after the second put
		telling("PV006", 51), telling("PV005", 53, 51), // one event does not explain another
		at("PV001", 3, vet.Error), at("PV002", 3, vet.Error), // put twice: the second put is a use
		at("PV005", 7, vet.Warning), at("PV016", 7, vet.Warning), // deferred in a loop
		at("PV001", 9, vet.Error), at("PV002", 9, vet.Warning), // the one that explains is not as grave
		at("PV002", 11, vet.Error), at("PV001", 12, vet.Error), // another line
		at("PV008", 14, vet.Warning), at("PV001", 14, vet.Error), // neither explains the other
	})
	want := []Finding{
		telling("PV002", 25, 21, 22), telling("PV002", 32, 31, 32),
		telling("PV002", 43, 41, 42), telling("PV001", 44, 41, 42), telling("PV006", 51), telling("PV005", 53, 51),
		at("PV002", 3, vet.Error), at("PV016", 7, vet.Warning), at("PV001", 9, vet.Error), at("PV002", 9, vet.Warning),
		at("PV002", 11, vet.Error), at("PV001", 12, vet.Error), at("PV008", 14, vet.Warning), at("PV001", 14, vet.Error),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
