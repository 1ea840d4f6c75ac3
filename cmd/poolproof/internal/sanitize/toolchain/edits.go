package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/rt"
)

// edited returns all files of the overlay: copies of the toolchain's with our
// edits, and those that we add.
//
// Anchors:
//
//	runtime/msan0.go             the constant that says that the memory sanitizer is on
//	internal/msan/nomsan.go      the same for other packages, and what they call
//	runtime/runtime2.go          two more fields in g
//	runtime/proc.go              newproc1 hands the test on; main arms; runExitHooks sums up
//	sync/pool.go                 one statement at the start of Put, and one of Get
//	internal/race/norace.go      Errors, which package testing asks
//	testing/testing.go           tRunner says which test runs; the text of the failure
//	testing/benchmark.go         runN says which benchmark runs
//
// Where they are found, strings are watched better:
//
//	runtime/string.go                       concatenation, conversion
//	internal/runtime/maps/runtime_faststr*.go  keys
//
// Edits add no line, so that positions in the toolchain stay as they are.
func edited(c Config, form string) (map[string][]byte, error) {
	e := &editor{src: filepath.Join(c.GOROOT, "src"), files: map[string][]byte{}}
	for _, anchor := range []struct {
		file string
		edit func(*overlay.Source) error
	}{
		{"runtime/msan0.go", e.msanEnabled},
		{"internal/msan/nomsan.go", msanPackage},
		{"runtime/runtime2.go", goroutineFields},
		{"runtime/proc.go", runtimeProc},
		{"sync/pool.go", syncPool},
		{"internal/race/norace.go", raceErrors},
		{"testing/testing.go", testingRunner},
		{"testing/benchmark.go", benchmarkRunner},
	} {
		if err := e.edit(anchor.file, anchor.edit); err != nil {
			return nil, err
		}
	}
	if err := e.optional("runtime/string.go", runtimeStrings); err != nil {
		return nil, err
	}
	for _, file := range keyFiles {
		if err := e.optional(file, mapKeys); err != nil {
			return nil, err
		}
	}
	if err := e.runtimeFiles(c, form); err != nil {
		return nil, err
	}
	for _, pkg := range []string{"sync", "internal/race", "testing"} {
		if err := e.add(pkg); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(keyFiles, e.has) {
		if err := e.add("internal/runtime/maps"); err != nil {
			return nil, err
		}
	}
	for _, pkg := range []string{"sync", "internal/race", "internal/msan", "testing"} {
		empty, err := rt.Source.ReadFile("empty.s.txt")
		if err != nil {
			return nil, err
		}
		e.put(pkg+"/"+prefix+"_empty.s", empty)
	}
	return e.files, nil
}

// keyFiles are where maps with string keys are found, in one version or another.
var keyFiles = []string{"internal/runtime/maps/runtime_faststr.go", "internal/runtime/maps/runtime_faststr_swiss.go"}

// editor collects the files.
type editor struct {
	src   string // of the toolchain
	files map[string][]byte
}

func (e *editor) path(file string) string { return filepath.Join(e.src, filepath.FromSlash(file)) }

func (e *editor) put(file string, text []byte) { e.files[e.path(file)] = text }

func (e *editor) has(file string) bool { return e.files[e.path(file)] != nil }

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

// optional edits a file as long as it has the anchors.
func (e *editor) optional(file string, change func(*overlay.Source) error) error {
	if err := e.edit(file, change); err != nil && !errors.Is(err, overlay.ErrAnchor) {
		return err
	}
	return nil
}

// folders says where the files for a package are, in package rt.
var folders = map[string]string{
	"sync": "sync", "internal/race": "race", "testing": "testing", "internal/runtime/maps": "maps",
}

// add adds the files for a package.
func (e *editor) add(pkg string) error {
	files, err := fs.ReadDir(rt.Source, folders[pkg])
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := rt.Source.ReadFile(folders[pkg] + "/" + f.Name())
		if err != nil {
			return err
		}
		// Without its last underscore the name could be that of a test.
		e.put(pkg+"/"+prefix+"_"+strings.TrimSuffix(f.Name(), ".go.txt")+"_.go", text)
	}
	return nil
}

