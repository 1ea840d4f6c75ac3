package hotswappeers

import (
	"github.com/puzpuzpuz/xsync/v4"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
	"github.com/poolproof/poolproof/studies/hot-swap/practice"
)

// Large are the ways of sharing a map of 100,000 entries: those of the study
// practice, and RBMutex.
var Large = append(practice.Arms[:len(practice.Arms):len(practice.Arms)],
	practice.Arm{Name: "rbmutex", New: newRBTable, Blocks: true})

// rbTable is one Table behind xsync's RBMutex, emptied and filled while readers
// wait.
type rbTable struct {
	mu    *xsync.RBMutex
	table hotswap.Table
}

func newRBTable(fill func(*hotswap.Table)) hotswap.Container {
	t := &rbTable{mu: xsync.NewRBMutex()}
	t.Replace(fill)
	return t
}

// Lookup implements hotswap.Container.
func (t *rbTable) Lookup(keys []string) (sum int) {
	for _, key := range keys {
		token := t.mu.RLock()
		sum += hotswap.Weight(t.table.Find(key))
		t.mu.RUnlock(token)
	}
	return sum
}

// Read implements hotswap.Container. look must not call Replace.
func (t *rbTable) Read(look func(*hotswap.Table)) {
	token := t.mu.RLock()
	defer t.mu.RUnlock(token)
	look(&t.table)
}

// Replace implements hotswap.Container.
func (t *rbTable) Replace(fill func(*hotswap.Table)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.table.Reset()
	fill(&t.table)
}

// Made implements hotswap.Container.
func (t *rbTable) Made() int { return 1 }
