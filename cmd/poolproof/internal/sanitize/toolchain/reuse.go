package toolchain

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// PrepareReuse makes the overlay for a build in which each Get of a pool returns the
// object that was put last, whichever goroutine put it; with POOLPROOF_TEST_REUSE=fresh in its
// environment, no object at all comes back. Nothing else is watched. Only package sync
// changes, and a function of the runtime that asks the environment. Errors are as those of
// [Prepare].
func PrepareReuse(ctx context.Context, c Config) (Overlay, error) {
	e := &editor{src: filepath.Join(c.GOROOT, "src"), files: map[string][]byte{}}
	err := cmp.Or(e.edit("sync/pool.go", reusingPool), e.add("reuse", "sync"), e.add("reuseruntime", "runtime"), e.assembly("sync"))
	replace, err := c.stored(ctx, "reuse", e.files, err)
	return Overlay{Replace: replace}, err
}

func reusingPool(s *overlay.Source) error {
	err := addFields(s, "Pool", "poolproofTop, poolproofOld, poolproofSpare *poolproofNode; poolproofSelf *Pool; poolproofLock Mutex; poolproofIs bool; poolproofCrowded atomic.Bool; ")
	if err != nil {
		return err
	}
	return editPool(s, " if p.poolproofPut(%s) { return };", " if x, done := p.poolproofGet(); done { return x };", " poolproofClean();")
}
