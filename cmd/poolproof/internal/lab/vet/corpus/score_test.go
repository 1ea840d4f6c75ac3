package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const badSource = `package p

func use() int {
	put()
	return 1 // want "PV001"
}

func twice() {
	put() // may "PV001"
	put() // want "PV001|PV002"
}

func helper() { put() }

func far() {
	get() // want "PV005"
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
	_ = 0
}
`

const goodSource = `package p

func get() {}

func put() {
	get() // fine "PV001" nothing happens
}

func idle() {}
`

// load writes the two sources into a folder and loads it.
func load(t *testing.T, bad, good string) (*Corpus, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"bad.go": bad, "good.go": good} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return Load(dir)
}

func TestScore(t *testing.T) {
	// What a perfect analyzer reports.
	perfect := []Report{
		{File: "bad.go", Line: 5, Code: "PV001", Tier: "error"},
		{File: "bad.go", Line: 10, Code: "PV002", Tier: "error"},
		{File: "bad.go", Line: 16, Code: "PV005", Tier: "warning"},
	}
	change := func(i int, f func(*Report)) []Report {
		all := append([]Report(nil), perfect...)
		f(&all[i])
		return all
	}
	type counts struct{ hits, missed, falses, extra, noted int }
	for _, test := range []struct {
		name    string
		reports []Report
		want    counts
	}{
		{"all wants are hit", perfect, counts{hits: 3}},
		{"a report that is dropped is a miss", perfect[1:], counts{hits: 2, missed: 1}},
		{"nothing is all misses", nil, counts{missed: 3}},
		{"a report on another line of the function is a hit", change(0, func(r *Report) { r.Line = 4 }), counts{hits: 3}},
		{"a report in the next function is a miss, and extra there", change(0, func(r *Report) { r.Line = 8; r.Code = "PV003" }), counts{hits: 2, missed: 1, extra: 1}},
		{"twelve lines away is a hit", change(2, func(r *Report) { r.Line = 28 }), counts{hits: 3}},
		{"thirteen lines away is a miss", change(2, func(r *Report) { r.Line = 29 }), counts{hits: 2, missed: 1, extra: 1}},
		{"another code is a miss", change(0, func(r *Report) { r.Code = "PV002" }), counts{hits: 2, missed: 1, extra: 1}},
		{"either of two codes is a hit", change(1, func(r *Report) { r.Code = "PV001" }), counts{hits: 3}},
		{"one report hits one want only", append(change(1, func(r *Report) { r.Line = 9; r.Code = "PV001" })[:2:2], perfect[2]), counts{hits: 3}},
		{"what may be reported is neither hit nor extra", append(perfect[:3:3], Report{File: "bad.go", Line: 9, Code: "PV001", Tier: "error"}), counts{hits: 3}},
		{"a report in right code is false", append(perfect[:3:3], Report{File: "good.go", Line: 6, Code: "PV003", Tier: "warning"}), counts{hits: 3, falses: 1}},
		{"a report in an unmarked helper of a bad file is false", append(perfect[:3:3], Report{File: "bad.go", Line: 13, Code: "PV003", Tier: "error"}), counts{hits: 3, falses: 1}},
		{"a report outside of all functions is false", append(perfect[:3:3], Report{File: "good.go", Line: 1, Code: "PV003", Tier: "error"}), counts{hits: 3, falses: 1}},
		{"an audit report in right code that is about it is false", append(perfect[:3:3], Report{File: "good.go", Line: 6, Code: "PV001", Tier: "audit"}), counts{hits: 3, falses: 1}},
		{"an audit report in other right code is noted", append(perfect[:3:3], Report{File: "good.go", Line: 9, Code: "PV011", Tier: "audit"}), counts{hits: 3, noted: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := load(t, badSource, goodSource)
			if err != nil {
				t.Fatal(err)
			}
			s := c.Score(test.reports)
			got := counts{len(s.Hits), len(s.Missed), len(s.False), len(s.Extra), len(s.Noted)}
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// The scorer itself is proved by breaking what it is given.
func TestScoreSeesChangesOfTheCorpus(t *testing.T) {
	report := []Report{{File: "bad.go", Line: 5, Code: "PV001", Tier: "error"}}
	const one = "package p\n\nfunc use() int {\n\tput()\n\treturn 1 // want \"PV001\"\n}\n"
	for _, test := range []struct {
		name               string
		source             string
		hits, miss, falses int
	}{
		{"as it is", one, 1, 0, 0},
		{"with the want dropped", strings.Replace(one, ` // want "PV001"`, "", 1), 0, 0, 1},
		{"with the want in another function", strings.Replace(one, ` // want "PV001"`, "", 1) + "\nfunc other() {\n\tput() // want \"PV001\"\n}\n", 0, 1, 1},
		{"with the line moved within the function", strings.Replace(one, "\treturn", "\tput()\n\tput()\n\treturn", 1), 1, 0, 0},
		{"with the line moved out of reach", strings.Replace(one, "\treturn", strings.Repeat("\tput()\n", Reach+1)+"\treturn", 1), 0, 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := load(t, test.source, goodSource)
			if err != nil {
				t.Fatal(err)
			}
			s := c.Score(report)
			if len(s.Hits) != test.hits || len(s.Missed) != test.miss || len(s.False) != test.falses {
				t.Errorf("got %d hits, %d missed, %d false; want %d, %d, %d",
					len(s.Hits), len(s.Missed), len(s.False), test.hits, test.miss, test.falses)
			}
		})
	}
}

func TestThemesCountTheFoldersApart(t *testing.T) {
	c, err := load(t, badSource, goodSource)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Score([]Report{
		{File: "bad.go", Line: 5, Code: "PV001", Tier: "error"},
		{File: "good.go", Line: 6, Code: "PV001", Tier: "error"},
	})
	// What a file of another folder would have added.
	s.Missed = append(s.Missed, Expectation{Func: &Func{File: "deep/bad.go"}, Mark: Mark{Kind: Want, Codes: []string{"PV005"}}})
	var b strings.Builder
	s.Themes(&b, c)
	want := "| . | 3 | 1 | 1 | 1 | 1 |\n| deep | 1 | 0 | 0 | 0 | 0 |\n| all | 4 | 1 | 1 | 1 | 1 |\n"
	if got := b.String(); !strings.HasSuffix(got, want) {
		t.Errorf("Themes wrote\n%swant the end\n%s", got, want)
	}
}

func TestWrongMarksAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ bad, good, want string }{
		"a want in right code":       {badSource, "package p\n\nfunc f() {\n\tf() // want \"PV001\"\n}\n", "all others fine"},
		"a fine in wrong code":       {"package p\n\nfunc f() {\n\tf() // fine \"PV001\" no\n}\n", goodSource, "files named bad"},
		"an unknown form of code":    {"package p\n\nfunc f() {\n\tf() // want \"use-after-put\"\n}\n", goodSource, "no code"},
		"no code":                    {"package p\n\nfunc f() {\n\tf() // want \"\"\n}\n", goodSource, "names no code"},
		"no reason":                  {badSource, "package p\n\nfunc f() {\n\tf() // fine \"PV001\"\n}\n", "no reason"},
		"a mark between functions":   {"package p\n\n// want \"PV001\"\n\nfunc f() {}\n", goodSource, "outside of all functions"},
		"code that does not compile": {"package p\n\nfunc f( {\n", goodSource, "expected"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, test.bad, test.good)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}
