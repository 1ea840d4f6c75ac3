// Package check is what a check of package vet is made of: a code, a name, a
// tier, a text, and a rule that reads events and reports.
package check

import (
	"go/token"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
)

// Tier says how sure a finding is, and so who wants to see it.
type Tier = events.Tier

// The tiers, the most certain first.
const (
	Error   = events.Error   // memory is shared by two owners
	Warning = events.Warning // a pool does not do its work, or reuse is one step from going wrong
	Audit   = events.Audit   // worth reading when somebody goes through the pools of a program
)

// Check is one check. New makes it.
type Check struct {
	Code string // "PV001": fixed for ever
	Name string // "use-after-put"
	Doc  string // one sentence
	Tier Tier   // of most of its findings
	Else Else   // when a finding is of another one
	Fix  bool   // whether some of its findings come with a fix

	Analyzer *analysis.Analyzer
}

// Else is a tier that some findings of a check have, and when they do. The zero Else: never.
type Else struct {
	Tier Tier
	If   string // what follows "warning if", "audit if"
}

// Through is the Else of findings about memory that is not certainly the object's: see [Demoted].
var Through = Else{Warning, "the memory is reached through a field of a struct or a container, or if the pool is an interface with Get and Put"}

// Tiers says which tiers the findings of a check have: "error or warning".
func (c *Check) Tiers() string {
	if c.Else.Tier == 0 {
		return c.Tier.String()
	}
	return c.Tier.String() + " or " + c.Else.Tier.String()
}

// Report is one finding of a check.
type Report struct {
	Pos, End token.Pos // End may be zero
	Tier     Tier      // zero: that of the check
	Message  string    // what is wrong: one sentence without code and name
	Remedy   string    // what to do: a clause that begins with a verb, as "return a copy"
	Related  []analysis.RelatedInformation
	Fixes    []analysis.SuggestedFix // always right ones only: they are applied unseen
}

// Pass is the input of a rule: the events of one package, and where to report.
type Pass struct {
	*analysis.Pass
	Events *events.Events

	check  *Check
	result *Result
}

// found is what a check has reported: one finding a line.
type found struct {
	file  string
	line  int
	tier  Tier
	tells []token.Pos // of what it tells: where it is, and where the events before it are
}

// Result is the result of each check's analyzer.
type Result struct {
	// Ignored are the //poolproof:ignore directives that kept a finding from
	// being reported. A directive that is in no result is unused.
	Ignored []token.Pos

	found []found // what the check has reported
}

// New completes c by its analyzer, which runs rule. The analyzer is named as the
// folder of the check is: the name without dashes.
func New(c Check, rule func(*Pass)) Check {
	c.Analyzer = &analysis.Analyzer{
		Name:       strings.ReplaceAll(c.Name, "-", ""),
		Doc:        c.Code + " " + c.Name + ": " + c.Doc,
		URL:        "https://github.com/poolproof/poolproof/blob/main/docs/vet.md#" + c.Name,
		Requires:   []*analysis.Analyzer{facts.Analyzer},
		ResultType: reflect.TypeFor[*Result](),
	}
	own := c // the analyzer outlives what its caller does with c
	c.Analyzer.Run = func(pass *analysis.Pass) (any, error) {
		p := &Pass{
			Pass:   pass,
			Events: pass.ResultOf[facts.Analyzer].(*events.Events),
			check:  &own,
			result: &Result{},
		}
		rule(p)
		return p.result, nil
	}
	return c
}

// Ignored reports whether a directive ignores a finding of the check at a position. The
// directive is of use then.
func (p *Pass) Ignored(pos token.Pos) bool {
	at, ignored := p.Events.Directives.Ignored(pos, p.check.Code)
	if ignored && !slices.Contains(p.result.Ignored, at) {
		p.result.Ignored = append(p.result.Ignored, at)
	}
	return ignored
}

// Heading begins the text of each diagnostic: "PV001 use-after-put (error): ".
func (c *Check) Heading(tier Tier) string {
	return c.Code + " " + c.Name + " (" + tier.String() + "): "
}

// Report reports r, unless its tier or check is not asked for, a directive ignores it, it
// is in a generated file, a finding of another check explains it, or the check
// has reported this line already. Its text is Heading, the message and the remedy, its
// category says code and tier: see Category.
func (p *Pass) Report(r Report) {
	tier := r.Tier
	if tier == 0 {
		tier = p.check.Tier
	}
	// A directive is of use whatever is asked for.
	if p.Ignored(r.Pos) || !p.wanted(r.Pos, tier) {
		return
	}
	posn := p.Fset.Position(r.Pos)
	f := found{file: posn.Filename, line: posn.Line, tier: tier, tells: []token.Pos{r.Pos}}
	for _, at := range r.Related {
		f.tells = append(f.tells, at.Pos)
	}
	if slices.ContainsFunc(p.result.found, f.sameLine) || !p.Events.Options.Explained && p.explained(&f) {
		return
	}
	p.result.found = append(p.result.found, f)
	if p.Events.Generated(r.Pos) {
		r.Fixes = nil // the next run of the generator would undo them
	}
	p.Pass.Report(analysis.Diagnostic{
		Pos:            r.Pos,
		End:            r.End,
		Category:       Category(p.check.Code, tier),
		Message:        p.check.Heading(tier) + r.Message + "; " + r.Remedy,
		URL:            p.check.Analyzer.URL,
		Related:        r.Related,
		SuggestedFixes: r.Fixes,
	})
}

// At reports a finding at an event, with a tier, 0 for that of the check.
func (p *Pass) At(e events.Event, tier Tier, message, remedy string) {
	p.Report(Report{Pos: e.Pos, End: e.End, Tier: tier, Message: message, Remedy: remedy})
}

// wanted reports whether the options ask for a finding of a tier at a position.
func (p *Pass) wanted(pos token.Pos, tier Tier) bool {
	o := &p.Events.Options
	if checks := o.Checks; checks != nil && !checks(p.check.Code) {
		return false
	}
	return tier <= o.Tier && (o.Generated || !p.Events.Generated(pos) || p.Events.Cgo(pos))
}

// Category is how a diagnostic carries code and tier: "PV001/error".
func Category(code string, tier Tier) string { return code + "/" + tier.String() }
