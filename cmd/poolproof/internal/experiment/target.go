package experiment

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// target is a package under test with what is needed to build it: the source
// of one plain binary and of its padded builds.
type target struct {
	id       string // of the plain binary within the plan
	chain    *overlay.Toolchain
	pkg      duet.Package
	tags     string
	own      string   // those of the tags that other binaries of the plan do not have
	env      []string // added to the environment of its builds
	optional string   // what the user is told where it cannot be built; "": it must be
	scratch  string   // for overlays and links; gone with the process
	bin      string   // folder of the binaries
}

// find resolves the package and its toolchain. binaries is where its test
// binaries will lie, env is added to the environment of its builds.
func find(ctx context.Context, path, tags, scratch, binaries string, env ...string) (*target, error) {
	dir, err := directory(ctx, path, scratch)
	if err != nil {
		return nil, err
	}
	t := &target{id: mainBinary, tags: tags, scratch: scratch, bin: binaries, env: env}
	if t.chain, err = overlay.Find(ctx, dir, scratch, env...); err != nil {
		return nil, err
	}
	if t.pkg, err = duet.List(ctx, t.chain, dir, tags); err != nil {
		if err := withoutModule(t.chain, path); err != nil && ctx.Err() == nil {
			return nil, err
		}
		return nil, err
	}
	return t, nil
}

// directory turns a package argument into a directory: as it is where it
// names one, else what the go command says of the import path.
func directory(ctx context.Context, path, scratch string) (string, error) {
	if info, err := os.Stat(path); err == nil {
		if !info.IsDir() {
			return "", fault.Errorf(fault.Input, "%s is a file: name the folder of a package", path)
		}
		return filepath.Abs(path)
	}
	if strings.Contains(path, "...") {
		return "", fault.Errorf(fault.Input, "%s: name one package", path)
	}
	if IsFolder(path) {
		return "", fault.Errorf(fault.Input, "%s: no such folder", path)
	}
	// Two toolchains may be linked, that of this folder and that of the
	// package: each needs a folder of its own.
	links, err := os.MkdirTemp(scratch, "here")
	if err != nil {
		return "", err
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
		if err := withoutModule(here, path); err != nil {
			return "", err
		}
		line, _, _ := strings.Cut(err.Error(), "\n")
		return "", fault.Errorf(fault.Input, "%s is no folder and no package here: %s", path, line)
	}
	return strings.TrimSpace(string(out)), nil
}

// IsFolder reports whether a package argument can only be a folder's name.
func IsFolder(path string) bool { return strings.HasPrefix(path, ".") || filepath.IsAbs(path) }

// build makes the test binary of a layout and describes it. The error wraps
// overlay.ErrAnchor where the toolchain cannot be instrumented.
func (t *target) build(ctx context.Context, layout int, engine study.Engine) (study.Binary, error) {
	b := study.Binary{ID: layoutID(t.id, layout), Package: t.pkg.Path, Layout: layout, Tags: t.own}
	if rel, err := filepath.Rel(t.pkg.Root, t.pkg.Dir); err == nil {
		b.Dir = filepath.ToSlash(rel)
	}
	build := duet.Build{Toolchain: t.chain, Package: t.pkg, Output: t.binary(b.ID), Scratch: t.scratch, Engine: engine, Layout: layout, Tags: t.tags}
	var err error
	b.SHA256, err = build.Compile(ctx)
	return b, err
}

// mainBinary is the ID of the plain binary of the package that a question
// names.
const mainBinary = "test"

// layoutID names a build of the plain binary within the plan.
func layoutID(plain string, layout int) string {
	if layout == 0 {
		return plain
	}
	return plain + "-padded" + strconv.Itoa(layout)
}

// binary is the file name of a build.
func (t *target) binary(id string) string { return filepath.Join(t.bin, id) }

// toolchain is that of the target as it stands in a plan.
func (t *target) toolchain() string {
	return t.chain.Version + " " + t.chain.OS + "/" + t.chain.Arch
}

// String names the target in messages.
func (t *target) String() string {
	if t.id == mainBinary {
		return t.pkg.Path
	}
	return t.pkg.Path + " (" + t.id + ")"
}

// onlyPairs says why this system cannot run duets; "" if it can.
func onlyPairs() string {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		return "processes cannot be given extra pipes on " + runtime.GOOS
	}
	return ""
}
