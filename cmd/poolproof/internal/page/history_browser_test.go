package page_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/page"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/pagetest"
)

func TestThePageOfAHistoryFitsItsWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := pagetest.Browser(t)
	h := aHistory()
	long := h.Lines[0]
	long.Benchmark = "BenchmarkWithALongNameThatHasNoPlaceToBreak/size=1048576/parallel=true/codec=protobuf"
	long.Package = "github.com/an-owner-with-a-long-name/a-module-with-a-long-name/internal/encoding/protobuf"
	long.Points = slices.Repeat(long.Points, 30)
	h.Lines = append(h.Lines, long)
	h.Refused = append(h.Refused, strings.Repeat("a-folder-with-a-long-name/", 8)+"run.json: judged by another version of the rule")
	var b strings.Builder
	if err := page.History(&b, "History of "+long.Package, h); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1280, 390} {
		for _, dark := range []bool{false, true} {
			l := browser.Open(t, b.String(), width, dark)
			if l.Width != float64(width) || l.Scroll > l.Width || len(l.Cut) > 0 {
				t.Errorf("%d wide, dark %v: %v px of content in %v; cut off: %q", width, dark, l.Scroll, l.Width, l.Cut)
			}
			if l.Rows != len(h.Lines) || len(l.Overlap) > 0 {
				t.Errorf("%d wide, dark %v: %d rows; %q", width, dark, l.Rows, l.Overlap)
			}
			if l.Dark != dark || len(l.Dim) > 0 {
				t.Errorf("%d wide: the page is dark: %v, not %v; hard to read: %q", width, l.Dark, dark, l.Dim)
			}
		}
	}
}
