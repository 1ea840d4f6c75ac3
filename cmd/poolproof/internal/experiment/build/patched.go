package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/reuse"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// patched adds the variant that a patch of the user's is.
func (bs *Set) patched(ctx context.Context, o ask.Options) error {
	text, err := os.ReadFile(o.Patch)
	if err != nil {
		return fault.Option("patch", o.Patch, "%w", err)
	}
	main := bs.Main()
	p, err := readPatch(o.Patch, string(text))
	if err != nil {
		return err
	}
	base, err := p.base(ctx, main.Package.Root)
	if err != nil {
		return err
	}
	if err := p.clean(ctx, base); err != nil {
		return err
	}
	files, err := p.apply(ctx, base, main.Scratch)
	if err != nil {
		return err
	}
	r := &Reused{
		ListedVariant: study.ListedVariant{ID: filepath.Base(o.Patch) + " patch", Site: filepath.Base(o.Patch), Name: "patch", Evidence: string(reuse.User)},
		Binary:        MainBinary + "@1.patch",
		Diff:          string(text), Files: files,
	}
	for name, text := range files {
		dir := filepath.Dir(name)
		if !slices.Contains(r.Dirs, dir) {
			r.Dirs = append(r.Dirs, dir)
		}
		r.Pools = r.Pools || strings.Contains(string(text), "sync.Pool")
	}
	slices.Sort(r.Dirs)
	for _, h := range p.hunks {
		name := filepath.Join(base, filepath.FromSlash(h.file))
		r.At = append(r.At, At{name, main.Named(filepath.Dir(name)), h.line})
	}
	bs.Reused = append(bs.Reused, r)
	bs.Targets = append(bs.Targets, bs.with(r, files))
	return nil
}

// patch is a unified diff of Go files.
type patch struct {
	name  string
	text  string
	files []string // with slashes, as the diff names them
	fresh []string // those that it adds
	hunks []hunk
}

