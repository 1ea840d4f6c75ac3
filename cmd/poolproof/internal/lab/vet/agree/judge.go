package agree

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

// codes are those of the checks that name a misuse.
var codes = map[Misuse][]string{
	usedAfterPut: ofMemory,
	putTwice:     append([]string{"PV021"}, ofMemory...),
	handedOn:     ofMemory,
	wrongPool:    {"PV021"},
	nilGot:       {"PV018"},
	lost:         {"PV005", "PV006"},
}

var ofMemory = []string{"PV001", "PV002", "PV003", "PV004", "PV014", "PV015"}

// sanitizerKinds are those of the sanitizer, as misuses.
var sanitizerKinds = map[string]Misuse{
	"read-after-put": usedAfterPut, "write-after-put": usedAfterPut, "double-put": putTwice,
}

// Report is one of vet, with the statement that it is about; nil is the caller's code.
type Report struct {
	corpus.Report
	at    *Stmt
	names []*Stmt // with those of other lines that it names
}

var aLine = regexp.MustCompile(`\bline (\d+)`)

func newReport(r corpus.Report, lines map[int]*Stmt) Report {
	all := Report{r, lines[r.Line], []*Stmt{lines[r.Line]}}
	for _, l := range aLine.FindAllStringSubmatch(r.Message, -1) {
		n, _ := strconv.Atoi(l[1])
		all.names = append(all.names, lines[n])
	}
	return all
}

// Verdict is what three judges say of a program: its executions, vet, and the
// sanitizer, if it was asked.
type Verdict struct {
	*Program
	events  map[uint][]Event
	reached map[*Stmt]bool
	reports []Report
	seen    map[uint][]sight // by the sanitizer
	hidden  bool             // the sanitizer says that it does not watch objects of the type in this package
}

// sight is a misuse that the sanitizer reports.
type sight struct {
	Misuse
	at *Stmt // that uses the object; nil is the caller's code
}

// anywhere is a statement that is not known: a function that programs share uses the
// object, or a deferred call puts it.
var anywhere = &Stmt{}

// judges are the tools that are asked.
type judges struct {
	scratch   string
	vet       corpus.Tool
	sanitizer bool
}

// of asks all judges about programs, which get new numbers.
func (j judges) of(ctx context.Context, dir string, all []*Program) ([]*Verdict, error) {
	byNumber := make([]*Verdict, len(all))
	for i, p := range all {
		p.Number = i
		v := &Verdict{Program: p, events: map[uint][]Event{}, reached: map[*Stmt]bool{nil: true}, seen: map[uint][]sight{}}
		for _, in := range p.inputs() {
			v.events[in] = Execute(p, in, v.reached)
		}
		byNumber[i] = v
	}
	m, err := writeModule(dir, all)
	if err != nil {
		return nil, err
	}
	run, err := j.vet.Vet(ctx, dir, "./...")
	if err == nil && len(run.Failures) > 0 {
		err = fmt.Errorf("vet did not analyse all:\n%s", strings.Join(run.Failures, "\n"))
	}
	if err != nil {
		return nil, err
	}
	for _, r := range run.Reports {
		if p := m.files[r.File]; p != nil && r.Tier != "audit" {
			v := byNumber[p.Number]
			v.reports = append(v.reports, newReport(r, m.lines[r.File]))
		}
	}
	if !j.sanitizer {
		return byNumber, nil
	}
	return byNumber, m.askSanitizer(ctx, dir, byNumber)
}