// common are the files of the runtime that each system and form gets.
var common = []string{"state", "start", "host", "hooks", "stack", "put", "get", "access", "worker", "free", "test", "report", "ignore", "exit", "mark"}

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
	for _, name := range names {
		name, ext := strings.ReplaceAll(name, "$GOARCH", c.GOARCH), ".go"
		if trimmed, ok := strings.CutSuffix(name, ".s"); ok {
			name, ext = trimmed, ".s"
		}
		text, err := rt.Source.ReadFile("runtime/" + name + ext + ".txt")
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
	files[prefix+"_form.go"] = fmt.Appendf(nil, "package runtime\n\nconst poolproofForm = %q\n", form)
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

// constant returns the value of a package-level constant's declaration.
func constant(s *overlay.Source, name string) ast.Expr {
	for _, d := range s.File().Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			if v := spec.(*ast.ValueSpec); len(v.Names) == 1 && v.Names[0].Name == name && len(v.Values) == 1 {
				return v.Values[0]
			}
		}
	}
	return nil
}

func turnOn(s *overlay.Source, name string) error {
	v := constant(s, name)
	if v == nil || s.Code(v) != "false" {
		return s.Missing("constant " + name + " that is false")
	}
	s.Replace(v.Pos(), v.End(), "true")
	return nil
}

// msanEnabled turns the constant on and takes the functions away, which the
// hooks replace.
func (e *editor) msanEnabled(s *overlay.Source) error {
	if err := turnOn(s, "msanenabled"); err != nil {
		return err
	}
	for _, name := range []string{"msanread", "msanwrite", "msanmalloc", "msanfree", "msanmove"} {
		f := s.Func(name)
		if f == nil {
			return s.Missing("function " + name)
		}
		s.Replace(f.Pos(), f.End(), "")
	}
	// The file's import is of no use any more, but must be used.
	s.Insert(s.File().End(), "\nvar _ unsafe.Pointer\n")
	return nil
}

// msanPackage turns the constant on, and makes Read and Write those of the
// runtime.
func msanPackage(s *overlay.Source) error {
	if err := turnOn(s, "Enabled"); err != nil {
		return err
	}
	for _, name := range []string{"Read", "Write"} {
		f := s.Func(name)
		if f == nil {
			return s.Missing("function " + name)
		}
		s.Replace(f.Body.Pos(), f.Body.End(), strings.Repeat("\n", strings.Count(s.Code(f.Body), "\n")))
	}
	return nil
}

func goroutineFields(s *overlay.Source) error {
	var fields *ast.FieldList
	ast.Inspect(s.File(), func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok && t.Name.Name == "g" {
			if st, ok := t.Type.(*ast.StructType); ok {
				fields = st.Fields
			}
		}
		return fields == nil
	})
	if fields == nil {
		return s.Missing("struct g")
	}
	s.Insert(fields.Closing, "poolproofTest, poolproofNil uint32; poolproofBirth uintptr; ")
	return nil
}

// only returns the one statement below a function with that text.
func only(s *overlay.Source, function, code string) (ast.Stmt, error) {
	f := s.Func(function)
	if f == nil {
		return nil, s.Missing("function " + function)
	}
	found := s.Statements(f.Body, code)
	if len(found) != 1 {
		return nil, s.Missing(fmt.Sprintf("function %s with one %q", function, code))
	}
	return found[0], nil
}

func runtimeProc(s *overlay.Source) error {
	born, err := only(s, "newproc1", "newg.startpc = fn.fn")
	if err != nil {
		return err
	}
	s.Insert(born.End(), "; poolproofNewG(newg, callergp)")
	armed, err := only(s, "main", "gcenable()")
	if err != nil {
		return err
	}
	s.Insert(armed.End(), "; poolproofStart()")
	f := s.Func("runExitHooks")
	if f == nil {
		return s.Missing("function runExitHooks")
	}
	s.Insert(f.Body.Lbrace+1, " poolproofExit();")
	return nil
}

func syncPool(s *overlay.Source) error {
	put, get := s.Method("Pool", "Put"), s.Method("Pool", "Get")
	if put == nil || len(put.Type.Params.List) != 1 || len(put.Type.Params.List[0].Names) != 1 ||
		put.Recv.List[0].Names == nil || put.Recv.List[0].Names[0].Name != "p" {
		return s.Missing("method (p *Pool) Put with one parameter")
	}
	if get == nil || get.Recv.List[0].Names == nil || get.Recv.List[0].Names[0].Name != "p" {
		return s.Missing("method (p *Pool) Get")
	}
	x := put.Type.Params.List[0].Names[0].Name
	s.Insert(put.Body.Lbrace+1, " if poolproofOn { p.poolproofPut("+x+"); return };")
	s.Insert(get.Body.Lbrace+1, " if poolproofOn { return p.poolproofGet() };")
	return nil
}

