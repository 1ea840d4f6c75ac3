package trycmd

import (
	"strings"
	"testing"
)

func TestTheHelpNamesThePagesOfARun(t *testing.T) {
	if len(Shown.Pages) == 0 {
		t.Error("a run writes no page")
	}
	for _, p := range Shown.Pages {
		if !strings.Contains(Help(), p.Name) {
			t.Errorf("the help does not name %s", p.Name)
		}
	}
}
