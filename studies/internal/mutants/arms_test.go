package mutants

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// elsewhere are arms without a mutant in the list, by the folder of the package,
// and why.
var elsewhere = map[string]map[string]string{
	"arrow-allocators": {
		"go": "Arrow's own allocator, no code of ours", "presize": "a flag that counters_test.go counts",
		"cgoarrow": "behind a build tag, Arrow's own code", "malloc": "behind a build tag",
		"arrowlog": "package arrowlog, with tests of its own", "arrowlog-maps": "package arrowlog", "arrowlog-small": "package arrowlog",
	},
	"arrow-allocators/arrow1841": {
		"go": "Arrow's own allocator", "cgoarrow": "behind a build tag", "malloc": "behind a build tag", "arrow188": "the arm go of arrow-allocators",
		"codec": "that of arrow-allocators", "offheap": "that of arrow-allocators", "recycle": "that of arrow-allocators",
		"arrowlog": "package arrowlog", "arrowlog-maps": "package arrowlog", "arrowlog-small": "package arrowlog",
	},
	"hot-swap/practice": {
		"counted": "that of hot-swap", "hotswap": "that of hot-swap", "atomic": "that of hot-swap", "inplace": "that of hot-swap", "rwmutex": "that of hot-swap",
	},
	"ordered-json-walker": {"again": "the pool a second time"},
	"ordered-json-library": {
		"again": "the baseline a second time", "new": "package oas", "reset": "package oas", "pointers": "package oas", "plain": "package oas",
		"published": "the arm grow of ordered-json and the walker's own", "published-pool": "the arm pool of ordered-json and the walker's", "lean": "the parser of ordered-json",
	},
	"../systems/mdns/transport": {
		"document": "net's ReadFrom in a benchmark, beside the form of mdns-receive, which has one", "published": "x/net's ReadFrom in a benchmark, as in mdns-receive",
		"lent": "package transport, with tests of its own", "lent64": "package transport", "owned": "package transport", "copy": "package transport",
	},
	"../systems/oas":     {"new": "package oas", "again": "the baseline a second time", "pooled": "package oas", "reset": "package oas"},
	"../systems/oas/gen": {"new": "package gen", "again": "the baseline a second time", "pooled": "package gen"},
}

var (
	armName     = regexp.MustCompile(`(?s)\n\[\[arm\]\]\n(?:#[^\n]*\n)*name = "([^"]+)"`)
	packageName = regexp.MustCompile(`(?m)^package = "([^"]+)"`)
)

// TestEachArmHasAMutant reads the arms from the study files.
func TestEachArmHasAMutant(t *testing.T) {
	has := map[string]bool{}
	for _, m := range mutants {
		arm, _, _ := strings.Cut(m.name, ":")
		has[m.study+" "+arm] = true
	}
	used, studies := map[string]bool{}, 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"peers", "testdata", ".poolproof"}, d.Name()):
			return fs.SkipDir
		case d.Name() != "study.toml":
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		studies++
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(rel)
		if m := packageName.FindSubmatch(data); m != nil {
			dir = path.Join(dir, string(m[1]))
		}
		arms := armName.FindAllSubmatch(data, -1)
		if len(arms) < 2 {
			t.Errorf("%s: %d arms were read", rel, len(arms))
		}
		for _, m := range arms {
			arm := string(m[1])
			why := elsewhere[dir][arm]
			used[dir+" "+arm] = true
			switch in := has[dir+" "+arm]; {
			case !in && why == "":
				t.Errorf("%s: the arm %s has no mutant in the list", rel, arm)
			case in && why != "":
				t.Errorf("%s: the arm %s has a mutant; take it out of elsewhere", rel, arm)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if studies < 20 {
		t.Errorf("%d studies were found, there are more", studies)
	}
	for dir, arms := range elsewhere {
		for arm := range arms {
			if !used[dir+" "+arm] {
				t.Errorf("elsewhere names the arm %s of %s, which no study has", arm, dir)
			}
		}
	}
}