func raceErrors(s *overlay.Source) error {
	f := s.Func("Errors")
	if f == nil || len(f.Body.List) != 1 || s.Code(f.Body.List[0]) != "return 0" {
		return s.Missing("function Errors that returns 0")
	}
	s.Replace(f.Body.List[0].Pos(), f.Body.List[0].End(), "return poolproofErrors()")
	return nil
}

func testingRunner(s *overlay.Source) error {
	f := s.Func("tRunner")
	if f == nil || len(f.Type.Params.List) == 0 || len(f.Type.Params.List[0].Names) != 1 || f.Type.Params.List[0].Names[0].Name != "t" {
		return s.Missing("function tRunner of t")
	}
	// The root of all tests runs on the main goroutine: it is no test.
	s.Insert(f.Body.Lbrace+1, ` if t.parent != nil { defer poolproofLeaveTest(poolproofEnterTest(t.name)) };`)
	const text = `"race detected during execution of test"`
	if replaceText(s, text, `"misuse of a sync.Pool during execution of test: see poolproof's findings"`) == 0 {
		return s.Missing("text " + text)
	}
	replaceText(s, `"testing: race detected outside of test execution\n"`, `"testing: misuse of a sync.Pool outside of test execution: see poolproof's findings\n"`)
	return nil
}

func benchmarkRunner(s *overlay.Source) error {
	f := s.Method("B", "runN")
	if f == nil || len(f.Recv.List[0].Names) != 1 || f.Recv.List[0].Names[0].Name != "b" {
		return s.Missing("method (b *B) runN")
	}
	// The root of all benchmarks is no benchmark either, nor what Benchmark runs.
	s.Insert(f.Body.Lbrace+1, ` if b.parent != nil { defer poolproofLeaveTest(poolproofEnterTest(b.name)) };`)
	return nil
}

// replaceText replaces a literal wherever it stands, and returns how often.
func replaceText(s *overlay.Source, from, to string) (n int) {
	ast.Inspect(s.File(), func(node ast.Node) bool {
		if b, ok := node.(*ast.BasicLit); ok && b.Value == from {
			s.Replace(b.Pos(), b.End(), to)
			n++
		}
		return true
	})
	return n
}

// runtimeStrings: string data is taken as read-only by the compiler, which
// does not instrument its reads.
func runtimeStrings(s *overlay.Source) error {
	concat := s.Func("concatstrings")
	toBytes, toRunes := s.Func("stringtoslicebyte"), s.Func("stringtoslicerune")
	if concat == nil || toBytes == nil || toRunes == nil {
		return s.Missing("functions concatstrings, stringtoslicebyte and stringtoslicerune")
	}
	for f, want := range map[*ast.FuncDecl]string{concat: "a []string", toBytes: "s string", toRunes: "s string"} {
		list := f.Type.Params.List
		if len(list) != 2 || s.Code(list[1]) != want {
			return s.Missing("function " + f.Name.Name + " of " + want)
		}
	}
	s.Insert(concat.Body.Lbrace+1, " for _, x := range a { msanread(unsafe.Pointer(unsafe.StringData(x)), uintptr(len(x))) };")
	s.Insert(toBytes.Body.Lbrace+1, " msanread(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)));")
	s.Insert(toRunes.Body.Lbrace+1, " msanread(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)));")
	return nil
}

func mapKeys(s *overlay.Source) error {
	for _, name := range []string{"runtime_mapaccess1_faststr", "runtime_mapaccess2_faststr", "runtime_mapassign_faststr", "runtime_mapdelete_faststr"} {
		f := s.Func(name)
		if f == nil {
			return s.Missing("function " + name)
		}
		list := f.Type.Params.List
		if last := list[len(list)-1]; s.Code(last) != "key string" {
			return s.Missing("function " + name + " of key string")
		}
		s.Insert(f.Body.Lbrace+1, " poolproofKey(key);")
	}
	return nil
}
