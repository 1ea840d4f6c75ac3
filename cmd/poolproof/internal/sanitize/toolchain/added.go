package toolchain

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/rt"
)

// editor collects the files.
type editor struct {
	src   string // of the toolchain
	files map[string][]byte
}

func (e *editor) path(file string) string { return filepath.Join(e.src, filepath.FromSlash(file)) }

func (e *editor) put(file string, text []byte) { e.files[e.path(file)] = text }

func (e *editor) edit(file string, change func(*overlay.Source) error) error {
	name := e.path(file)
	text, err := os.ReadFile(name)
	if err != nil {
		return &AnchorError{File: name, Err: err}
	}
	s, err := overlay.Parse(name, text)
	if err != nil {
		return err
	}
	if err := change(s); err != nil {
		return err
	}
	e.put(file, s.Bytes())
	return nil
}

// add adds the files of a folder of package rt to a package.
func (e *editor) add(folder, pkg string) error {
	files, err := fs.ReadDir(rt.Source, folder)
	if err != nil {
		return err
	}
	a, err := newAdded(folder, nil)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := a.file(f.Name())
		if err != nil {
			return err
		}
		// Without its last underscore the name could be that of a test.
		e.put(pkg+"/"+prefix+"_"+strings.TrimSuffix(f.Name(), ".go.txt")+"_.go", text)
	}
	return nil
}

// assembly adds an empty file of assembly to packages: without one the compiler
// refuses functions without a body.
func (e *editor) assembly(pkgs ...string) error {
	empty, err := rt.Source.ReadFile("empty.s.txt")
	if err != nil {
		return err
	}
	for _, pkg := range pkgs {
		e.put(pkg+"/"+prefix+"_empty.s", empty)
	}
	return nil
}

// common are the files of the runtime that each system and form gets.
var common = []string{"state", "start", "host", "hooks", "stack", "put", "get", "access", "worker", "free", "test", "report", "ignore", "exit", "kept", "mark", "local", "pass", "left", "maker", "life", "charge", "lifelog"}

// systems are those that a system gets beside the common ones, and beside those
// that depend on the version. Names that end in .s are assembly.
var systems = map[string][]string{
	"linux":   {"os_posix", "os_linux"},
	"darwin":  {"os_posix", "os_darwin", "pid_darwin_$GOARCH.s"},
	"freebsd": {"os_posix", "os_freebsd", "pid_freebsd_$GOARCH.s"},
	"windows": {"os_windows"},
}

// runtimeFiles adds package core and the hooks to the runtime.
func (e *editor) runtimeFiles(c Config, form string) error {
	files, err := coreFiles()
	if err != nil {
		return err
	}
	names := append(slices.Clone(common), systems[c.GOOS]...)
	if form == FormRace {
		names = append(names, "racehooks")
	}
	memory, err := e.variant("runtime/mem_linux.go", "sysReserveOS", func(f *ast.FuncDecl) string {
		switch f.Type.Params.NumFields() {
		case 2:
			return "memory_plain"
		case 3:
			return "memory_named"
		}
		return ""
	})
	if err != nil {
		return err
	}
	names = append(names, memory)
	here, frames, unwound := "poolproofFrame{sys.GetCallerPC(), sys.GetCallerSP()}", "frames_unwound", true
	if c.GOARCH == "amd64" || c.GOARCH == "arm64" {
		here, frames, unwound = "poolproofFrame(getfp())", "frames_pointer", false
	}
	names = append(names, frames)
	if c.GOARCH == "amd64" {
		names = append(names, "each_assembly", "each_$GOARCH.s")
	} else {
		names = append(names, "each")
	}
	if c.GOOS == "windows" {
		call, err := e.variant("runtime/os_windows.go", "stdcall", func(f *ast.FuncDecl) string {
			if n := len(f.Type.Params.List); n == 2 {
				return "stdcall_variadic"
			}
			return "stdcall_numbered"
		})
		if err != nil {
			return err
		}
		names = append(names, call)
	}
	files[prefix+"_form.go"] = fmt.Appendf(nil, "package runtime\n\nconst poolproofForm = %q\n", form)
	if files[prefix+"_words.go"], err = wordsFile(); err != nil {
		return err
	}
	a, err := newAdded("runtime", files)
	if err != nil {
		return err
	}
	a.add("Here") // see below
	for _, name := range names {
		name, ext := strings.ReplaceAll(name, "$GOARCH", c.GOARCH), ".go"
		if trimmed, ok := strings.CutSuffix(name, ".s"); ok {
			name, ext = trimmed, ".s"
		}
		text, err := a.file(name + ext + ".txt")
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("poolproofHere()")) {
			text = bytes.ReplaceAll(text, []byte("poolproofHere()"), []byte(here))
			if unwound {
				text = bytes.Replace(text, []byte("package runtime\n"), []byte("package runtime\n\nimport \"internal/runtime/sys\"\n"), 1)
			}
		}
		// A name that ended in a system would be a build constraint.
		files[prefix+"_rt_"+name+"_"+ext] = text
	}
	for name, text := range files {
		e.put("runtime/"+name, text)
	}
	return nil
}

// variant returns which of several files goes with this version's shape of
// a function.
func (e *editor) variant(file, function string, which func(*ast.FuncDecl) string) (string, error) {
	name := e.path(file)
	text, err := os.ReadFile(name)
	if err != nil {
		return "", &AnchorError{File: name, Err: err}
	}
	s, err := overlay.Parse(name, text)
	if err != nil {
		return "", err
	}
	if f := s.Func(function); f != nil {
		if v := which(f); v != "" {
			return v, nil
		}
	}
	return "", s.Missing("function " + function + " of a known kind")
}

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
