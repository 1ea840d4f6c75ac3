package finding

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Sites knows which code is whose: it finds the frame of a stack that a user
// looks for, and the files of code that was built with -trimpath.
type Sites struct {
	Root string            // GOROOT
	Std  map[string]bool   // import paths of the standard library
	Dirs map[string]string // folders of packages, by the path that -trimpath gives them
}

// Lead returns the first frame outside of the standard library; where there is
// none (a test of the standard library itself), the first one outside of the
// runtime and of sync.
func (s *Sites) Lead(stack []record.Frame) record.Frame {
	if i := slices.IndexFunc(stack, s.users); i >= 0 {
		return stack[i]
	}
	for _, f := range stack {
		if p := PackageOf(f.Func); p != "runtime" && p != "sync" && !strings.HasPrefix(p, "internal/") {
			return f
		}
	}
	if len(stack) > 0 {
		return stack[0]
	}
	return record.Frame{}
}

// put is the first frame of the user's of the Put. What has no earlier Put, a
// nil pointer, is put where it was noticed.
func (s *Sites) put(r *Report) record.Frame {
	if len(r.Put) > 0 {
		return s.Lead(r.Put)
	}
	return s.Lead(r.Access)
}

// Site is the place that the reports of one bug have in common. It is the call
// that leads to the Put, in the innermost function that did both, put the object
// and led to the access:
//
//	func encode() {
//		e.close()  // here, not in close, which all others call as well
//		e.len()
//	}
//
// Where no function did both, it is the place of the Put; and also where that
// function is a test of code that puts by itself: what many tests see may well be one bug of the
// code. The place of a Put in a wrapper of a pool is the call of the wrapper, see [Sites.wrapped].
func (s *Sites) Site(r *Report) record.Frame {
	lead := s.wrapped(s.put(r), r.Put)
	if r.Kind == record.LeftOver {
		if lead.Func == "" && len(r.Tests) > 0 {
			return record.Frame{Func: r.Tests[0].String()}
		}
		return lead
	}
	put, access := s.Own(r.Put), s.Own(r.Access)
	var site record.Frame
	for i, j := len(put)-1, len(access)-1; i >= 0 && j >= 0 && enclosing(put[i].Func) == enclosing(access[j].Func); i, j = i-1, j-1 {
		site = put[i]
		if put[i].Line != access[j].Line {
			break // from here on they are different calls
		}
	}
	if site.Func == "" || isTestFile(site.File) && !isTestFile(lead.File) {
		return lead
	}
	return site
}

// wrapped is the call that leads to lead where that is in a wrapper of a pool, which puts what
// others give it: a generic function, or one of another package than its caller. All Puts of a
// program may come through one wrapper, so its own place says nothing of which bug it is.
func (s *Sites) wrapped(lead record.Frame, put []record.Frame) record.Frame {
	own := s.Own(put)
	for i, f := range own {
		if f != lead || i+1 == len(own) {
			continue
		}
		caller := own[i+1]
		if strings.Contains(f.Func, "[...]") && !strings.Contains(caller.Func, "[...]") || PackageOf(f.Func) != PackageOf(caller.Func) && !isTestFile(caller.File) {
			lead = caller
			continue
		}
		break
	}
	return lead
}

// enclosing is the function that a function literal stands in; other functions
// are as they are.
func enclosing(fun string) string {
	slash := strings.LastIndexByte(fun, '/') + 1
	if i := strings.Index(fun[slash:], ".func"); i >= 0 {
		return fun[:slash+i]
	}
	return fun
}

// withoutTypes is a function name without the types that a generic one has got:
// pool.(*Pool[...]).Put.
func withoutTypes(fun string) string {
	from, to := strings.IndexByte(fun, '['), strings.LastIndexByte(fun, ']')
	if from < 0 || to < from {
		return fun
	}
	return fun[:from] + "[...]" + fun[to+1:]
}

