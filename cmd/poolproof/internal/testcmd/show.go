package testcmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/annotate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// show prints a result after the output of go test. With -json and -sarif
// standard output is for machines, and the summary goes to standard error.
func (f *testFlags) show(stdout, stderr io.Writer, res *sanitize.Result) error {
	res.Printer.All = f.verbose
	summary := stdout
	if res.JSON || f.sarif {
		summary = stderr
	}
	if err := f.summary(summary, res); err != nil {
		return err
	}
	if res.JSON && !f.sarif {
		if err := lines(stdout, res); err != nil {
			return err
		}
	}
	root := *res.Printer
	root.Base = repository(root.Base)
	if f.sarif {
		if err := root.SARIF(cli.Version(), res.Findings, notes(res)).Write(stdout); err != nil {
			return err
		}
	}
	if f.github {
		if err := annotate.Write(summary, root.Annotations(res.Findings)); err != nil {
			return err
		}
	}
	if f.html != "" {
		return f.page(summary, res)
	}
	return nil
}

// page writes the file of -html, and says so.
func (f *testFlags) page(w io.Writer, res *sanitize.Result) error {
	sum := finding.Summary{Verdict: verdictOf(res), Notes: res.Notes}
	for _, u := range res.Unwatched {
		sum.Unwatched = append(sum.Unwatched, u.String())
	}
	for _, one := range byClass(res) {
		sum.Failures = append(sum.Failures, one.class.Advice()+": "+strings.Join(families(one.tests), ", "))
	}
	var b bytes.Buffer
	if err := res.Printer.HTML(&b, res.Findings, sum); err != nil {
		return err
	}
	if err := os.WriteFile(f.html, b.Bytes(), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(w, "wrote %s\n", f.html)
	return nil
}

// notes are all that a user should know beside the findings.
func notes(res *sanitize.Result) (all []string) {
	for _, u := range res.Unwatched {
		all = append(all, "not watched: "+u.String())
	}
	return append(all, res.Notes...)
}

// summary is for people.
func (f *testFlags) summary(w io.Writer, res *sanitize.Result) error {
	fmt.Fprintln(w)
	for i, u := range res.Unwatched {
		if i == 0 {
			fmt.Fprintln(w, "not watched, as other code may use the objects at any time (-strict makes it an error):")
		}
		fmt.Fprintf(w, "   %s\n", u)
		if i == len(res.Unwatched)-1 {
			fmt.Fprintln(w)
		}
	}
	for i, found := range res.Findings {
		res.Printer.Print(w, i+1, found)
	}
	if f.leaks {
		if err := pools(w, res); err != nil {
			return err
		}
	}
	if f.follow {
		follow(w, res.Followed)
	}
	failures(w, res)
	for _, n := range res.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	if f.update {
		fmt.Fprintf(w, "wrote %s: %s\n", f.baseline, words.Plural(res.Baseline, "entry", "entries"))
	}
	if n := res.Poolless; n > 0 {
		fmt.Fprintf(w, "pools: %s: tested as go test does (-strict watches them too)\n",
			words.Plural(n, "package uses no pool, nor does what it imports", "packages use no pool, nor does what they import"))
	}
	if c := finding.Covered(res.Pools); c.Puts > 0 {
		fmt.Fprintf(w, "pools: %s (-follow lists the fields)\n", c)
	} else if len(res.Findings) == 0 && res.Launched > 0 && (f.mode == string(sanitize.Exact) || f.leaks || f.delayed) {
		fmt.Fprintln(w, "pools: no test put an object into a sync.Pool, so there was nothing to check")
	}
	if s := res.Second; s.Packages > 0 {
		fmt.Fprintf(w, "second pass: %s tested again, where each Get returns the object that was put last, in %s with the build (-reuse=off skips it)\n",
			words.Plural(s.Packages, "package", "packages"), s.Took.Round(100*time.Millisecond))
	} else if s.Why != "" {
		fmt.Fprintf(w, "no second pass with reused objects: %s\n", s.Why)
	}
	fmt.Fprintln(w, verdictOf(res))
	return nil
}

// verdictOf is the last line.
func verdictOf(res *sanitize.Result) string {
	errors, warnings := 0, 0
	for _, f := range res.Findings {
		if f.Severity == record.Error {
			errors++
		} else {
			warnings++
		}
	}
	said := []string{words.Plural(errors, "finding", "findings")}
	poisoned, ordinary, cut := 0, 0, res.Interrupted
	for _, f := range res.Failures {
		if f.Class == sanitize.Poisoned {
			poisoned++
		}
		if f.Fails() {
			ordinary++
		}
		cut = cut || f.Class.Unwatched()
	}
	switch {
	case errors == 0 && poisoned > 0:
		said = nil
	case errors == 0 && cut:
		said[0] = "no finding in what ran, and not all did"
	case errors == 0:
		said[0] = "nothing found"
		if len(res.Unwatched) > 0 {
			said[0] += " in what was watched"
		}
	}
	if poisoned > 0 {
		said = append(said, words.Plural(poisoned, "test that fails", "tests that fail")+" only with poison")
	}
	if warnings > 0 {
		said = append(said, words.Plural(warnings, "warning", "warnings"))
	}
	if n := len(res.Suppressed); n > 0 {
		said = append(said, words.Plural(n, "place", "places")+" ignored or known")
	}
	if ordinary > 0 {
		said = append(said, words.Plural(ordinary, "ordinary failure", "ordinary failures"))
	}
	binaries := words.Plural(res.Launched, "test binary", "test binaries")
	switch {
	case res.Launched == 0 && res.Poolless > 0:
		binaries = "no package uses a pool"
	case res.Launched == 0:
		binaries = "no test binary ran"
	}
	return "poolproof: " + strings.Join(said, ", ") + " (" + binaries + ")"
}

func pools(w io.Writer, res *sanitize.Result) error {
	if len(res.Pools) == 0 {
		fmt.Fprint(w, "pools: none was used in a process that came to its end\n\n")
		return nil
	}
	fmt.Fprintln(w, "pools: hits are Gets that sync.Pool would have served; leaked objects were collected without a Put")
	if err := res.Printer.PoolTable(w, res.Pools); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return nil
}

// follow lists the fields of pooled types.
func follow(w io.Writer, all []sanitize.Followed) {
	fmt.Fprintln(w, "fields of pooled types (memory that New makes is followed in any case, unless other code has it too):")
	for _, one := range all {
		word := "not followed"
		if one.Own {
			word = "followed"
		}
		at := ""
		if one.At != "" {
			at = " (" + one.At + ")"
		}
		fmt.Fprintf(w, "   %-12s  %s: %s%s\n", word, one.Field, one.Why, at)
	}
	fmt.Fprintln(w)
}

// failures lists failing tests without a finding by why they failed.
func failures(w io.Writer, res *sanitize.Result) {
	for _, one := range byClass(res) {
		fmt.Fprintf(w, "%s:\n", one.class.Advice())
		for _, line := range families(one.tests) {
			fmt.Fprintf(w, "   %s\n", line)
		}
		for _, t := range one.tests {
			if line := res.Poison[t.Package+" "+t.Name]; line != "" && one.class == sanitize.Poisoned {
				fmt.Fprintf(w, "   poison in the output of %s: %s\n", t.Name, line)
			}
		}
		fmt.Fprintln(w)
	}
}

// classed are failing tests that have their reason in common.
type classed struct {
	class sanitize.Class
	tests []finding.Test
}

// byClass sorts failing tests without a finding by their reason.
func byClass(res *sanitize.Result) (all []classed) {
	tests := map[sanitize.Class][]finding.Test{}
	for _, f := range res.Failures {
		tests[f.Class] = append(tests[f.Class], f.Test)
	}
	for _, class := range slices.Sorted(maps.Keys(tests)) {
		all = append(all, classed{class, tests[class]})
	}
	return all
}

// families names tests in a line each, subtests of one test together.
func families(tests []finding.Test) []string {
	type family struct{ pkg, top string }
	members := map[family][]finding.Test{}
	var order []family
	for _, t := range tests {
		top, _, _ := strings.Cut(t.Name, "/")
		f := family{t.Package, top}
		if members[f] == nil {
			order = append(order, f)
		}
		members[f] = append(members[f], t)
	}
	var all []string
	for _, f := range order {
		switch m := members[f]; {
		case f.top == "":
			all = append(all, f.pkg)
		case len(m) == 1:
			all = append(all, m[0].String())
		default:
			all = append(all, fmt.Sprintf("%s of %s, %d subtests", f.top, f.pkg, len(m)))
		}
	}
	return all
}

// lines writes one JSON object a line.
func lines(w io.Writer, res *sanitize.Result) error {
	var all []any
	for i, f := range res.Findings {
		for _, o := range res.Printer.Objects(i+1, f) {
			all = append(all, o)
		}
	}
	for _, r := range res.Suppressed {
		all = append(all, res.Printer.Object(0, r))
	}
	for _, p := range res.Pools {
		all = append(all, struct {
			Action string
			finding.Pool
		}{"pool", p})
	}
	for _, f := range res.Failures {
		all = append(all, struct {
			Action  string
			Package string         `json:"package"`
			Test    string         `json:"test"`
			Class   sanitize.Class `json:"class"`
			Fails   bool           `json:"fails"`
		}{"failure", f.Test.Package, f.Test.Name, f.Class, f.Fails() || f.Class == sanitize.Poisoned})
	}
	for _, one := range res.Followed {
		all = append(all, struct {
			Action string
			sanitize.Followed
		}{"field", one})
	}
	for _, u := range res.Unwatched {
		all = append(all, struct {
			Action string
			sanitize.Unwatched
		}{"unwatched", u})
	}
	for _, n := range res.Notes {
		all = append(all, struct {
			Action string
			Text   string `json:"text"`
		}{"note", n})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, v := range all {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// repository is the folder at or above dir that holds a repository, which
// code hosts want names to be relative to; dir if there is none.
func repository(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}
