package vetrun

import (
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

func TestEveryCheckHasItsGravity(t *testing.T) {
	var codes []string
	for _, c := range vet.Checks() {
		codes = append(codes, c.Code)
	}
	if got := slices.Sorted(slices.Values(gravity)); !slices.Equal(got, codes) {
		t.Errorf("%v, want each of %v once", got, codes)
	}
}

func TestTheGravestFindingIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		list []Finding
		want int
	}{
		"the tier decides first":                {[]Finding{{Code: "PV002", Tier: vet.Warning}, {Code: "PV010", Tier: vet.Error}}, 1},
		"two owners are worse than a slow pool": {[]Finding{{Code: "PV010", Tier: vet.Error}, {Code: "PV001", Tier: vet.Error}}, 1},
		"two owners are worse than a panic":     {[]Finding{{Code: "PV018", Tier: vet.Error}, {Code: "PV003", Tier: vet.Error}}, 1},
		"old data is worse than a leak":         {[]Finding{{Code: "PV005", Tier: vet.Warning}, {Code: "PV011", Tier: vet.Warning}}, 1},
		"the first of equals":                   {[]Finding{{Code: "PV001", Tier: vet.Error, Line: 1}, {Code: "PV001", Tier: vet.Error, Line: 2}}, 0},
	} {
		if got := Gravest(test.list); got.Code != test.list[test.want].Code || got.Line != test.list[test.want].Line {
			t.Errorf("%s: %s of line %d", name, got.Code, got.Line)
		}
	}
}
