package fields

import (
	"runtime"
	"sync"
)

// Build joins the facts of all packages of a build.
type Build struct {
	pkgs  map[string]*Package
	facts map[string]*Facts
}

// Scan reads all packages of a build.
//
// Files that cannot be read or parsed are passed over: the compiler will tell.
// actual says where the text of a file is (an overlay may have replaced it).
func Scan(pkgs []Package, actual func(file string) string, c *Cache) *Build {
	l := newLoader(pkgs, actual)
	facts := make([]*Facts, len(pkgs))
	work := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range work {
				facts[i] = c.facts(l, &pkgs[i])
			}
		})
	}
	for i := range pkgs {
		if !pkgs[i].Standard {
			work <- i
		}
	}
	close(work)
	wg.Wait()
	b := &Build{pkgs: l.pkgs, facts: map[string]*Facts{}}
	for i := range pkgs {
		if facts[i] != nil {
			b.facts[pkgs[i].Path] = facts[i]
		}
	}
	return b
}

// Link joins what the packages of one test binary say: the package, its tests, and all
// that they import.
func (b *Build) Link(path string) Result {
	var all []*Facts
	seen := map[string]bool{}
	var add func(path string)
	add = func(path string) {
		p := b.pkgs[path]
		if p == nil || seen[path] || p.Standard {
			return
		}
		seen[path] = true
		if f := b.facts[path]; f != nil {
			all = append(all, f)
		}
		for _, i := range p.Imports {
			add(i)
		}
	}
	add(path)
	add(path + "_test")
	return link(all)
}
