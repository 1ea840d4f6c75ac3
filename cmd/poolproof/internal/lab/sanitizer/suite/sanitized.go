package suite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Finding is a distinct misuse that the sanitizer found, in a form that can be
// kept.
type Finding struct {
	Kind     string   `json:"kind"`
	Severity string   `json:"severity"`
	Why      string   `json:"why,omitempty"`
	Type     string   `json:"type"`
	Put      string   `json:"put"`    // function and line, as "pkg.(*T).Close:12"
	Access   string   `json:"access"` // the same
	Get      string   `json:"get"`
	Tests    []string `json:"tests"` // as "package.Test"
	Count    int      `json:"count"`
}

// sanitized runs the tests under the sanitizer.
func (r Run) sanitized(ctx context.Context, m Mode) (*Outcome, error) {
	var text, printed bytes.Buffer
	res, err := sanitize.Run(ctx, sanitize.Options{
		Dir:      r.Dir,
		Packages: r.Packages,
		Flags:    append([]string{"-vet=off", fmt.Sprintf("-timeout=%s", r.Timeout)}, r.Args...),
		Env:      Env,
		Mode:     sanitize.Mode(m),
		Leaks:    r.Leaks,
		Poison:   r.Poison,
		Reuse:    r.Reuse,
		Stdout:   io.MultiWriter(&text, &printed),
		Stderr:   &text,
	})
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text.Bytes())
	}
	o := &Outcome{Packages: res.Packages, Pools: res.Pools, Printed: printed.String(), Second: res.Second.Packages, Unwatched: res.Unwatched}
	for i, f := range res.Findings {
		for _, one := range f.Reports {
			o.Findings = append(o.Findings, flat(one, res.Printer.Sites))
		}
		res.Printer.Print(&text, i+1, f)
	}
	for _, f := range res.Failures {
		name := name(f.Test)
		switch f.Class {
		case sanitize.Reuse:
			o.Depends = append(o.Depends, name)
		case sanitize.Poisoned:
			o.Poisoned = append(o.Poisoned, name)
		case sanitize.Unsteady:
			o.Unsteady = append(o.Unsteady, name)
		case sanitize.Genuine:
			o.Genuine = append(o.Genuine, name)
		}
		o.Classes = append(o.Classes, fmt.Sprintf("%s: %s", f.Class, name))
		fmt.Fprintf(&text, "%s: %s\n", name, f.Class)
	}
	for _, n := range res.Notes {
		fmt.Fprintln(&text, "note:", n)
	}
	o.Output = text.String()
	return o, nil
}

func flat(r *finding.Report, s *finding.Sites) Finding {
	f := Finding{
		Kind: string(r.Kind), Severity: string(r.Severity), Why: r.Why, Type: r.Type,
		Put: at(s.Lead(r.Put)), Access: at(s.Lead(r.Access)), Get: at(s.Lead(r.Get)), Count: r.Count,
	}
	for _, t := range r.Tests {
		f.Tests = append(f.Tests, name(t))
	}
	return f
}

func at(f record.Frame) string {
	if f.Func == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", f.Func, f.Line)
}

// name is a test as failures and findings have it: "package.Test".
func name(t finding.Test) string {
	if t.Name == "" {
		return t.Package
	}
	return t.Package + "." + t.Name
}

// Errors returns the findings that are errors.
func (o *Outcome) Errors() []Finding {
	return slices.DeleteFunc(slices.Clone(o.Findings), func(f Finding) bool { return f.Severity != string(record.Error) })
}

// Kinds returns the kinds of the errors, each once.
func (o *Outcome) Kinds() (kinds []string) {
	for _, f := range o.Errors() {
		if !slices.Contains(kinds, f.Kind) {
			kinds = append(kinds, f.Kind)
		}
	}
	return kinds
}
