package toolchain

import (
	"bytes"
	"encoding/json"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/rt"
)

func TestSourcesOfTheRuntimeAreFormattedAndHaveShortNames(t *testing.T) {
	files, err := fs.Glob(rt.Source, "*/*.go.txt")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		text, err := rt.Source.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
			t.Errorf("%s: gofmt would change it (%v)", name, err)
		}
		err = eachDeclared(name, text, func(id string) {
			if strings.HasPrefix(id, prefix) {
				t.Errorf("%s: %s has its prefix from the program", name, id)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestNamesGetTheirPrefixWhereTheyAreOurs(t *testing.T) {
	a := added{"sync", map[string]bool{}}
	for _, name := range []string{"Keep", "On", "PutHook", "msanread", "PoolproofEnter"} {
		a.add(name)
	}
	if a.names["msanread"] || a.names["PoolproofEnter"] {
		t.Error("a name that the compiler or an edited file knows would be changed")
	}
	for directive, want := range map[string]string{
		"//go:linkname On runtime.On":              "//go:linkname poolproofOn runtime.poolproofOn",
		"//go:linkname PutHook":                    "//go:linkname poolproofPutHook",
		"//go:linkname Keep internal/msan.Read":    "//go:linkname poolproofKeep internal/msan.Read",
		"//go:linkname other sync.runtime_canSpin": "//go:linkname other sync.runtime_canSpin",
	} {
		if got := a.linkname(directive); got != want {
			t.Errorf("%s: %s", directive, got)
		}
	}
	text, err := a.file("pool.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"poolproofKeep(p, x)", "func (p *Pool) poolproofPut(x any) (done bool) {", "if poolproofPutHook(unsafe.Pointer(p), x) {", "var poolproofOn bool"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the file of sync has not %q", want)
		}
	}
}

// go vet reads the packages of the toolchain as they are built for a program under test.
func TestSourcesOfTheRuntimeAreVetted(t *testing.T) {
	if testing.Short() {
		t.Skip("go vet reads the runtime")
	}
	platform, err := Lookup(runtime.GOOS, runtime.GOARCH)
	if err != nil {
		t.Skip(err)
	}
	root := goroot(t)
	files, err := edited(Config{GOROOT: root, GOOS: runtime.GOOS, GOARCH: runtime.GOARCH}, platform.Form)
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	dir := t.TempDir()
	for name, text := range files {
		rel, err := filepath.Rel(root, name)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, strings.ReplaceAll(rel, string(filepath.Separator), "_"))
		if err := os.WriteFile(to, text, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[name] = to
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o666); err != nil {
		t.Fatal(err)
	}
	// The checks that the Go project runs on its own runtime.
	cmd := exec.Command("go", "vet", "-overlay="+overlay, "-unsafeptr=false", "-asmdecl=false", "runtime", "sync", "testing", "internal/race", "internal/msan", "internal/runtime/maps")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
