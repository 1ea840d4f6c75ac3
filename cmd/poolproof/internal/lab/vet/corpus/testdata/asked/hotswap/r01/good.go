// Right: guide: writer and reader
package r01

import (
	"bufio"
	"github.com/poolproof/poolproof/hotswap"
	"io"
	"strings"
)

type Index struct{ rows map[string]string }

func (x *Index) Load(r io.Reader) error {
	s := bufio.NewScanner(r)
	for s.Scan() {
		k, v, _ := strings.Cut(s.Text(), "=")
		x.rows[k] = v
	}
	return s.Err()
}

var pool = hotswap.NewPool(hotswap.Options[Index]{
	New:   func() *Index { return &Index{rows: map[string]string{}} },
	Reset: func(x *Index) bool { clear(x.rows); return true },
})
var index = hotswap.New(pool)

func Load(r io.Reader) error {
	draft := pool.Get()
	defer draft.Discard()
	if err := draft.Value().Load(r); err != nil {
		return err
	}
	return index.Update(&draft)
}

func Find(key string) string {
	ref := index.Acquire()
	defer ref.Release()
	if ref.Ok() {
		return ref.Value().rows[key]
	}
	return ""
}
