package finding

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/pagetest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// pageOf is the page of one misuse of each kind, whose source is a file of 30 lines.
func pageOf(t *testing.T, sum Summary, change func(*record.Report)) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "app.go")
	var text strings.Builder
	for n := 1; n <= 30; n++ {
		fmt.Fprintf(&text, "\tline%d(\"<b>&%s\")\r\n", n, strings.Repeat("x", 5*n))
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var reports []record.Report
	for i, kind := range record.Kinds {
		r := misuse(kind, 10, 5, "TestA")
		for _, s := range [][]record.Frame{r.Access, r.Put, r.Get} {
			s[1].File = name
		}
		r.Access[1].Line, r.Put[1].Line, r.Get[1].Line = 30-i, 5+i, 1
		r.Type = "*app." + strings.Repeat("LongName", 12)
		if kind == record.ReadAfterPut {
			r.Severity, r.Why, r.Started = record.Warning, "own worker", r.Access
		}
		if change != nil {
			change(&r)
		}
		reports = append(reports, r)
	}
	var b strings.Builder
	p := &Printer{Sites: sites(), Base: filepath.Dir(name), Again: map[Test]string{{"example.com/app", "/src/app", "TestA"}: "poolproof test '-run=^TestA$' example.com/app"}}
	if err := p.HTML(&b, Group(collect(reports), sites()), sum); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestThePageShowsTheSourceAroundEachPlace(t *testing.T) {
	page := pageOf(t, Summary{Verdict: "poolproof: 6 findings", Notes: []string{"a <note>"}, Failures: []string{"a failure"}, Unwatched: []string{"a type"}}, nil)
	for _, want := range []string{
		"<h1>poolproof: 6 findings</h1>", "a &lt;note&gt;", "<li>a failure</li>", "<li>a type</li>",
		`<h3>put <code>app.go:6</code></h3>`, `<h3>got <code>app.go:1</code></h3>`, `<h3>written <code>app.go:29</code></h3>`,
		`here"><span class="number">29</span>    line29(&#34;&lt;b&gt;&amp;xx`,
		`<span class="line"><span class="number">26</span>    line26(`, `<span class="line"><span class="number">30</span>    line30(`,
		"the array of field buf, bytes 12 to 19 of 64", "a method of the object has started the goroutine",
		"poolproof test &#39;-run=^TestA$&#39; example.com/app",
		"passes with fresh objects", "set the field to nil before Put",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<script", "http:", "https:", "<b>", "<note>", "\r", `"number">31<`} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if n, want := strings.Count(page, `class="finding"`), len(record.Kinds)+2; n != want {
		t.Errorf("%d sections, want %d", n, want)
	}
	if n := strings.Count(page, `class="line here"`); n < 3*len(record.Kinds) {
		t.Errorf("%d marked lines of %d misuses, each with a Put, a Get and an access", n, len(record.Kinds))
	}
}

func TestTheSourceIsThreeLinesAroundAPlace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "app.go")
	if err := os.WriteFile(name, []byte(strings.Repeat("x\n", 20)), 0o666); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]string{0: "", 1: "[1]234", 2: "1[2]345", 10: "789[10]111213", 18: "151617[18]1920", 20: "171819[20]", 21: "", 22: ""} {
		got := ""
		for _, l := range (sources{}).around(record.Frame{File: name, Line: line}) {
			if l.Here {
				got += fmt.Sprintf("[%d]", l.N)
			} else {
				got += fmt.Sprint(l.N)
			}
		}
		if got != want {
			t.Errorf("line %d: %s, want %s", line, got, want)
		}
	}
}

func TestThePageDoesWithoutSource(t *testing.T) {
	page := pageOf(t, Summary{}, func(r *record.Report) {
		switch r.Kind {
		case record.WriteAfterPut:
			r.Access = nil // by a checksum
		case record.DoublePut:
			r.Access[1].Line, r.Put[1].Line = 31, 0 // the file is not the one that was built
		default:
			r.Put[1].File = "/nowhere/app.go"
		}
	})
	for _, want := range []string{"The place is not known: a checksum found the write.", "<h3>put again <code>app.go:31</code></h3>", "/nowhere/app.go:5"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, `"number">31<`) || strings.Contains(page, `"number">0<`) {
		t.Error("the page shows a line that no file has")
	}
}

func TestThePageFitsAPhoneAndTheDark(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := pagetest.Browser(t)
	page := pageOf(t, Summary{Verdict: "poolproof: 6 findings, 1 warning (1 test binary)", Notes: []string{"a note"}}, nil)
	for _, width := range []int{1280, 390} {
		for _, dark := range []bool{false, true} {
			l := browser.Open(t, page, width, dark)
			if at := fmt.Sprintf("%d px, dark %v", width, dark); l.Width != float64(width) || l.Scroll > l.Width || len(l.Cut) > 0 || l.Dark != dark || len(l.Dim) > 0 {
				t.Errorf("%s: %v px of content in %v; cut off: %q; dark %v; hard to read: %q", at, l.Scroll, l.Width, l.Cut, l.Dark, l.Dim)
			}
		}
	}
}
