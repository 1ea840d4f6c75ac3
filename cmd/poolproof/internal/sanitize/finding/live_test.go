package finding

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

const source = `package app

func use() { //poolproof:ignorance is no directive
	x.Read() //poolproof:ignore the panic is what is tested
	//poolproof:ignore the next line only
	x.Read()
	x.Read()
	x.Read() //poolproof:ignore PV001 for vet
	x.Read() //poolproof:ignore
}

// whole ends late.
//
//poolproof:ignore all of it
func whole() {
	x.Read()
	x.Read()
}

// TestMisuse is intended.
//
//poolproof:ignore a test of the check
func TestMisuse(t *testing.T) {
	x.Read()
}
`

func TestDirectivesAreAboutTheirPlace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "app_test.go")
	if err := os.WriteFile(name, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	all, problems := Directives([]string{name, "/nowhere.go"})
	var got []Directive
	for _, d := range all {
		d.File = ""
		got = append(got, Directive{Line: d.Line, From: d.From, To: d.To, Test: d.Test, Reason: d.Reason})
	}
	want := []Directive{
		{Line: 4, From: 4, To: 4, Reason: "the panic is what is tested"},
		{Line: 5, From: 6, To: 6, Reason: "the next line only"},
		{Line: 14, From: 15, To: 18, Reason: "all of it"},
		{Line: 22, From: 23, To: 25, Test: "TestMisuse", Reason: "a test of the check"},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Directive{})); d != "" {
		t.Error(d)
	}
	if len(problems) != 1 || !strings.HasSuffix(problems[0], "app_test.go:9: poolproof:ignore needs a reason: it ignores nothing") {
		t.Errorf("problems %q", problems)
	}
}

// A statement in several lines is one place; one that holds others is not.
func TestDirectivesAreAboutWholeStatements(t *testing.T) {
	const source = `package app

func f(x *T) {
	x.use(
		1,
		x.n,
	) //poolproof:ignore behind
	//poolproof:ignore above
	y := x.
		a().
		b()
	x.use(
		1, //poolproof:ignore inside
		2)
	run(func() { //poolproof:ignore only this line
		x.use(1)
	})
	//poolproof:ignore only the next
	if x.n > 0 &&
		y {
		x.use(1)
	}
	x.use(1)
}
`
	name := filepath.Join(t.TempDir(), "app.go")
	if err := os.WriteFile(name, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	all, problems := Directives([]string{name})
	var got [][2]int
	for _, d := range all {
		got = append(got, [2]int{d.From, d.To})
	}
	if want := [][2]int{{4, 7}, {9, 11}, {12, 14}, {15, 15}, {19, 19}}; !cmp.Equal(got, want) || len(problems) > 0 {
		t.Errorf("lines %v, want %v; problems %q", got, want, problems)
	}
}

func TestWhatADirectiveIgnores(t *testing.T) {
	line := &Directive{File: "/src/app/app.go", Line: 10, From: 10, To: 10, Reason: "why"}
	test := &Directive{File: "/src/app/app_test.go", Line: 1, From: 2, To: 9, Test: "TestA", Reason: "why"}
	other := &Directive{File: "/src/other/app_test.go", Line: 1, From: 2, To: 9, Test: "TestB", Reason: "why"}
	for name, c := range map[string]struct {
		directive *Directive
		findings  []record.Report
		ignored   int
	}{
		"the line of the access":            {line, []record.Report{misuse(record.ReadAfterPut, 10, 5, "TestX")}, 1},
		"the line of the Put":               {line, []record.Report{misuse(record.ReadAfterPut, 99, 10, "TestX")}, 1},
		"not another line":                  {line, []record.Report{misuse(record.ReadAfterPut, 11, 5, "TestX")}, 0},
		"the test":                          {test, []record.Report{misuse(record.ReadAfterPut, 11, 5, "TestA")}, 1},
		"a subtest of the test":             {test, []record.Report{misuse(record.ReadAfterPut, 11, 5, "TestA/sub")}, 1},
		"not a test with a longer name":     {test, []record.Report{misuse(record.ReadAfterPut, 11, 5, "TestAB")}, 0},
		"not if another test saw it too":    {test, []record.Report{misuse(record.ReadAfterPut, 11, 5, "TestA"), misuse(record.ReadAfterPut, 11, 5, "TestB")}, 0},
		"not the test of another package":   {other, []record.Report{misuse(record.ReadAfterPut, 11, 5, "TestB")}, 0},
		"not what happens outside of any":   {test, []record.Report{misuse(record.ReadAfterPut, 11, 5, "")}, 0},
		"only what it is about, of several": {line, []record.Report{misuse(record.ReadAfterPut, 10, 5, "TestX"), misuse(record.ReadAfterPut, 12, 5, "TestX")}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := *c.directive
			var each [][]record.Report
			for _, f := range c.findings {
				each = append(each, []record.Report{f})
			}
			reports := collect(each...)
			Apply([]*Directive{&d}, reports)
			n := 0
			for _, r := range reports {
				if r.Suppressed != nil {
					n++
					if r.Suppressed.Reason != "why" {
						t.Errorf("reason %q", r.Suppressed.Reason)
					}
				}
			}
			if n != c.ignored {
				t.Errorf("%d ignored, want %d", n, c.ignored)
			}
			if unused := len(Unused([]*Directive{&d}, anywhere)) == 1; unused != (n == 0) {
				t.Errorf("unused: %v, with %d ignored", unused, n)
			}
			if groups := Group(reports, sites()); (len(groups) == 0) != (n == len(reports)) {
				t.Errorf("%d findings", len(groups))
			}
		})
	}
}

