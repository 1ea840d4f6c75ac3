package overlay

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// module makes a module with the given further files.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.org/m\n\ngo 1.24\n")
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, dir string) *Toolchain {
	t.Helper()
	tc, err := Find(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

func TestTheTestingPackagePassesItsOwnTestsWithTheEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the tests of package testing")
	}
	if runtime.GOOS == "windows" {
		t.Skip("there is no burst server here")
	}
	tc := find(t, module(t, nil))
	files, err := Testing(tc)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name, err := tc.Write(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	out, err := tc.Go(t.Context(), dir, "test", "-short", "-overlay="+name, "testing")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.HasPrefix(string(out), "ok ") {
		t.Errorf("%s", out)
	}
}

func TestTheTestingPackageThatTakesProfilesCompiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no burst server here")
	}
	tc := find(t, module(t, nil))
	files, err := Profiling(tc)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name, err := tc.Write(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tc.Go(t.Context(), dir, "build", "-overlay="+name, "testing"); err != nil {
		t.Error(err)
	}
}

func TestGOFLAGSAreSplitAndJoined(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"  \t", nil},
		{"-v -race", []string{"-v", "-race"}},
		{`"-tags=a b" '-ldflags=-X "x"'`, []string{"-tags=a b", `-ldflags=-X "x"`}},
		{`-ldflags='x'`, []string{`-ldflags='x'`}},
	} {
		got, err := splitFlags(tt.in)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, %v", tt.in, got, err)
		}
		if again, err := splitFlags(joinFlags(got)); err != nil || !slices.Equal(again, got) {
			t.Errorf("%q joined is %q, split %q", got, joinFlags(got), again)
		}
	}
	for _, bad := range []string{`"-v`, `-a 'b`} {
		if _, err := splitFlags(bad); err == nil {
			t.Errorf("%q was split", bad)
		}
	}
}

func TestWhatDefeatsTheOverlayIsTakenOutOfGOFLAGS(t *testing.T) {
	for _, tt := range []struct{ goflags, want string }{
		{"-cover -race", "-race"},
		{"-covermode=atomic '--coverpkg=a b' -tags=x", "-tags=x"},
		{"-overlay= -json", "-trimpath=false"}, // an empty one would bring back what go env -w has set
		{"-cover", "-trimpath=false"},
	} {
		t.Setenv("GOFLAGS", tt.goflags)
		dir := module(t, nil)
		tc := find(t, dir)
		out, err := tc.Go(t.Context(), dir, "env", "GOFLAGS")
		if err != nil || strings.TrimSpace(string(out)) != tt.want {
			t.Errorf("GOFLAGS=%s became %s, %v; want %s", tt.goflags, out, err, tt.want)
		}
	}
}

func TestTheUsersOverlayIsMergedOrRefused(t *testing.T) {
	dir := module(t, map[string]string{"o.json": `{"Replace": {"./a.go": "b.txt", "gone.go": ""}}`, "a.go": "", "b.txt": ""})
	t.Setenv("GOFLAGS", "-overlay=o.json")
	tc := find(t, dir)
	scratch := t.TempDir()
	name, err := tc.Write(scratch, map[string][]byte{filepath.Join(dir, "c.go"): []byte("package c")})
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile(o.Replace[filepath.Join(dir, "c.go")])
	if err != nil || string(ours) != "package c" || len(o.Replace) != 3 ||
		o.Replace[filepath.Join(dir, "a.go")] != filepath.Join(dir, "b.txt") || o.Replace[filepath.Join(dir, "gone.go")] != "" {
		t.Errorf("%v, %s, %v", o.Replace, ours, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	for _, same := range []string{filepath.Join(dir, "a.go"), filepath.Join(dir, "gone.go"), filepath.Join(link, "a.go")} {
		_, err := tc.Write(scratch, map[string][]byte{same: nil})
		if fault.KindOf(err) != fault.Tools || err == nil || !strings.Contains(err.Error(), same) {
			t.Errorf("both replace %s: %v", same, err)
		}
	}
}

func TestFindBlamesTheTools(t *testing.T) {
	for name, goflags := range map[string]string{
		"no such overlay": "-overlay=missing.json",
		"no overlay":      "-overlay=go.mod",
		"unended quote":   "'-v",
	} {
		t.Setenv("GOFLAGS", goflags)
		if tc, err := Find(t.Context(), module(t, nil), t.TempDir()); fault.KindOf(err) != fault.Tools {
			t.Errorf("%s: %+v, %v", name, tc, err)
		}
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(t.Context(), module(t, nil), t.TempDir()); fault.KindOf(err) != fault.Tools || !strings.Contains(err.Error(), "not in PATH") {
		t.Errorf("without Go: %v", err)
	}
}

func TestAWorkspaceIsKeptWhereItUsesTheModule(t *testing.T) {
	t.Setenv("GOWORK", "") // whatever this test itself runs under
	dir := module(t, map[string]string{
		"go.work":      "go 1.24\n\nuse (\n\t.\n\t./in\n)\n",
		"in/go.mod":    "module example.org/in\n\ngo 1.24\n",
		"in/deep/d.go": "package deep\n",
		"out/go.mod":   "module example.org/out\n\ngo 1.24\n",
		"out/o.go":     "package out\n",
	})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir
	}
	t.Setenv("GOFLAGS", "")
	for _, tt := range []struct {
		dir  string
		left bool
		mod  string
	}{
		{filepath.Join(dir, "in", "deep"), false, "in"},
		{filepath.Join(link, "in", "deep"), false, "in"},
		{dir, false, "."},
		{filepath.Join(dir, "out"), true, "out"},
	} {
		tc := find(t, tt.dir)
		out, err := tc.Go(t.Context(), tt.dir, "env", "GOWORK")
		if left := strings.TrimSpace(string(out)) == "off"; err != nil || left != tt.left || left != (len(tc.Notes) == 1) {
			t.Errorf("%s: GOWORK=%s, notes %q, %v", tt.dir, out, tc.Notes, err)
		}
		if !sameFile(tc.Mod, filepath.Join(dir, tt.mod, "go.mod")) {
			t.Errorf("%s: Mod = %s", tt.dir, tc.Mod)
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "go.work")
	write(t, elsewhere, "go 1.24\n\nuse "+filepath.ToSlash(filepath.Join(link, "in"))+"\n")
	t.Setenv("GOWORK", elsewhere)
	if tc := find(t, filepath.Join(dir, "in")); len(tc.Notes) != 0 {
		t.Errorf("a workspace that names the module by a link is left: %q", tc.Notes)
	}
	if tc := find(t, t.TempDir()); tc.Mod != "" {
		t.Errorf("outside of a module Mod = %s", tc.Mod)
	}
}

func TestACommandThatFailsTellsWhatItPrinted(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package a\n\nvar x int = \"\"\n"})
	tc := find(t, dir)
	_, err := tc.Go(t.Context(), dir, "build", ".")
	var failed *CommandError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "a.go:3:") || strings.HasSuffix(err.Error(), "\n") {
		t.Errorf("build = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tc.Go(ctx, dir, "version"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestTheReleaseIsTakenOutOfGOVERSION(t *testing.T) {
	for in, want := range map[string]string{"go1.26.8": "go1.26.8", "go1.26.8 X:loopvar": "go1.26.8", "devel go1.27-abc Mon": "go1.27-abc", "odd": "odd"} {
		if got := release(in); got != want {
			t.Errorf("release(%q) = %q, want %q", in, got, want)
		}
	}
}
