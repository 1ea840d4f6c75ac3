package sanitize

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/fields"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// unit is the packages that one go test tests, with one toolchain.
type unit struct {
	options Options
	dir     string
	scratch string
	cache   string
	prepare preparer
	all     *gathered

	asked     asked
	toolchain *overlay.Toolchain
	packages  *packages
	overlay   toolchain.Overlay
	user      map[string]string // the user's own overlay

	instrumented, plain gotest.Line
	rulesFile           string
	build               *fields.Build
	given               map[string][]finding.Rule // to the binaries of a folder
	attempts            int
}

// test does all that there is to do for the unit.
func (u *unit) test(ctx context.Context) error {
	if err := u.find(ctx); err != nil {
		return err
	}
	if err := u.compose(ctx); err != nil {
		return err
	}
	if err := u.rules(); err != nil {
		return err
	}
	out, err := u.run(ctx, attempt{line: u.instrumented, watch: u.options.watch(), stdout: u.options.Stdout, stderr: u.options.Stderr})
	if out != nil {
		u.take(out)
		u.first(out)
	}
	if err != nil {
		return err
	}
	if err := u.judge(ctx, out); err != nil {
		return err
	}
	return u.reuse(ctx, out)
}

// find asks the toolchain, and the go command what is to be tested.
func (u *unit) find(ctx context.Context) error {
	links := filepath.Join(u.cache, "links")
	if err := os.MkdirAll(links, 0o777); err != nil {
		return err
	}
	var err error
	if u.toolchain, err = overlay.FindWhole(ctx, u.dir, links, u.options.Env...); err != nil {
		return err
	}
	for _, n := range u.toolchain.Notes {
		u.all.result.note("%s", n)
	}
	if u.asked.env, err = gotest.Parse(u.toolchain.Flags(), nil); err != nil {
		return fault.Errorf(fault.Tools, "GOFLAGS: %w", err)
	}
	if err := u.asked.refuse(); err != nil {
		return err
	}
	u.all.result.JSON = u.asked.on("json")
	userOverlay, err := u.readOverlay()
	if err != nil {
		return err
	}
	u.packages, err = list(ctx, u.toolchain, u.dir, u.asked, u.options.Tags, userOverlay)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		if err := u.nowhere(); err != nil {
			return err
		}
		var failed *overlay.CommandError
		if errors.As(err, &failed) {
			return fault.Errorf(fault.Input, "%w", err)
		}
		return fault.Errorf(fault.Tools, "go list: %w", err)
	}
	if err := u.nowhere(); err != nil {
		return err
	}
	maps.Copy(u.all.tested, u.packages.paths)
	u.all.units = append(u.all.units, u)
	sites := u.all.result.Printer.Sites
	if sites.Std == nil {
		*sites = *u.packages.sites
	} else {
		maps.Copy(sites.Std, u.packages.sites.Std)
		maps.Copy(sites.Dirs, u.packages.sites.Dirs)
	}
	return nil
}

// readOverlay reads the user's overlay, of the command line or of GOFLAGS, and
// returns the name of a file with the same.
func (u *unit) readOverlay() (string, error) {
	u.user = u.toolchain.User()
	if name, ok := u.asked.line.Get("overlay"); ok && name != "" {
		var err error
		if u.user, err = overlay.Read(u.dir, name); err != nil {
			return "", fault.Option("overlay", "", "%w", err)
		}
	}
	if len(u.user) == 0 {
		return "", nil
	}
	return u.writeOverlay(u.user)
}

// writeOverlay keeps an overlay file under a name made of its content.
func (u *unit) writeOverlay(replace map[string]string) (string, error) {
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	name := filepath.Join(u.cache, "overlays", hex.EncodeToString(sum[:12])+".json")
	if err := keep.File(name, text); err != nil {
		return "", err
	}
	return name, nil
}

