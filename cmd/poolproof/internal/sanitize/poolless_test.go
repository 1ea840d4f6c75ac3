package sanitize

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// house is a module with packages that reach a pool in several ways, and some that do not. Each
// test fails, and says whether it was watched.
func house(t *testing.T) string {
	t.Helper()
	test := func(pkg, more string) string {
		return "package " + pkg + "\n\nimport (\n\t\"os\"\n\t\"testing\"\n" + more + ")\n\n" +
			"func TestA(t *testing.T) { t.Log(\"watched:\", os.Getenv(\"POOLPROOF_TEST_LOG\") != \"\", \"here\") }\n"
	}
	return tree(t, map[string]string{
		"go.mod":               "module example.com/m\n\ngo 1.24\n",
		"pooled/pooled.go":     "package pooled\n\nimport s \"sync\"\n\nvar P s.Pool\n",
		"pooled/a_test.go":     test("pooled", ""),
		"plain/plain.go":       "package plain\n",
		"plain/a_test.go":      test("plain", ""),
		"over/over.go":         "package over\n\nimport _ \"example.com/m/pooled\"\n",
		"top/top.go":           "package top\n\nimport _ \"example.com/m/over\"\n",
		"top/a_test.go":        test("top", ""),
		"intest/intest.go":     "package intest\n",
		"intest/a_test.go":     test("intest", "\t_ \"example.com/m/pooled\"\n"),
		"external/external.go": "package external\n",
		"external/a_test.go":   test("external_test", "\t_ \"example.com/m/over\"\n"),
		"user/user.go":         "package user\n\nimport _ \"example.com/m/intest\"\n",
		"user/a_test.go":       test("user", ""),
		"nothing/nothing.go":   "package nothing\n",
		"overlaid/overlaid.go": "package overlaid\n",
		"overlaid/a_test.go":   test("overlaid", ""),
		"aside/overlaid.go":    "package overlaid\n\nimport \"sync\"\n\nvar P sync.Pool\n",
		"_broken/broken.go":    "package",
		"aside/go.mod":         "module example.com/aside\n",
	})
}

// watchedIn returns the packages whose test said that it was watched, and those that were not.
func watchedIn(out string) (yes, no []string) {
	watched := ""
	for line := range strings.Lines(out) {
		if _, word, ok := strings.Cut(line, "watched: "); ok {
			watched, _, _ = strings.Cut(word, " ")
		}
		if path, ok := strings.CutPrefix(line, "ok  \texample.com/m/"); ok && watched != "" {
			path, _, _ = strings.Cut(path, "\t")
			if watched == "true" {
				yes = append(yes, path)
			} else {
				no = append(no, path)
			}
			watched = ""
		}
	}
	slices.Sort(yes)
	slices.Sort(no)
	return yes, no
}

func TestPackagesThatReachNoPoolAreTestedAsGoTestDoes(t *testing.T) {
	dir := house(t)
	all := []string{"external", "intest", "overlaid", "plain", "pooled", "top", "user"}
	for name, c := range map[string]struct {
		change func(*Options)
		plain  []string // tests that are not watched
		left   int      // packages
	}{
		// user imports intest, whose tests use a pool: asked too often rather than not often enough.
		"most reach one":      {nil, []string{"overlaid", "plain"}, 3},
		"-strict":             {func(o *Options) { o.Strict = true }, nil, 0},
		"-leaks":              {func(o *Options) { o.Leaks = true }, nil, 0},
		"-delay":              {func(o *Options) { o.Delay = new(int) }, nil, 0},
		"one coverage file":   {func(o *Options) { o.Flags = append(o.Flags, "-coverprofile="+filepath.Join(t.TempDir(), "c")) }, nil, 0},
		"a package is broken": {func(o *Options) { o.Packages = append(o.Packages, "./_broken") }, nil, 0},
		"an overlay has a pool": {func(o *Options) {
			o.Flags = append(o.Flags, "-overlay="+filepath.Join(tree(t, map[string]string{
				"o.json": `{"Replace":{"` + dir + `/overlaid/overlaid.go":"` + dir + `/aside/overlaid.go"}}`}), "o.json"))
		}, []string{"plain"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			res, out, err := drive(t, dir, func(o *Options) {
				o.Flags = append(o.Flags, "-v")
				if c.change != nil {
					c.change(o)
				}
			})
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			yes, no := watchedIn(out)
			want := slices.DeleteFunc(slices.Clone(all), func(p string) bool { return slices.Contains(c.plain, p) })
			if !slices.Equal(no, c.plain) || !slices.Equal(yes, want) || res.Poolless != c.left {
				t.Errorf("watched %q, not watched %q, of %d packages\n%s", yes, no, res.Poolless, out)
			}
		})
	}
}

func TestWithoutAnyPoolItIsGoTest(t *testing.T) {
	dir := tree(t, map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.24\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestFine(t *testing.T) {}\nfunc TestBad(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { t.Error() }) }\n",
		"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) { nonsense }\n",
		"c/c_test.go": "package c\n\nimport \"testing\"\n\nfunc TestC(t *testing.T) {}\n",
	})
	res, out, err := drive(t, dir, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := classesOf(res), map[string]Class{"m/a TestBad/sub": Genuine, "m/b ": Build}; len(got) != len(want) || got["m/a TestBad/sub"] != Genuine || got["m/b "] != Build {
		t.Errorf("failures %v, want %v\n%s", got, want, out)
	}
	if res.Poolless != 3 || res.Launched != 0 || len(res.Packages) != 3 || res.Outcome(Options{}) != Failed {
		t.Errorf("%d packages without a pool, %d binaries, %d packages, outcome %d", res.Poolless, res.Launched, len(res.Packages), res.Outcome(Options{}))
	}
	// A passed package is taken from the cache the second time, as go test does.
	for range 2 {
		res, out, err = drive(t, dir, func(o *Options) { o.Packages = []string{"./c"} })
	}
	if err != nil || !strings.Contains(out, "(cached)") || res.Outcome(Options{}) != Clean {
		t.Errorf("%v\n%s", err, out)
	}
}
