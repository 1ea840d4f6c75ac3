package unpool_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/golden"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit/edittest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/unpool"
)

// TestEveryForm finds the pool of each package of an archive, takes it out in both
// forms, and compares what it found and wrote with a golden file. Every edited
// module compiles, passes go vet's checks of the compiler, and its tests.
func TestEveryForm(t *testing.T) {
	dir := edittest.Module(t, "testdata/forms.txtar")
	p, err := unpool.Find(t.Context(), unpool.Source{Dir: dir, Patterns: []string{"./..."}, Env: edittest.Env()})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, pool := range p.Pools {
		fmt.Fprintf(&out, "%s %s of %s, holds %s: %d gets, %d puts, %d misses, %d hits\n", pool.ID, pool.Name, pool.Package,
			pool.Holds, len(pool.Gets), len(pool.Puts), len(pool.Misses), len(pool.Hits))
		if pool.Trouble != "" {
			fmt.Fprintf(&out, "trouble: %s\n", pool.Trouble)
			if _, err := p.Edit(pool, unpool.Plain); err == nil {
				t.Errorf("%s: a pool with trouble was taken out", pool.ID)
			}
			continue
		}
		if pool.Remark != "" {
			fmt.Fprintf(&out, "remark: %s\n", pool.Remark)
		}
		for _, form := range []unpool.Form{unpool.Plain, unpool.Written} {
			if form == unpool.Written && pool.PlainOnly != "" {
				fmt.Fprintf(&out, "plain only: %s\n", pool.PlainOnly)
				if _, err := p.Edit(pool, form); err == nil {
					t.Errorf("%s: written where only plain goes", pool.ID)
				}
				continue
			}
			e, err := p.Edit(pool, form)
			if err != nil {
				t.Errorf("%s %s: %v", pool.ID, form, err)
				continue
			}
			for name := range e.Files {
				if filepath.Base(name) == "zz_poolproof.go" {
					delete(e.Files, name) // the same in each
				}
			}
			d, err := e.Diff(p)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s:\n%s", form, d)
		}
		fmt.Fprintln(&out)
	}
	golden.Equal(t, "testdata/forms.golden", out.String())
}

// TestEditsCompile builds all edits of one form at once, but for those of a file that another
// one has changed.
func TestEditsCompile(t *testing.T) {
	dir := edittest.Module(t, "testdata/forms.txtar")
	p, err := unpool.Find(t.Context(), unpool.Source{Dir: dir, Patterns: []string{"./..."}, Env: edittest.Env()})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []unpool.Form{unpool.Plain, unpool.Written} {
		files := map[string][]byte{}
		for _, pool := range p.Pools {
			if pool.Trouble != "" || form == unpool.Written && pool.PlainOnly != "" {
				continue
			}
			e, err := p.Edit(pool, form)
			if err != nil {
				t.Errorf("%s: %v", pool.ID, err)
				continue
			}
			apart := true
			for name, text := range e.Files {
				apart = apart && (files[name] == nil || bytes.Equal(files[name], text)) // what stands for Get and Put is the same
			}
			if apart {
				maps.Copy(files, e.Files)
			}
		}
		if out, err := edittest.Test(t, dir, files, "./..."); err != nil {
			t.Errorf("%s: %v\n%s", form, err, out)
		}
	}
}

// one is the program of one file.
func one(t *testing.T, text string) (p *unpool.Program, file string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err = unpool.Find(t.Context(), unpool.Source{Dir: dir, Patterns: []string{"."}, Env: edittest.Env()})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Pools) == 0 {
		t.Fatal("there is no pool")
	}
	return p, filepath.Join(dir, "p.go")
}

// A file whose lines end as on Windows stays one.
func TestLineEndingsStay(t *testing.T) {
	text := strings.ReplaceAll("package p\n\nimport \"sync\"\n\nvar p = sync.Pool{New: func() any { return new(int) }}\n\nfunc Use() int {\n\tx := p.Get().(*int)\n\tp.Put(x)\n\treturn *x\n}\n", "\n", "\r\n")
	p, file := one(t, text)
	for _, form := range []unpool.Form{unpool.Plain, unpool.Written} {
		e, err := p.Edit(p.Pools[0], form)
		if err != nil {
			t.Fatal(err)
		}
		got := string(e.Files[file])
		if strings.Count(got, "\n") < 6 || strings.Count(got, "\n") != strings.Count(got, "\r\n") {
			t.Errorf("%s: %q", form, got)
		}
	}
}

func TestWhichTestsAskThePool(t *testing.T) {
	dir := edittest.Module(t, "testdata/forms.txtar")
	p, err := unpool.Find(t.Context(), unpool.Source{Dir: dir, Patterns: []string{"./asked", "./global"}, Env: edittest.Env()})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "asked")
	for name, want := range map[string]bool{
		"TestGets": true, "TestPuts": true, "TestItself": true, "TestCounts": true, "TestUses": false, "TestNone": false, "counted": true,
	} {
		if got := p.AsksPool(p.Pools[0], folder, name); got != want {
			t.Errorf("%s asks the pool: %t, want %t", name, got, want)
		}
	}
	if other := p.Pools[1]; p.AsksPool(other, folder, "TestGets") || !p.AsksPool(other, folder, "TestCounts") {
		t.Errorf("of %s the tests of another pool are told wrongly", other.ID)
	}
}

func TestAnOptionThatIsOfNoKnownPool(t *testing.T) {
	p, err := unpool.Find(t.Context(), unpool.Source{Dir: edittest.Module(t, "testdata/unplaced.txtar"), Patterns: []string{"."}, Env: edittest.Env()})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Pools) != 1 || !strings.Contains(p.Pools[0].Trouble, "it is not known which") {
		t.Errorf("%+v", p.Pools)
	}
}

// An index has no use without the pools, and a statement that would use it no place.
func TestAVariableThatNothingWouldUse(t *testing.T) {
	p, _ := one(t, `package p

import "sync"

var pools = [1]sync.Pool{{New: func() any { return new(int) }}}

func Use(n int) *int {
	i := n - n
	return pools[i].Get().(*int)
}
`)
	if _, err := p.Edit(p.Pools[0], unpool.Written); err == nil || !strings.Contains(err.Error(), "nothing would use i") {
		t.Error(err)
	}
	if _, err := p.Edit(p.Pools[0], unpool.Plain); err != nil {
		t.Error(err)
	}
}

// The go command compiles a copy of a file with cgo, whose Put cannot be taken out.
func TestAPutWithCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("cgo needs a C compiler: ", err)
	}
	dir := edittest.Module(t, "testdata/cgo.txtar")
	p, err := unpool.Find(t.Context(), unpool.Source{Dir: dir, Patterns: []string{"."}, Env: append(edittest.Env(), "CGO_ENABLED=1")})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Pools) != 1 || !strings.Contains(p.Pools[0].Trouble, "cgo") {
		t.Errorf("%+v", p.Pools)
	}
}
