// Package candidate says what could be tried at a site: the variants of package
// reuse, or the plain reason why there is none, and what the compiler proves.
package candidate

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/reuse"
)

// Candidate is a site with what could be tried there.
type Candidate struct {
	*profile.Site
	Variants []reuse.Variant
	Why      string // there is no variant; "" where there is one
	Word     string // what the compiler says; "" where it says nothing of the site
}

// Tryable reports whether a variant is possible.
func (c Candidate) Tryable() bool { return len(c.Variants) > 0 }

// Of says what could be tried at each site. The sites are of scope, which is
// asked for the source and for the compiler's reasons of their packages.
func Of(ctx context.Context, scope *attribute.Scope, sites []*profile.Site) ([]Candidate, error) {
	proofs := map[string]proof{}
	candidates := make([]Candidate, len(sites))
	for i, s := range sites {
		if err := scope.Load(ctx, s.Package); err != nil {
			return nil, err
		}
		p, known := proofs[s.Package]
		if !known {
			var err error
			if p, err = prove(ctx, scope, s.Package); err != nil {
				return nil, err
			}
			proofs[s.Package] = p
		}
		c := Candidate{Site: s, Word: p.word(s)}
		c.Variants, c.Why = variants(scope, p, s)
		candidates[i] = c
	}
	return candidates, nil
}

// proof holds the compiler's statements on a package.
type proof struct {
	facts   []oracle.Fact
	reasons []oracle.Reason
}

// prove asks the compiler; of a package that does not compile it says nothing.
func prove(ctx context.Context, scope *attribute.Scope, path string) (p proof, err error) {
	chain, tags := scope.Toolchain(path)
	if chain == nil || scope.Package(path) == nil {
		return p, nil
	}
	if p.facts, err = oracle.Escapes(ctx, chain, scope.Dir(path), tags); err == nil {
		p.reasons, err = oracle.Reasons(ctx, chain, scope.Dir(path), tags)
	}
	if err != nil && ctx.Err() == nil {
		return proof{}, nil
	}
	return p, ctx.Err()
}

// word returns the compiler's statement on a site: of the nearest column on its line,
// where the kind of allocation is the same.
func (p proof) word(s *profile.Site) string {
	if s.Stale || s.Kind == profile.KindCallee || s.Kind == profile.KindConstructor {
		return ""
	}
	best, nearest := "", 1<<30
	for _, r := range p.reasons {
		if r.File != filepath.Base(s.File) || r.Line != s.Line || !about(r.Text, s) {
			continue
		}
		distance := r.Col - s.Column
		if distance < 0 {
			distance = -distance
		}
		if distance < nearest {
			best, nearest = r.Words(), distance
		}
	}
	return best
}

// about reports whether a compiler's line may be of a site's kind of allocation.
func about(text string, s *profile.Site) bool {
	switch s.Kind {
	case profile.KindMakeSlice, profile.KindMakeChan:
		return strings.HasPrefix(text, "make(")
	case profile.KindMakeMap:
		return strings.HasPrefix(text, "make(") || strings.HasPrefix(text, "map[")
	case profile.KindAppend:
		return strings.HasPrefix(text, "append")
	case profile.KindClosure:
		return strings.HasPrefix(text, "func literal")
	case profile.KindComposite:
		return strings.Contains(text, "{")
	case profile.KindConcat:
		return strings.Contains(text, " + ")
	case profile.KindGrowth:
		name, _, _ := strings.Cut(s.Expr, " ")
		return text == "moved to heap: "+name || strings.HasPrefix(text, name+" ")
	}
	return true
}

// variants asks for the ways to use the memory of a site again.
func variants(scope *attribute.Scope, p proof, s *profile.Site) ([]reuse.Variant, string) {
	pkg := scope.Package(s.Package)
	switch {
	case s.InPool && s.Kind == profile.KindGrowth:
		return nil, "the buffer comes from a pool already; objects that the pool loses to the collector grow again"
	case s.InPool:
		return nil, "it fills a pool already; fewer of these need more Puts, which poolproof test -leaks counts"
	case s.Stale:
		return nil, "the source on this machine is another version than that of the profile"
	case pkg == nil || pkg.Types == nil:
		return nil, "its source cannot be loaded on this machine"
	case s.Kind == profile.KindBoxing:
		return nil, "a value is put into an interface, which needs memory of its own unless it is a pointer or a small number"
	case s.Kind == profile.KindCallee && s.Column == 0:
		return nil, "the allocation is in " + profile.Short(s.Callee)
	}
	return reuse.Variants(pkg, p.facts, reuse.Site{File: s.File, Line: s.Line, Column: s.Column, Bytes: s.Bytes, Objects: s.Objects, Observed: s.Observed, Kept: s.Kept})
}