// compose makes the two command lines: watched, and plain.
func (u *unit) compose(ctx context.Context) error {
	var err error
	if u.overlay, err = u.prepare(ctx, u); err != nil {
		return err
	}
	for _, n := range u.overlay.Notes {
		u.all.result.note("%s", n)
	}
	if path, clash := overlay.Clash(u.user, u.overlay.Replace); clash {
		return fault.Errorf(fault.Input, "your overlay and that of poolproof both replace %s (by %s and %s): remove it from yours",
			path, u.user[path], u.overlay.Replace[path])
	}
	both := maps.Clone(u.overlay.Replace)
	if both == nil {
		both = map[string]string{}
	}
	maps.Copy(both, u.user)
	name, err := u.writeOverlay(both)
	if err != nil {
		return err
	}
	launcher, err := execFlag(u.userExec())
	if err != nil {
		return fault.Errorf(fault.Input, "%w", err)
	}
	u.instrumented = u.asked.instrumented(u.options.Tags, u.overlay.GCFlags, name, launcher)
	if u.asked.get("coverpkg") != "" {
		value, changed, err := u.coverpkg(ctx)
		if err != nil {
			return err
		}
		if changed {
			u.instrumented = u.instrumented.With("coverpkg", value)
		}
	}
	u.plain = u.asked.plain(u.options.Tags)
	if len(u.user) > 0 { // GOFLAGS have lost theirs
		name, err := u.writeOverlay(u.user)
		if err != nil {
			return err
		}
		u.plain = u.plain.With("overlay", name)
	}
	return nil
}

// userExec is the program that the user, or the go command by itself, would
// start test binaries with.
func (u *unit) userExec() []string {
	if value := u.asked.get("exec"); value != "" {
		words, err := overlay.SplitFlags(value)
		if err == nil {
			return words
		}
		return strings.Fields(value)
	}
	t := u.toolchain
	if t.OS == runtime.GOOS && t.Arch == runtime.GOARCH {
		return nil
	}
	if path, err := exec.LookPath("go_" + t.OS + "_" + t.Arch + "_exec"); err == nil {
		return []string{path}
	}
	return nil
}

// rules writes what the binaries must know beforehand: the fields that own their
// arrays, and what is ignored or known.
func (u *unit) rules() error {
	sum := sha256.Sum256([]byte(u.dir))
	cache := fields.Open(filepath.Join(u.cache, "fields", hex.EncodeToString(sum[:12])+".json"))
	u.build = fields.Scan(u.packages.scan, u.actual, cache)
	if err := cache.Save(); err != nil {
		u.all.result.note("the scan of the packages could not be saved, so the next run repeats it: %v", err)
	}
	directives, problems := finding.Directives(u.packages.own)
	u.all.directives = append(u.all.directives, directives...)
	u.all.problems = append(u.all.problems, problems...)
	var known []finding.Rule
	if b := u.all.baseline; b != nil {
		known = b.Rules()
	}
	var index []string
	u.given = map[string][]finding.Rule{}
	for dir, path := range u.packages.tested {
		fieldsFile := filepath.Join(u.scratch, "fields"+sprintf("%d", len(index)))
		if err := writeLines(fieldsFile, u.build.Link(path).Lines()); err != nil {
			return err
		}
		u.given[dir] = append(finding.Rules(directives, dir, u.inBinaries), known...)
		var lines []string
		for _, r := range u.given[dir] {
			lines = append(lines, r.Text)
		}
		ignores := filepath.Join(u.scratch, "ignore"+sprintf("%d", len(index)))
		if err := writeLines(ignores, lines); err != nil {
			return err
		}
		index = append(index, dir+"\t"+ignores+"\t"+fieldsFile)
	}
	u.rulesFile = filepath.Join(u.scratch, "rules")
	return writeLines(u.rulesFile, index)
}

// inBinaries returns the names that a file of the main module has in binaries:
// -trimpath names it by import path.
func (u *unit) inBinaries(file string) []string {
	if !u.asked.on("trimpath") {
		return []string{file}
	}
	var names []string
	for path, dir := range u.packages.sites.Dirs {
		if dir == filepath.Dir(file) {
			names = append(names, path+"/"+filepath.Base(file))
		}
	}
	return names
}

// used notes which rules the processes of a run have used.
func (u *unit) used(l *record.Log) {
	dirs := l.Dirs()
	for _, p := range l.Processes {
		for dir, rules := range u.given {
			if of := dirs[p]; of != "" && of != dir {
				continue
			}
			for _, r := range rules {
				if slices.Contains(p.Used, r.Text) {
					r.Use()
				}
			}
		}
	}
}

// actual is where the text of a file is.
func (u *unit) actual(file string) string {
	if to, ok := u.user[file]; ok && to != "" {
		return to
	}
	return file
}

func writeLines(name string, lines []string) error {
	text := strings.Join(lines, "\n")
	if text != "" {
		text += "\n"
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		return err
	}
	return nil
}

// say tells the user, on standard error, what takes time.
func (u *unit) say(format string, args ...any) {
	io.WriteString(orNowhere(u.options.Stderr), "poolproof: "+sprintf(format, args...)+"\n")
}