// askSanitizer asks the sanitizer.
func (m *module) askSanitizer(ctx context.Context, dir string, byNumber []*Verdict) error {
	o, err := suite.Run{Dir: dir, Packages: []string{"./..."}, Timeout: time.Hour, Reuse: "off"}.In(ctx, suite.Exact)
	if err != nil {
		return err
	}
	if broken := o.Broken(); broken != nil || o.Stopped || o.Crashed() != nil {
		return fmt.Errorf("the sanitizer did not test all:\n%s", o.Output)
	}
	for _, u := range o.Unwatched {
		var n int
		if _, err := fmt.Sscanf(path.Base(u.At), "p%d.go", &n); err != nil {
			return fmt.Errorf("the sanitizer names the place %q: %w", u.At, err)
		}
		for _, v := range byNumber {
			if u.Type == v.typeName() && path.Dir(v.file()) == path.Dir(byNumber[n].file()) {
				v.hidden = true
			}
		}
	}
	for _, f := range o.Errors() {
		kind, known := sanitizerKinds[f.Kind]
		if !known {
			return fmt.Errorf("the sanitizer reports %s of %s, put at %s", f.Kind, f.Access, f.Put)
		}
		for _, name := range f.Tests {
			var n int
			var in uint
			if _, err := fmt.Sscanf(name[strings.Index(name, ".TestP")+1:], "TestP%d/%d", &n, &in); err != nil {
				return fmt.Errorf("the sanitizer names the test %q: %w", name, err)
			}
			at := anywhere
			if function, line, _ := strings.Cut(f.Access, ":"); kind == usedAfterPut && !strings.HasSuffix(function, ".look") {
				l, _ := strconv.Atoi(line)
				at = m.lines[byNumber[n].file()][l]
			}
			byNumber[n].seen[in] = append(byNumber[n].seen[in], sight{kind, at})
		}
	}
	return nil
}

// shows reports whether an execution shows the misuse.
func (v *Verdict) shows(m Misuse) bool {
	return v.any(func(e Event) bool { return e.Misuse == m })
}

func (v *Verdict) any(fits func(Event) bool) bool {
	for _, list := range v.events {
		if slices.ContainsFunc(list, fits) {
			return true
		}
	}
	return false
}

// memory reports whether an execution uses memory that it put.
func (v *Verdict) memory() bool { return v.shows(usedAfterPut) || v.shows(putTwice) }

// confirms reports whether an execution shows that a report is right: the statement had
// to do with an object that is misused so. Returns that lose an object have nothing to
// do with it.
func (v *Verdict) confirms(r Report, kinds ...Misuse) bool {
	return v.any(func(e Event) bool {
		return slices.Contains(kinds, e.Misuse) && slices.Contains(codes[e.Misuse], r.Code) && (e.Of.trail[r.at] || e.Misuse == lost)
	})
}

// tier is the highest one of the reports that name the misuse; "" if there is none.
func (v *Verdict) tier(kinds ...Misuse) (tier string) {
	for _, r := range v.reports {
		if tier != "error" && v.confirms(r, kinds...) {
			tier = r.Tier
		}
	}
	return tier
}

// falseErrors are those that no execution shows; idle ones name a line that none comes to.
func (v *Verdict) falseErrors() (wrong, idle []Report) {
	for _, r := range v.reports {
		switch {
		case r.Tier != "error" || v.confirms(r, misuses...):
		case v.idle(r):
			idle = append(idle, r)
		default:
			wrong = append(wrong, r)
		}
	}
	return wrong, idle
}

// idle reports whether no execution comes to one of the lines of a report.
func (v *Verdict) idle(r Report) bool {
	return slices.ContainsFunc(r.names, func(s *Stmt) bool { return !v.reached[s] })
}

// falseLosses are the warnings of lost objects in programs that lose none.
func (v *Verdict) falseLosses() []Report {
	return slices.DeleteFunc(slices.Clone(v.reports), func(r Report) bool {
		return !slices.Contains(codes[lost], r.Code) || v.confirms(r, lost)
	})
}

// unlike are the inputs on which the sanitizer and the execution differ about a misuse:
// it does not see it, or sees what is not there. What it says that it does not watch is
// among the unseen.
func (v *Verdict) unlike(m Misuse) (unseen, invented []uint) {
	for _, in := range v.inputs() {
		var happens, seen []*Stmt
		for _, e := range v.events[in] {
			if e.Misuse == m {
				happens = append(happens, e.At)
			}
		}
		for _, s := range v.seen[in] {
			if s.Misuse == m {
				seen = append(seen, s.at)
			}
		}
		if len(less(happens, seen)) > 0 && !slices.Contains(seen, anywhere) {
			unseen = append(unseen, in)
		}
		if len(happens) == 0 && len(seen) > 0 || len(less(seen, append(happens, anywhere))) > 0 {
			invented = append(invented, in)
		}
	}
	return unseen, invented
}

// less are those that are not among others.
func less(all, others []*Stmt) []*Stmt {
	return slices.DeleteFunc(slices.Clone(all), func(s *Stmt) bool { return slices.Contains(others, s) })
}
