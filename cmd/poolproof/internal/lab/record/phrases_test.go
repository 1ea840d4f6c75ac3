package record

import "testing"

func TestAPageSaysNoMoreThanIsKnown(t *testing.T) {
	for text, want := range map[string]int{
		"A second `Release` panics.":                                  1,
		"A second Release panics in the checked build.":               0,
		"It is counted; readers never\nwait for it.":                  1,
		"Warnings: 37, 62 % true.":                                    1,
		"62 % of them are no false alarms.":                           0,
		"Not here, because the module\nproxy does not serve it: a.":   1,
		"A module needs one that the proxy does not have.":            1,
		"It could not be fetched when this was measured.":             0,
		"An access is caught however late it comes, which is surely.": 2,
	} {
		if got := overstated("a.md", text); len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