func isTestFile(name string) bool { return strings.HasSuffix(name, "_test.go") }

// Own returns the frames of a stack that are of interest: the standard
// library's below the test, and the runtime's, left out.
func (s *Sites) Own(stack []record.Frame) []record.Frame {
	own := slices.DeleteFunc(slices.Clone(stack), func(f record.Frame) bool { return !s.users(f) })
	if len(own) == 0 && len(stack) > 0 {
		own = append(own, s.Lead(stack))
	}
	return own
}

// through is the function of the standard library that the user's code called and that
// touched the memory: the last one above the user's first frame. It is "" where
// the user's own code did it, by itself or through the runtime.
func (s *Sites) through(stack []record.Frame) string {
	name := ""
	for _, f := range stack {
		if s.users(f) {
			return name
		}
		if p := PackageOf(f.Func); p != "runtime" && p != "sync" && p != "testing" && !strings.HasPrefix(p, "internal/") {
			name = f.Func
		}
	}
	return ""
}

// StdGet reports whether a Get was called by the standard library.
func (s *Sites) StdGet(stack []record.Frame) bool { return s.stdGetter(stack) != record.Frame{} }

// OfProgram reports whether a pool is none of the standard library's.
func (s *Sites) OfProgram(p record.Pool) bool {
	return !s.StdGet(p.Get) && !strings.HasPrefix(p.Type, "*fmt.")
}

// stdGetter returns the frame that called sync.Pool.Get, if that is code of the
// standard library.
func (s *Sites) stdGetter(stack []record.Frame) record.Frame {
	for _, f := range stack {
		switch p := PackageOf(f.Func); {
		case p == "sync" || p == "runtime":
		case s.std(f):
			return f
		default:
			return record.Frame{}
		}
	}
	return record.Frame{}
}

// users reports whether a frame is of the user's code: neither of the standard
// library nor of ours.
func (s *Sites) users(f record.Frame) bool {
	return !s.std(f) && (!inLibrary(PackageOf(f.Func)) || isTestFile(f.File))
}

// library are the packages of ours whose pools the user's code calls: their frames lead
// from its Put to what the sanitizer hooks. The runtime has the same list.
var library = []string{"buffer", "buffer/adapt", "hotswap", "internal", "mark", "pool"}

func inLibrary(pkg string) bool {
	name, ours := strings.CutPrefix(pkg, "github.com/poolproof/poolproof/")
	return ours && (slices.Contains(library, name) || strings.HasPrefix(name, "hotswap/") || strings.HasPrefix(name, "internal/"))
}

func (s *Sites) key(r *Report) string {
	return fmt.Sprint(r.Suppressed != nil, r.Kind, r.Severity, s.Lead(r.Access), s.put(r), s.Site(r))
}

func (s *Sites) std(f record.Frame) bool {
	p := PackageOf(f.Func)
	if s.Std[p] || filepath.Base(f.File) == "_testmain.go" || f.File == "<autogenerated>" {
		return true
	}
	return s.Root != "" && strings.HasPrefix(f.File, filepath.Join(s.Root, "src")+string(filepath.Separator))
}

// PackageOf is the import path of a function of a stack, as "example.com/app" of
// "example.com/app.(*T).Method": a package's tests from outside count as its own.
func PackageOf(fun string) string { return strings.TrimSuffix(profile.PackageOf(fun), "_test") }

// resolve gives frames the names of functions as Go's own tracebacks have them,
// and the files that they come from: with -trimpath a stack names
// example.com/app@v1.2.3/sub/file.go.
func (s *Sites) resolve(stack []record.Frame) []record.Frame {
	for i, f := range stack {
		stack[i].Func = withoutTypes(f.Func)
		if f.File == "" || filepath.IsAbs(f.File) {
			continue
		}
		if dir, ok := s.Dirs[path.Dir(f.File)]; ok {
			stack[i].File = filepath.Join(dir, path.Base(f.File))
		}
	}
	return stack
}
