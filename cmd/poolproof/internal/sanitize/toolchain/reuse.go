package toolchain

import (
	"context"
	"errors"
	"fmt"
	"go/ast"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// PrepareReuse makes the overlay for a build in which each Get of a pool returns the
// object that was put last, whichever goroutine put it; with POOLPROOF_TEST_REUSE=fresh in its
// environment, no object at all comes back. Nothing else is watched. Only package sync
// changes, and a function of the runtime that asks the environment. Errors are as those of
// [Prepare].
func PrepareReuse(ctx context.Context, c Config) (Overlay, error) {
	e := &editor{src: c.GOROOT + "/src", files: map[string][]byte{}}
	err := e.edit("sync/pool.go", reusingPool)
	for _, f := range []struct{ folder, name, to string }{
		{"reuse", "reuse.go.txt", "sync/" + prefix + "_reuse_.go"},
		{"reuseruntime", "fresh.go.txt", "runtime/" + prefix + "_reuse_.go"},
	} {
		if err != nil {
			break
		}
		var a added
		if a, err = newAdded(f.folder, nil); err != nil {
			break
		}
		var text []byte
		if text, err = a.file(f.name); err == nil {
			e.put(f.to, text)
		}
	}
	if err == nil {
		err = e.assembly("sync")
	}
	if err != nil {
		var a *AnchorError
		if errors.As(err, &a) {
			a.Version = c.Version
			err = fmt.Errorf("%w; this version of poolproof knows Go %s", err, Versions)
		}
		return Overlay{}, fault.Errorf(fault.Tools, "%w", err)
	}
	if err := ctx.Err(); err != nil {
		return Overlay{}, err
	}
	var o Overlay
	if o.Replace, err = store(cacheFolder(c, "reuse"), e.files); err != nil {
		return Overlay{}, fault.Errorf(fault.Tools, "overlay files: %w", err)
	}
	return o, nil
}

func reusingPool(s *overlay.Source) error {
	fields := structFields(s, "Pool")
	if fields == nil {
		return s.Missing("struct Pool")
	}
	put, get, clean := s.Method("Pool", "Put"), s.Method("Pool", "Get"), s.Func("poolCleanup")
	for _, m := range []*ast.FuncDecl{put, get} {
		if m == nil || m.Recv.List[0].Names == nil || m.Recv.List[0].Names[0].Name != "p" {
			return s.Missing("methods (p *Pool) Put and Get")
		}
	}
	if len(put.Type.Params.List) != 1 || len(put.Type.Params.List[0].Names) != 1 {
		return s.Missing("method (p *Pool) Put with one parameter")
	}
	if clean == nil {
		return s.Missing("function poolCleanup")
	}
	s.Insert(fields.Closing, "poolproofTop, poolproofOld, poolproofSpare *poolproofNode; poolproofSelf *Pool; poolproofLock Mutex; poolproofIs bool; poolproofCrowded atomic.Bool; ")
	s.Insert(put.Body.Lbrace+1, " if p.poolproofPut("+put.Type.Params.List[0].Names[0].Name+") { return };")
	s.Insert(get.Body.Lbrace+1, " if x, done := p.poolproofGet(); done { return x };")
	s.Insert(clean.Body.Lbrace+1, " poolproofClean();")
	return nil
}
