package arrowmem_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// under is arrow-go's Go allocator with an allocator of this package below it, so
// that every test of arrow-go that names it uses ours.
const under = `package memory

import "github.com/poolproof/poolproof/systems/arrowlog/arrowmem"

var under = OURS

type GoAllocator struct{}

func NewGoAllocator() *GoAllocator { return &GoAllocator{} }

func (*GoAllocator) Allocate(size int) []byte             { return under.Allocate(size) }
func (*GoAllocator) Reallocate(size int, b []byte) []byte { return under.Reallocate(size, b) }
func (*GoAllocator) Free(b []byte)                        { under.Free(b) }
`

// skipped names the tests of arrow-go 18.8.0 that cannot pass with reused memory.
//
//   - TestGoAllocator_Allocate wants a capacity equal to the length. Ours is that
//     of the size class, which Free needs.
//   - TestConcatenate/list_view and large_list_view read freed memory: their
//     generator (arrow/internal/testing/gen, genListViewData) releases the array
//     whose bytes it puts into the result. They fail in the same way with a Go
//     allocator that only overwrites what is freed.
const skipped = `^TestGoAllocator_Allocate$|^TestConcatenate$/^(large_)?list_view$`

// TestArrowGosOwnTestsPass runs arrow-go's tests of its buffers, arrays, builders
// and IPC streams with our allocators in place of its own.
func TestArrowGosOwnTestsPass(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds and runs arrow-go's tests, some minutes")
	}
	dir, module := t.TempDir(), "github.com/apache/arrow-go/v18"
	source := strings.TrimSpace(run(t, "go", "list", "-m", "-f", "{{.Dir}}", module))
	arrow := filepath.Join(dir, "arrow")
	if err := os.CopyFS(arrow, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	modfile := filepath.Join(dir, "go.mod")
	run(t, "go", "mod", "edit", "-replace", module+"="+arrow, modfile)
	packages := []string{module + "/arrow/memory", module + "/arrow/array", module + "/arrow/ipc"}
	cmd := exec.Command("go", append([]string{"get", "-modfile", modfile, "-t"}, packages...)...)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("the modules that arrow-go's tests need could not be fetched: %v\n%s", err, out)
	}
	for name, ours := range map[string]string{
		"recycler": "arrowmem.NewRecycler(arrowmem.Options{})",
		"guard":    "arrowmem.NewGuard(arrowmem.NewRecycler(arrowmem.Options{}), arrowmem.GuardOptions{})",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(arrow, "arrow", "memory", "go_allocator.go")
			if err := os.Chmod(file, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(strings.Replace(under, "OURS", ours, 1)), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", append([]string{"test", "-modfile", modfile, "-mod=mod", "-vet=off", "-skip", skipped}, packages...)...)
			cmd.Env = append(os.Environ(), "GOWORK=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return string(out)
}
