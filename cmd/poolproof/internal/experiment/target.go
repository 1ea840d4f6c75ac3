package experiment

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// target is the package under test with what is needed to build it.
type target struct {
	chain   *overlay.Toolchain
	pkg     duet.Package
	tags    string
	engine  study.Engine
	note    string // why the engine is not the duet
	scratch string // for overlays and links; gone with the process
	bin     string // folder of the binaries
}

// find resolves the package and its toolchain. binaries is where its test
// binaries will lie.
func find(ctx context.Context, path, tags, scratch, binaries string) (*target, error) {
	dir, err := directory(ctx, path, scratch)
	if err != nil {
		return nil, err
	}
	t := &target{tags: tags, engine: study.EngineDuet, scratch: scratch, bin: binaries}
	if t.chain, err = overlay.Find(ctx, dir, scratch); err != nil {
		return nil, err
	}
	if t.pkg, err = duet.List(ctx, t.chain, dir, tags); err != nil {
		return nil, err
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.engine, t.note = study.EnginePairs, "processes cannot be given extra pipes on "+runtime.GOOS
	}
	return t, nil
}

// directory turns a package argument into a directory: as it is where it
// names one, else what the go command says of the import path.
func directory(ctx context.Context, path, scratch string) (string, error) {
	if info, err := os.Stat(path); err == nil {
		if !info.IsDir() {
			return "", exitcode.Errorf(exitcode.Usage, "%s is a file: name the folder of a package", path)
		}
		return filepath.Abs(path)
	}
	if strings.Contains(path, "...") {
		return "", exitcode.Errorf(exitcode.Usage, "%s: name one package", path)
	}
	if strings.HasPrefix(path, ".") || filepath.IsAbs(path) {
		return "", exitcode.Errorf(exitcode.Usage, "%s: no such folder", path)
	}
	// Two toolchains may be linked, that of this folder and that of the
	// package: each needs a folder of its own.
	links, err := os.MkdirTemp(scratch, "here")
	if err != nil {
		return "", exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	here, err := overlay.Find(ctx, ".", links)
	if err != nil {
		return "", err
	}
	out, err := here.Go(ctx, ".", "list", "-f", "{{.Dir}}", path)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		line, _, _ := strings.Cut(err.Error(), "\n")
		return "", exitcode.Errorf(exitcode.Usage, "%s is no folder and no package here: %s", path, line)
	}
	return strings.TrimSpace(string(out)), nil
}

// build makes the test binary of a layout and describes it. Where the
// toolchain cannot be instrumented the target falls back to process pairs.
func (t *target) build(ctx context.Context, layout int) (study.Binary, error) {
	b := study.Binary{ID: binaryID(layout), Package: t.pkg.Path, Layout: layout}
	if rel, err := filepath.Rel(t.pkg.Root, t.pkg.Dir); err == nil {
		b.Dir = filepath.ToSlash(rel)
	}
	build := duet.Build{Toolchain: t.chain, Package: t.pkg, Output: t.binary(b.ID), Scratch: t.scratch, Engine: t.engine, Layout: layout, Tags: t.tags}
	var err error
	b.SHA256, err = build.Compile(ctx)
	if errors.Is(err, overlay.ErrAnchor) && layout == 0 {
		t.engine, t.note = study.EnginePairs, err.Error()
		build.Engine = t.engine
		b.SHA256, err = build.Compile(ctx)
	}
	return b, err
}

// binaryID names a build within the plan.
func binaryID(layout int) string {
	if layout == 0 {
		return "test"
	}
	return "test-shifted" + strconv.Itoa(layout)
}

// binary is the file name of a build.
func (t *target) binary(id string) string { return filepath.Join(t.bin, id) }

// side is the process of a build in a cell.
func (t *target) side(id string, cell []string) duet.Side {
	return duet.Side{Binary: t.binary(id), Dir: t.pkg.Dir, Env: cell}
}

// revision returns the git revision of the package's tree and whether the
// tree differs from it; "" where git knows nothing. The files of the run
// itself, in out, are no difference.
func (t *target) revision(ctx context.Context, out string) (rev string, dirty bool) {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = t.pkg.Root
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	rev, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	paths := []string{"status", "--porcelain", "--", "."}
	if abs, err := filepath.Abs(out); err == nil {
		if rel, err := filepath.Rel(t.pkg.Root, abs); err == nil && filepath.IsLocal(rel) && rel != "." {
			paths = append(paths, ":(exclude,literal)"+filepath.ToSlash(rel))
		}
	}
	status, err := git(paths...)
	return rev, err == nil && status != ""
}
