// Package returnalias finds results that are, or refer to, an object that a
// deferred call has put by the time the caller sees them.
package returnalias

import (
	"go/ast"
	"go/version"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV003.
var Check = check.New(check.Check{
	Code: "PV003",
	Name: "return-alias",
	Doc:  "a result is, or refers to, an object that a deferred call puts",
	Tier: check.Error,
	Else: check.Through,
	Fix:  true,
}, rule)

func rule(p *check.Pass) {
	p.AfterPut(events.Use, func(obj *events.Object, h *events.History, put, ret events.Event) {
		if put.Deferred && ret.How == events.Returned {
			message := check.Part(obj, h) + " is returned, but " + p.Puts(put, check.Name(obj)) + " before the caller reads the result"
			p.Ends(h, check.Demoted(check.Error, obj, h), message, "return a copy, or leave the put to the caller", copied(p, h)...)
		}
	})
}

// copied returns the fix: a copy is returned. That of bytes.Clone is nil where the
// memory is; without it, a copy of nothing is empty, as memory of a pooled object
// is.
func copied(p *check.Pass, h *events.History) []analysis.SuggestedFix {
	x := h.Copyable
	if x == nil {
		return nil
	}
	before, after := "append([]byte{}, ", "...)"
	if name := clone(p, x); name != "" {
		before, after = name+"(", ")"
	}
	return []analysis.SuggestedFix{{
		Message: "return a copy",
		TextEdits: []analysis.TextEdit{
			{Pos: x.Pos(), End: x.Pos(), NewText: []byte(before)},
			{Pos: x.End(), End: x.End(), NewText: []byte(after)},
		},
	}}
}

// clone returns how bytes.Clone is called at an expression, "" if it is not there:
// the file does not import bytes, or is for an older Go.
func clone(p *check.Pass, x ast.Expr) string {
	file := p.File(x.Pos())
	if v := p.TypesInfo.FileVersions[file]; file == nil || v != "" && version.Compare(v, "go1.20") < 0 {
		return ""
	}
	for _, spec := range file.Imports {
		name := p.TypesInfo.PkgNameOf(spec)
		if name == nil || name.Imported().Path() != "bytes" || name.Name() == "." || name.Name() == "_" {
			continue
		}
		if _, at := p.Pkg.Scope().Innermost(x.Pos()).LookupParent(name.Name(), x.Pos()); at == name {
			return name.Name() + ".Clone"
		}
	}
	return ""
}
