package experiment

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/cover"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
)

// reach tells, by coverage counts, which functions of the package under test
// a benchmark runs in each of its operations. Counts are exact where a CPU
// profile would have to be lucky. Test files are not counted: code under
// study belongs outside of them.
type reach struct {
	t      *target
	binary string
	funcs  map[string]function
	counts map[string]map[string]int // leaf -> function -> runs in reachOps operations
	facts  []oracle.Fact
	asked  bool
}

// function is where a function's body lies.
type function struct {
	file       string // base name
	start, end int    // lines
	col        int    // of the opening brace
}

// reachOps is by how many operations the two runs differ whose counts are
// subtracted: what the set-up runs is in both and cancels out.
const reachOps = 20

func (t *target) newReach(ctx context.Context) (*reach, error) {
	r := &reach{t: t, binary: filepath.Join(t.scratch, "cover.test"), funcs: map[string]function{}, counts: map[string]map[string]int{}}
	fset := token.NewFileSet()
	for _, name := range t.pkg.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(t.pkg.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, exitcode.Errorf(exitcode.Build, "%w", err)
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				start := fset.Position(fd.Body.Lbrace)
				r.funcs[functionName(fd)] = function{name, start.Line, fset.Position(fd.End()).Line, start.Column}
			}
		}
	}
	args := []string{"test", "-c", "-covermode=count", "-coverpkg=.", "-o", r.binary}
	if t.tags != "" {
		args = append(args, "-tags="+t.tags)
	}
	if _, err := t.chain.Go(ctx, t.pkg.Dir, append(args, ".")...); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, exitcode.Errorf(exitcode.Build, "%s does not compile with coverage:\n%w", t.pkg.Path, err)
	}
	return r, nil
}

// functionName is "name" or "Type.name".
func functionName(fd *ast.FuncDecl) string {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return fd.Name.Name
	}
	typ := fd.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name + "." + fd.Name.Name
		default:
			return fd.Name.Name
		}
	}
}

// missed returns which of the functions the benchmark does not run at least
// once an operation.
func (r *reach) missed(ctx context.Context, leaf string, functions []string) ([]string, error) {
	if len(functions) == 0 {
		return nil, nil
	}
	for _, f := range functions {
		if _, ok := r.funcs[f]; !ok {
			return nil, exitcode.Errorf(exitcode.Usage, "reaches: %s has no function %s outside of its test files", r.t.pkg.Path, f)
		}
	}
	counts, ok := r.counts[leaf]
	if !ok {
		few, err := r.count(ctx, leaf, 1+reachOps)
		if err != nil {
			return nil, err
		}
		many, err := r.count(ctx, leaf, 1+2*reachOps)
		if err != nil {
			return nil, err
		}
		counts = map[string]int{}
		for name := range r.funcs {
			counts[name] = many[name] - few[name]
		}
		r.counts[leaf] = counts
	}
	var missed []string
	for _, f := range functions {
		if counts[f] < reachOps {
			missed = append(missed, f)
		}
	}
	return missed, nil
}

// count runs n operations and returns how often each function was entered.
func (r *reach) count(ctx context.Context, leaf string, n int) (map[string]int, error) {
	out := filepath.Join(r.t.scratch, "cover.out")
	os.Remove(out)
	cmd := exec.CommandContext(ctx, r.binary, "-test.run=^$", "-test.bench="+duet.Pattern(leaf),
		"-test.benchtime="+strconv.Itoa(n)+"x", "-test.coverprofile="+out, "-test.timeout=5m")
	cmd.Dir = r.t.pkg.Dir
	if b, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
		return nil, exitcode.Errorf(exitcode.Build, "%s fails with coverage: %s", leaf, line)
	}
	profiles, err := cover.ParseProfiles(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil, exitcode.Errorf(exitcode.Build, "%s wrote no coverage profile: does its TestMain call os.Exit without m.Run?", leaf)
	}
	if err != nil {
		return nil, fmt.Errorf("coverage profile of %s: %w", leaf, err)
	}
	counts := map[string]int{}
	for _, p := range profiles {
		file := path.Base(p.FileName)
		for name, f := range r.funcs {
			if f.file != file {
				continue
			}
			for _, b := range p.Blocks {
				if b.StartLine == f.start && b.StartCol >= f.col {
					counts[name] = b.Count
					break
				}
			}
		}
	}
	return counts, nil
}

// maxFacts bounds the compiler's lines in a verdict.
const maxFacts = 6

// escapes returns what the compiler says of allocations inside the functions.
func (r *reach) escapes(ctx context.Context, functions []string) ([]string, error) {
	if !r.asked {
		r.asked = true
		var err error
		if r.facts, err = oracle.Escapes(ctx, r.t.chain, r.t.pkg.Dir, r.t.tags); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, exitcode.Errorf(exitcode.Build, "%s: %w", r.t.pkg.Path, err)
		}
	}
	var lines []string
	for _, fact := range r.facts {
		for _, name := range functions {
			f := r.funcs[name]
			if fact.File == f.file && f.start <= fact.Line && fact.Line <= f.end && len(lines) < maxFacts {
				lines = append(lines, fact.String())
				break
			}
		}
	}
	return lines, nil
}
