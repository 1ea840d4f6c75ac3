package sites

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/candidate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// again is the folder of what could be tried when the sites were asked again.
const again = "cmd/poolproof/internal/lab/records/find-again"

// answers lists what could be tried at the sites of a package, in the order of its first run.
type answers struct {
	Date  string   `json:"date"`
	Sites []answer `json:"sites"`
}

type answer struct {
	At       string    `json:"at"`
	Variants []variant `json:"variants,omitempty"`
	Why      string    `json:"why,omitempty"`
}

// ask says of the sites of a package's first run, with the bytes and lifetimes that it saw, what
// could be tried there today. Nothing is measured.
func (m module) ask(ctx context.Context, root, pkg string) error {
	r, sites, ok, err := m.read(root, pkg)
	if err != nil || !ok || len(sites) == 0 {
		return err
	}
	work := filepath.Join(os.TempDir(), "poolproof-sites")
	if err := os.MkdirAll(work, 0o777); err != nil {
		return err
	}
	dir, err := suite.Module{Path: m.Path, Version: r.Version}.Copy(ctx, work, pkg)
	if err != nil {
		return err
	}
	chain, err := overlay.Find(ctx, dir, work, suite.Env...)
	if err != nil {
		return err
	}
	var scope attribute.Scope
	if err := scope.Add(ctx, chain, dir, "", pkg); err != nil {
		return err
	}
	var asked []*profile.Site
	for _, s := range sites {
		asked = append(asked, &profile.Site{
			Package: s.Package, Function: s.Function, File: filepath.Join(dir, filepath.FromSlash(s.File)), Line: s.Line, Column: s.Column,
			Kind: profile.Kind(s.Kind), Callee: s.Callee, Type: s.Type, Expr: s.Expr, InPool: s.InPool, Bytes: s.Bytes, Objects: s.Objects,
			Observed: s.Lives.Class == "function", Kept: s.Lives.Class == "kept" || s.Lives.Class == "shared", Stale: strings.Contains(s.Why, "another version"),
		})
	}
	found, err := candidate.Of(ctx, &scope, asked)
	if err != nil {
		return err
	}
	a := answers{Date: time.Now().UTC().Format(time.DateOnly)}
	for i, c := range found {
		one := answer{At: fmt.Sprintf("%s:%d", sites[i].File, sites[i].Line), Why: c.Why}
		for _, v := range c.Variants {
			one.Variants = append(one.Variants, variant{string(v.Name), string(v.Evidence)})
		}
		a.Sites = append(a.Sites, one)
	}
	return study.WriteFile(m.in(root, again, pkg), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(a)
	})
}

// Again is the table of what could be tried when the sites were asked again.
func Again(all []module, root string) (string, error) {
	var b strings.Builder
	var hot, tried sum
	by, none := map[string]*sum{}, map[string]*sum{}
	for _, m := range all {
		for _, pkg := range m.Packages {
			_, sites, _, err := m.read(root, pkg)
			if err != nil {
				return "", err
			}
			if len(sites) == 0 {
				continue
			}
			name := m.in(root, again, pkg)
			data, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			var a answers
			if err := json.Unmarshal(data, &a); err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
			if len(a.Sites) != len(sites) {
				return "", fmt.Errorf("%s has %d sites, and the first run %d", name, len(a.Sites), len(sites))
			}
			for i, x := range sites {
				hot.add(x)
				x.Variants, x.Why = a.Sites[i].Variants, a.Sites[i].Why
				if len(x.Variants) == 0 {
					at(none, reason(x)).add(x)
					continue
				}
				tried.add(x)
				at(by, x.Variants[0].Name+" ("+x.Variants[0].Evidence+")").add(x)
			}
		}
	}
	fmt.Fprintln(&b, share(hot, tried))
	rows(&b, "first variant (evidence)", by, hot)
	rows(&b, "nothing to try", none, hot)
	return b.String(), nil
}
