package page_test

import (
	"encoding/xml"
	"errors"
	"html"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/history"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/page"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// aHistory has a benchmark that becomes slower, with one comparison that has no time, and hostile names.
func aHistory() history.History {
	point := func(head string, chained study.Estimate) history.Point {
		return history.Point{
			Result: study.Result{Benchmark: "BenchmarkX", Verdict: study.Negative, Time: study.Worse, Deciding: chained, Launches: 4},
			When:   time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC), Base: "aaaaaaaaaaaa", Head: head, Root: "aaaaaaaaaaaa", Chained: chained, Band: math.Log(1.02),
		}
	}
	ps := []history.Point{
		point("bbbbbbbbbbbb", study.Estimate{Effect: 0.05, Lo: 0.04, Hi: 0.06, Launches: 4, Class: study.Worse}),
		point("cccccccccccc"+history.Dirty, study.Estimate{}),
		point("dddddddddddd", study.Estimate{Effect: 3, Lo: 2, Hi: 1e300, Launches: 8, Class: study.Worse}),
	}
	return history.History{Runs: 3, Refused: []string{"<b>x.json</b>"}, Machines: []string{"a", "b"}, Lines: []history.Line{
		{Package: "m/p", Benchmark: `Benchmark<script>alert("x")</script>`, Points: ps, Since: &ps[0], Now: study.Worse},
	}}
}

func TestThePageOfAHistoryIsOneWellFormedFile(t *testing.T) {
	for name, h := range map[string]history.History{"a history": aHistory(), "nothing": {}} {
		var b strings.Builder
		if err := page.History(&b, "History of <x>", h); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(b.String()))
		d.Strict = false
		d.AutoClose, d.Entity = []string{"meta"}, xml.HTMLEntity
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok && (e.Name.Local == "script" || e.Name.Local == "link" || e.Name.Local == "b") {
				t.Errorf("%s holds <%s>", name, e.Name.Local)
			}
		}
		if m := regexp.MustCompile(`(src|href)=|url\(|NaN|Inf|"-[0-9.]+"`).FindString(b.String()); m != "" {
			t.Errorf("%s holds %q", name, m)
		}
	}
}

func TestThePageOfAHistorySaysSinceWhen(t *testing.T) {
	var b strings.Builder
	if err := page.History(&b, "History", aHistory()); err != nil {
		t.Fatal(err)
	}
	text := html.UnescapeString(b.String())
	for _, want := range []string{
		"slower since bbbbbbbb (2026-01-02)", "aaaaaaaa → cccccccc+", "3 runs of 1 benchmark, 1 of them slower than at the beginning; measured on 2 kinds of machine",
		`+5.0 % [+4.0, +6.0]`, "1 file not used", "prefers-color-scheme: dark", "width=device-width",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(b.String(), `<circle class="mean"`); n != 2 {
		t.Errorf("%d marks of 2 comparisons with a time", n)
	}
}
