package sites

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// site is the part of find.json that counts here.
type site struct {
	Package, Function, File, Callee, Type, Expr string
	Line, Column                                int
	Bytes, Objects                              float64

	Kind        string
	ByteShare   float64 `json:"byte_share"`
	ObjectShare float64 `json:"object_share"`
	InPool      bool    `json:"in_pool"`
	Why         string
	Variants    []variant
	Lives       struct{ Class string }
}

// variant is one that find names.
type variant struct {
	Name     string `json:"name"`
	Evidence string `json:"evidence"`
}

// read reads the record of a package; ok is false where there is none.
func (m module) read(root, pkg string) (r record, sites []site, ok bool, err error) {
	data, err := os.ReadFile(m.file(root, pkg))
	if os.IsNotExist(err) {
		return r, nil, false, nil
	}
	if err != nil {
		return r, nil, false, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, nil, false, fmt.Errorf("%s: %w", m.file(root, pkg), err)
	}
	var found struct{ Sites []site }
	if len(r.Found) > 0 {
		if err := json.Unmarshal(r.Found, &found); err != nil {
			return r, nil, false, fmt.Errorf("%s: %w", m.file(root, pkg), err)
		}
	}
	return r, found.Sites, true, nil
}

// sum counts hot sites. Bytes are parts of what the benchmarks of a package
// allocate, added up over packages.
type sum struct {
	sites          int
	bytes, objects float64
}

func (s *sum) add(x site) {
	s.sites++
	s.bytes += x.ByteShare
	s.objects += x.ObjectShare
}

// Text is the tables: a row a package, then what variants there are, at which kinds
// of sites there are none, and how long the objects of all sites live.
func Text(all []module, root string) (string, error) {
	var b strings.Builder
	var hot, tried sum
	by, none, lives := map[string]*sum{}, map[string]*sum{}, map[string]*sum{}
	b.WriteString("| package | benchmarks | seconds | hot sites | their bytes | can be tried: sites | bytes |\n|---|---|---|---|---|---|---|\n")
	var seconds []float64
	for _, m := range all {
		for _, pkg := range m.Packages {
			r, sites, ok, err := m.read(root, pkg)
			if err != nil {
				return "", err
			}
			name := m.Path + strings.TrimPrefix(pkg, ".")
			if !ok {
				fmt.Fprintf(&b, "| %s | not run | | | | | |\n", name)
				continue
			}
			if len(r.Found) == 0 {
				fmt.Fprintf(&b, "| %s | %s | %.0f | | | | |\n", name, said(r.Said), r.Seconds)
				continue
			}
			var ofHot, ofTried sum
			for _, x := range sites {
				ofHot.add(x)
				hot.add(x)
				at(lives, cmp.Or(x.Lives.Class, "not watched")).add(x)
				if len(x.Variants) == 0 {
					at(none, reason(x)).add(x)
					continue
				}
				ofTried.add(x)
				tried.add(x)
				at(by, x.Variants[0].Name+" ("+x.Variants[0].Evidence+")").add(x)
			}
			seconds = append(seconds, r.Seconds)
			fmt.Fprintf(&b, "| %s | %d | %.0f | %d | %.0f %% | %d | %.0f %% |\n", name, benchmarks(r), r.Seconds, ofHot.sites, 100*ofHot.bytes, ofTried.sites, 100*ofTried.bytes)
		}
	}
	if len(seconds) == 0 {
		return b.String(), nil
	}
	slices.Sort(seconds)
	fmt.Fprintf(&b, "\n%s A package takes %.0f s in the median, %.0f s at most.\n", share(hot, tried), seconds[len(seconds)/2], seconds[len(seconds)-1])
	rows(&b, "first variant (evidence)", by, hot)
	rows(&b, "nothing to try", none, hot)
	rows(&b, "class of the objects' lifetime, as observed", lives, hot)
	return b.String(), nil
}

// share is how much of the hot sites can be tried.
func share(hot, tried sum) string {
	return fmt.Sprintf("%d hot sites, %d (%.0f %%) can be tried; of their bytes %.0f %%.",
		hot.sites, tried.sites, 100*float64(tried.sites)/float64(hot.sites), 100*tried.bytes/hot.bytes)
}

// said is the reason why nothing was profiled, without the names of the command and
// the package.
func said(line string) string {
	const most = 60
	if _, why, ok := strings.Cut(line, "no benchmark could be profiled: "); ok {
		_, line, _ = strings.Cut(why, ": ")
		line = "nothing profiled: " + line
	}
	line = strings.ReplaceAll(line, "|", "/")
	if r := []rune(line); len(r) > most {
		line = string(r[:most-1]) + "…"
	}
	return line
}

func benchmarks(r record) (n int) {
	var found struct {
		Packages []struct{ Benchmarks []string }
	}
	_ = json.Unmarshal(r.Found, &found) // it was read before
	for _, p := range found.Packages {
		n += len(p.Benchmarks)
	}
	return n
}

func at(sums map[string]*sum, name string) *sum {
	if sums[name] == nil {
		sums[name] = new(sum)
	}
	return sums[name]
}

// reason is a kind of site with the part of the reason that is not of the site.
func reason(x site) string {
	switch {
	case x.InPool:
		return "fills a pool already"
	case strings.Contains(x.Why, "is returned"):
		return x.Kind + ": it is returned"
	}
	return x.Kind
}

func rows(b *strings.Builder, title string, sums map[string]*sum, hot sum) {
	fmt.Fprintf(b, "\n| %s | sites | of the hot bytes |\n|---|---|---|\n", title)
	names := slices.SortedFunc(maps.Keys(sums), func(x, y string) int {
		return cmp.Or(cmp.Compare(sums[y].bytes, sums[x].bytes), cmp.Compare(x, y))
	})
	for _, name := range names {
		fmt.Fprintf(b, "| %s | %d | %.1f %% |\n", name, sums[name].sites, 100*sums[name].bytes/hot.bytes)
	}
}
