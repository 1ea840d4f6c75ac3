package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Padded makes a padded build of the plain binary whose digest is plain. One that
// an earlier run has linked of the same binary is taken from the user's cache.
func (t *Target) Padded(ctx context.Context, layout int, engine study.Engine, plain string) (study.Binary, error) {
	b := t.describe(layout)
	kept := keptOf(plain, layout, t.Chain.Version, t.Chain.Flags())
	if sum, ok := kept.take(t.binary(b.ID)); ok {
		b.SHA256 = sum
		return b, nil
	}
	b, err := t.Build(ctx, layout, engine)
	if err == nil {
		kept.put(t.binary(b.ID), b.SHA256)
	}
	return b, err
}

// kept is a padded build in the user's cache. The name of its file is what it was
// made of, and the digest of what it holds: a file that is damaged is none.
type kept struct {
	dir, key string
}

// mostKept is how many bytes of padded builds stay in the cache: those of some
// dozen pairs of binaries.
const mostKept = 2 << 30

// keptOf names a padded build: the plain binary says what is linked, the rest how.
func keptOf(plain string, layout int, toolchain string, flags []string) kept {
	cache, err := os.UserCacheDir()
	if err != nil || plain == "" {
		return kept{}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %s %q", plain, layout, duet.Layouts, toolchain, flags))
	return kept{filepath.Join(cache, "poolproof", "padded"), hex.EncodeToString(sum[:16])}
}

// take puts the build where a binary belongs, if the cache has it.
func (k kept) take(name string) (sum string, ok bool) {
	if k.dir == "" {
		return "", false
	}
	found, _ := filepath.Glob(filepath.Join(k.dir, k.key+"-*")) // the pattern is well-formed
	for _, file := range found {
		_, sum, _ := strings.Cut(filepath.Base(file), "-")
		if os.Remove(name); duplicate(file, name) != nil || duet.Verify(name, sum) != nil {
			os.Remove(name)
			os.Remove(file)
			continue
		}
		now := time.Now()
		_ = os.Chtimes(file, now, now) // the oldest goes first
		return sum, true
	}
	return "", false
}

// put keeps a build. A cache that cannot be written is as good as none.
func (k kept) put(name, sum string) {
	if k.dir == "" || os.MkdirAll(k.dir, 0o777) != nil {
		return
	}
	file := filepath.Join(k.dir, k.key+"-"+sum)
	if !Exists(file) {
		part := fmt.Sprintf("%s.%d", file, os.Getpid())
		defer os.Remove(part)
		if duplicate(name, part) != nil || os.Rename(part, file) != nil {
			return
		}
	}
	prune(k.dir, mostKept)
}

// duplicate gives a file a second name, or copies it where the file system has
// no links.
func duplicate(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return cmp.Or(err, out.Close())
}

// prune removes the files that were used longest ago until the others have no
// more than most bytes.
func prune(dir string, most int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var infos []fs.FileInfo
	whole := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			infos = append(infos, info)
			whole += info.Size()
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range infos {
		if whole <= most {
			return
		}
		if os.Remove(filepath.Join(dir, info.Name())) == nil {
			whole -= info.Size()
		}
	}
}