func TestBinariesGetTheSameRules(t *testing.T) {
	all := []*Directive{
		{File: "/src/app/app.go", From: 10, To: 11, Reason: "why"},
		{File: "/src/app/app_test.go", From: 5, To: 5, Test: "TestA", Reason: "why"},
	}
	as := func(file string) []string { return []string{file, "trimmed" + file} }
	want := []string{"at 10 11 /src/app/app.go", "at 10 11 trimmed/src/app/app.go", "test TestA", "at 5 5 /src/app/app_test.go", "at 5 5 trimmed/src/app/app_test.go"}
	rules := Rules(all, "/src/app", as)
	if d := cmp.Diff(want, texts(rules)); d != "" {
		t.Error(d)
	}
	if got := Rules(all, "/src/other", as); len(got) != 4 {
		t.Errorf("a test of another package is there: %q", texts(got))
	}
	rules[2].Use()
	if got := Unused(all, anywhere); len(got) != 1 || got[0] != all[0] {
		t.Errorf("one rule of the second was used, unused are %v", got)
	}
}

func anywhere(string) bool { return true }

func TestTestsAreToldByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"example.com/app.TestA": true, "example.com/app_test.TestA.func1": true, "example.com/app.BenchmarkA": true, "example.com/app.put": false,
		"example.com/app.(*Test).Put": false, "example.com/app.pool[...].TestA": false, "gopkg.in/yaml%2ev3.TestA": true, "": false,
	} {
		if got := IsTestFunction(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func texts(rules []Rule) (all []string) {
	for _, r := range rules {
		all = append(all, r.Text)
	}
	return all
}

// The same misuse is ignored where one caller wants it so, and counts elsewhere.
func TestWhatIsIgnoredForOneCallerCountsForAnother(t *testing.T) {
	ignored, counted := misuse(record.ReadAfterPut, 10, 5, "TestA"), misuse(record.ReadAfterPut, 10, 5, "TestB")
	ignored.Ignored = true
	for _, order := range [][]record.Report{{ignored, counted}, {counted, ignored}} {
		reports := Merge(collect(order), collect(order), sites())
		if len(reports) != 2 {
			t.Fatalf("%d reports", len(reports))
		}
		groups := Group(reports, sites())
		if len(groups) != 1 || groups[0].Count() != 2 || len(groups[0].Tests()) != 1 || groups[0].Tests()[0].Name != "TestB" {
			t.Errorf("%v", groups)
		}
	}
}

func TestABaselineRemembersWhatIsKnown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pools.txt")
	if _, err := ReadBaseline(file, false); err == nil {
		t.Error("a baseline that is not there is no error")
	}
	b, err := ReadBaseline(file, true)
	if err != nil {
		t.Fatal(err)
	}
	warning := misuse(record.WriteAfterPut, 11, 5, "TestA")
	warning.Severity = record.Warning
	first := collect([]record.Report{misuse(record.ReadAfterPut, 10, 5, "TestA"), misuse(record.ReadAfterPut, 12, 5, "TestA"), warning})
	b.Apply(first, sites())
	errors := func(r *Report) bool { return r.Severity == record.Error }
	n, err := b.Update(first, errors, nil, sites())
	if err != nil || n != 1 {
		t.Fatalf("%d entries, %v: lines and warnings make no entries", n, err)
	}
	// Lines have moved, and there is one kind more.
	b, err = ReadBaseline(file, false)
	if err != nil {
		t.Fatal(err)
	}
	then := collect([]record.Report{misuse(record.ReadAfterPut, 110, 105, "TestB"), misuse(record.DoublePut, 111, 105, "TestB")})
	b.Apply(then, sites())
	if then[0].Suppressed == nil || then[0].Suppressed.By != "baseline" || then[1].Suppressed != nil {
		t.Errorf("suppressed: %v, %v", then[0].Suppressed, then[1].Suppressed)
	}
	if len(b.Unused(anywhere)) != 0 {
		t.Error("the entry was used")
	}
	if want := []string{"known read-after-put example.com/app.f example.com/app.f"}; !cmp.Equal(texts(b.Rules()), want) {
		t.Errorf("rules %q", texts(b.Rules()))
	}
	// Nothing of it is left; what was not tested stays.
	b, err = ReadBaseline(file, false)
	if err != nil {
		t.Fatal(err)
	}
	b.Entries = append(b.Entries, &Entry{Kind: record.NilPut, Access: "example.com/other.f", Put: "example.com/other.f"})
	gone := b.Unused(func(function string) bool { return PackageOf(function) == "example.com/app" })
	if len(gone) != 1 || b.At(gone[0]) != file+":3" {
		t.Errorf("unused: %v", gone)
	}
	if n, err := b.Update(nil, errors, gone, sites()); err != nil || n != 1 {
		t.Errorf("%d entries, %v", n, err)
	}
	if text, _ := os.ReadFile(file); !strings.Contains(string(text), "\nnil-put\texample.com/other.f\texample.com/other.f\n") {
		t.Errorf("%s", text)
	}
}

// What only a checksum tells has no place of access; the binaries want a word
// there.
func TestABaselineKnowsWhatOnlyAChecksumTells(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pools.txt")
	f := misuse(record.WriteAfterPut, 10, 5, "TestA")
	f.Access = nil
	b := &Baseline{File: file}
	always := func(*Report) bool { return true }
	if n, err := b.Update(collect([]record.Report{f}), always, nil, sites()); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	b, err := ReadBaseline(file, false)
	if err != nil {
		t.Fatal(err)
	}
	reports := collect([]record.Report{f})
	if b.Apply(reports, sites()); reports[0].Suppressed == nil {
		t.Error("it does not know it again")
	}
	if want := []string{"known write-after-put example.com/app.f example.com/app.f"}; !cmp.Equal(texts(b.Rules()), want) {
		t.Errorf("rules %q", texts(b.Rules()))
	}
}

func TestABrokenBaselineIsRefusedWithItsLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pools.txt")
	for _, line := range []string{"read-after-put app.f app.g", "nonsense\tapp.f\tapp.g", "read-after-put\tapp.f"} {
		if err := os.WriteFile(file, []byte("# head\n\n"+line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadBaseline(file, true); err == nil || !strings.Contains(err.Error(), "pools.txt:3: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
}
