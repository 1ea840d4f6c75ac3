package attribute

import (
	"context"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// mode selects what is loaded of a package: its own source with types, and the
// types of what it imports.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
	packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule

// Load loads packages, by import path, that were not loaded before. A package
// that does not compile stays without source.
func (s *Scope) Load(ctx context.Context, paths ...string) error {
	missing := map[*lister][]string{}
	for _, path := range paths {
		if at, ok := s.homes[path]; ok {
			if _, known := s.loaded[path]; !known {
				s.loaded[path] = nil
				missing[at.by] = append(missing[at.by], path)
			}
		}
	}
	for by, paths := range missing {
		pkgs, err := by.load(ctx, mode, paths)
		if err != nil {
			return err
		}
		for _, p := range pkgs {
			if p.Types == nil || p.TypesInfo == nil {
				continue
			}
			s.loaded[p.PkgPath] = p
			for _, f := range p.Syntax {
				s.files[p.Fset.Position(f.Package).Filename] = &source{p.Fset, f, p.TypesInfo}
			}
		}
	}
	return nil
}

// load loads packages with their tests, as far as the mode asks.
func (l *lister) load(ctx context.Context, mode packages.LoadMode, patterns []string) ([]*packages.Package, error) {
	config := &packages.Config{Context: ctx, Mode: mode, Dir: l.dir, Env: l.chain.Command(ctx, l.dir).Env, Tests: mode&packages.NeedForTest != 0}
	if l.tags != "" {
		config.BuildFlags = []string{"-tags=" + l.tags}
	}
	pkgs, err := packages.Load(config, patterns...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w", strings.Join(patterns, " "), err)
	}
	return pkgs, nil
}

// Package returns a package of the user's that was loaded, or nil.
func (s *Scope) Package(path string) *packages.Package { return s.loaded[path] }

// Dir is the folder of a package of the user's; "" if it is none.
func (s *Scope) Dir(path string) string { return s.homes[path].dir }

// Toolchain returns the toolchain of a package of the user's, and its tags.
func (s *Scope) Toolchain(path string) (t *overlay.Toolchain, tags string) {
	if by := s.homes[path].by; by != nil {
		return by.chain, by.tags
	}
	return nil, ""
}

// source returns a file that was loaded, or nil.
func (s *Scope) source(file string) *source { return s.files[file] }
