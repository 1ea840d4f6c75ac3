package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAGoWorkOfTheUserReachesIntoTheRevision(t *testing.T) {
	home := Resolved(t.TempDir())
	top, tree := filepath.Join(home, "repo"), filepath.Join(Resolved(t.TempDir()), "base")
	const mod = "module example.com/m\n\ngo 1.24\n"
	for _, dir := range []string{filepath.Join(top, "a"), filepath.Join(tree, "a"), filepath.Join(home, "lib"), filepath.Join(top, "new")} {
		put(t, filepath.Join(dir, "go.mod"), mod)
	}
	above := filepath.Join(home, "go.work")
	put(t, above, "go 1.24\n\nuse (\n\t./repo/a\n\t./repo/new\n\t./lib\n)\n\nreplace example.com/x => ./repo/a\n\nreplace example.com/y v1.0.0 => example.com/z v1.2.0\n")
	put(t, above+".sum", "sums\n")
	r := repository{top}
	ask := func(want ...string) {
		t.Helper()
		if got, err := r.workspace(t.Context(), "a", tree); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	t.Setenv("GOWORK", "")
	ask("GOWORK=" + tree + ".work")
	got := content(t, tree+".work")
	for _, want := range []string{
		"use " + filepath.Join(tree, "a") + "\n", "use " + filepath.Join(home, "lib") + "\n",
		"example.com/x => " + filepath.Join(tree, "a") + "\n", "example.com/y v1.0.0 => example.com/z v1.2.0\n",
	} {
		if !strings.Contains(strings.ReplaceAll(got, "\t", "use "), want) {
			t.Errorf("the copy has no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "new") || content(t, tree+".work.sum") != "sums\n" {
		t.Errorf("the copy names a module that the revision does not have, or has no sums:\n%s", got)
	}
	t.Setenv("GOWORK", "off")
	ask()
	// One that the revision has is taken from there.
	t.Setenv("GOWORK", "")
	put(t, filepath.Join(top, "go.work"), "go 1.24\n\nuse ./a\n")
	put(t, filepath.Join(tree, "go.work"), "go 1.24\n\nuse ./a\n")
	ask("GOWORK=" + filepath.Join(tree, "go.work"))
	// One that git does not have is the user's for all revisions.
	if err := os.Remove(filepath.Join(tree, "go.work")); err != nil {
		t.Fatal(err)
	}
	ask("GOWORK=" + tree + ".work")
	if got := content(t, tree+".work"); strings.Contains(got, filepath.Join(home, "lib")) {
		t.Errorf("the copy is not of the nearest go.work:\n%s", got)
	}
	for _, name := range []string{filepath.Join(top, "go.work"), above} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	ask("GOWORK=off")
}

func TestLinksInAPathAreResolvedAsFarAsItExists(t *testing.T) {
	real := Resolved(t.TempDir())
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{
		link:                            real,
		filepath.Join(link, "a", "b"):   filepath.Join(real, "a", "b"),
		filepath.Join(real, "nowhere"):  filepath.Join(real, "nowhere"),
		string(filepath.Separator) + "": string(filepath.Separator),
	} {
		if got := Resolved(path); got != want {
			t.Errorf("Resolved(%s) = %s, want %s", path, got, want)
		}
	}
}

func TestWorktreesOfARunLieInOneFolderWheneverItGoesOn(t *testing.T) {
	cacheHere(t)
	a, b := TreesOf("run", "scratch"), TreesOf("./run", "scratch")
	if a != b || a == TreesOf("other", "scratch") {
		t.Errorf("%s, %s", a, b)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("LocalAppData", "")
	if got := TreesOf("run", "scratch"); got != filepath.Join("scratch", "trees") {
		t.Errorf("without a cache folder: %s", got)
	}
}