// hunk is the first of some lines that are changed, in the old text of a file.
type hunk struct {
	file string
	line int
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@`)

// readPatch reads which files a diff changes, and refuses what cannot be compared.
func readPatch(name, text string) (*patch, error) {
	p := &patch{name: name, text: text}
	bad := func(format string, args ...any) error { return fault.Option("patch", name, format, args...) }
	strip := func(file string) string {
		file, _, _ = strings.Cut(strings.TrimRight(file, "\r\n"), "\t")
		if file == "/dev/null" {
			return ""
		}
		if _, rest, ok := strings.Cut(file, "/"); ok && (strings.HasPrefix(file, "a/") || strings.HasPrefix(file, "b/")) {
			return rest
		}
		return file
	}
	old, line, changing := "", 0, false // line: in the old text; 0: outside of a hunk
	for l := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(l, "--- "):
			old = strip(l[4:])
			line = 0
		case strings.HasPrefix(l, "+++ "):
			file := strip(l[4:])
			switch {
			case file == "":
				return nil, bad("it takes the file %s away: only changes of files, and new ones, can be tried", old)
			case old != "" && old != file:
				return nil, bad("it moves %s to %s: only changes of files, and new ones, can be tried", old, file)
			case strings.HasSuffix(file, "_test.go"):
				return nil, bad("it changes tests, in %s: the tests are what tells whether the change is right, and have to be those of before", file)
			case !strings.HasSuffix(file, ".go"):
				return nil, bad("it changes %s: only Go files can be tried", file)
			case !filepath.IsLocal(filepath.FromSlash(file)):
				return nil, bad("it changes %s, which is not below the module", file)
			}
			p.files = append(p.files, file)
			if old == "" {
				p.fresh = append(p.fresh, file)
			}
		default:
			if m := hunkHead.FindStringSubmatch(l); m != nil && len(p.files) > 0 {
				line, _ = strconv.Atoi(m[1])
				changing = false
				continue
			}
			switch {
			case line == 0:
			case l[0] == '+' || l[0] == '-':
				if !changing {
					p.hunks = append(p.hunks, hunk{p.files[len(p.files)-1], line})
				}
				changing = true
				if l[0] == '-' {
					line++
				}
			default:
				changing = false
				line++
			}
		}
	}
	if len(p.files) == 0 {
		return nil, bad("it is no unified diff, as git diff prints it")
	}
	return p, nil
}

// base is the folder that the names of the diff are relative to: that of the module, of the
// repository, or the one that the command runs in.
func (p *patch) base(ctx context.Context, root string) (string, error) {
	places := []string{root}
	if top, err := git.Text(ctx, root, "rev-parse", "--show-toplevel"); err == nil {
		places = append(places, filepath.FromSlash(strings.TrimSpace(top)))
	}
	if here, err := os.Getwd(); err == nil {
		places = append(places, here)
	}
	missing := ""
	for _, place := range places {
		all := true
		for _, file := range p.files {
			if !slices.Contains(p.fresh, file) && !Exists(filepath.Join(place, filepath.FromSlash(file))) {
				missing, all = file, false
				break
			}
		}
		if !all {
			continue
		}
		for _, file := range p.files {
			if dir := filepath.Dir(filepath.Join(place, filepath.FromSlash(file))); Exists(dir) && overlay.NearestModule(dir) != root {
				return "", fault.Option("patch", p.name, "it changes %s, which is not of the module in %s", file, root)
			}
		}
		return place, nil
	}
	return "", fault.Option("patch", p.name, "it does not apply: there is no file %s in the module or its repository", missing)
}

// clean refuses a patch of files that git says have changes already: what is compared would
// not be what is committed.
func (p *patch) clean(ctx context.Context, base string) error {
	args := []string{"status", "--porcelain", "--"}
	for _, file := range p.files {
		args = append(args, filepath.FromSlash(file))
	}
	text, err := git.Text(ctx, base, args...)
	if err != nil || strings.TrimSpace(text) == "" {
		return nil // not in a repository: nothing is known
	}
	return fault.Option("patch", p.name, "there are uncommitted changes in files that it changes: %s; commit them or put them aside first, or ask with -base",
		strings.Join(strings.Fields(text)[1:2], " "))
}

// apply returns the files with the patch, by absolute name. The tree is not touched.
func (p *patch) apply(ctx context.Context, base, scratch string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp(scratch, "patched")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, file := range p.files {
		to := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return nil, err
		}
		if slices.Contains(p.fresh, file) {
			if name := filepath.Join(base, filepath.FromSlash(file)); Exists(name) {
				return nil, fault.Option("patch", p.name, "it does not apply: it adds %s, which is there already", file)
			}
			continue
		}
		text, err := os.ReadFile(filepath.Join(base, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return nil, err
		}
	}
	diff := filepath.Join(dir, "patch.diff")
	if err := os.WriteFile(diff, []byte(p.text), 0o666); err != nil {
		return nil, err
	}
	strip := "-p1"
	if !strings.Contains(p.text, "\n+++ b/") {
		strip = "-p0"
	}
	// Outside of a repository, git apply takes files as they are.
	if _, err := git.Text(ctx, dir, "apply", strip, "--whitespace=nowarn", diff); err != nil {
		return nil, fault.Option("patch", p.name, "it does not apply: %s", firstLine(err))
	}
	files := map[string][]byte{}
	for _, file := range p.files {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return nil, fault.Option("patch", p.name, "it does not apply to %s", file)
		}
		files[filepath.Join(base, filepath.FromSlash(file))] = text
	}
	return files, nil
}

// firstLine is the first line of an error, without what every message of git begins with.
func firstLine(err error) string {
	text := err.Error()
	if _, rest, ok := strings.Cut(text, "error: "); ok {
		text = rest
	}
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Sprint(strings.TrimSpace(line))
}
