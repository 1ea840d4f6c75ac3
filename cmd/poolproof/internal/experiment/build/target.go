package build

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

// Target is a package under test with what is needed to build it: the source
// of one plain binary and of its padded builds.
type Target struct {
	ID       string // of the plain binary within the plan
	Chain    *overlay.Toolchain
	Package  duet.Package
	Tags     string
	own      string            // those of the tags that other binaries of the plan do not have
	Env      []string          // added to the environment of its builds
	optional string            // what the user is told where it cannot be built; "": it must be
	Scratch  string            // for overlays and links; gone with the process
	Bin      string            // folder of the binaries
	settings bool              // those of a cell are in Env or in the flags of Chain
	files    map[string][]byte // texts that stand for files of the tree, by absolute name
}

// Find resolves the package and its toolchain. binaries is where its test
// binaries will lie, env is added to the environment of its builds.
func Find(ctx context.Context, path, tags, scratch, binaries string, env ...string) (*Target, error) {
	t, err := FindProgram(ctx, path, tags, scratch, binaries, env...)
	if err != nil {
		return nil, err
	}
	return t, t.Package.Tested()
}

// FindProgram is Find for a package that need not have tests.
func FindProgram(ctx context.Context, path, tags, scratch, binaries string, env ...string) (*Target, error) {
	dir, err := directory(ctx, path, scratch)
	if err != nil {
		return nil, err
	}
	t := &Target{ID: MainBinary, Tags: tags, Scratch: scratch, Bin: binaries, Env: env}
	if t.Chain, err = overlay.Find(ctx, dir, scratch, env...); err != nil {
		return nil, err
	}
	if t.Package, err = duet.List(ctx, t.Chain, dir, tags); err != nil {
		if err := withoutModule(t.Chain, path); err != nil && ctx.Err() == nil {
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
		return "", fault.Errorf(fault.Input, "%s is neither a folder nor a package here: %s", path, line)
	}
	return strings.TrimSpace(string(out)), nil
}

// IsFolder reports whether a package argument can only be a folder's name.
func IsFolder(path string) bool { return strings.HasPrefix(path, ".") || filepath.IsAbs(path) }

// Build makes the test binary of a layout and describes it. The error wraps
// overlay.ErrAnchor where the toolchain cannot be instrumented.
func (t *Target) Build(ctx context.Context, layout int, engine study.Engine) (study.Binary, error) {
	b := t.describe(layout)
	build := duet.Build{Toolchain: t.Chain, Package: t.Package, Output: t.binary(b.ID), Scratch: t.Scratch, Engine: engine, Layout: layout, Tags: t.Tags, Files: t.files}
	var err error
	b.SHA256, err = build.Compile(ctx)
	return b, err
}

// describe is the test binary of a layout, without its digest.
func (t *Target) describe(layout int) study.Binary {
	b := study.Binary{ID: LayoutID(t.ID, layout), Package: t.Package.Path, Layout: layout, Tags: t.own}
	if rel, err := filepath.Rel(t.Package.Root, t.Package.Dir); err == nil {
		b.Dir = filepath.ToSlash(rel)
	}
	return b
}

// MainBinary is the ID of the plain binary of the package that a question
// names.
const MainBinary = "test"

// LayoutID names a build of the plain binary within the plan.
func LayoutID(plain string, layout int) string {
	if layout == 0 {
		return plain
	}
	return plain + "-padded" + strconv.Itoa(layout)
}

// binary is the file name of a build.
func (t *Target) binary(id string) string { return filepath.Join(t.Bin, id) }

// Toolchain is that of the target as it stands in a plan.
func (t *Target) Toolchain() string {
	return t.Chain.Version + " " + t.Chain.OS + "/" + t.Chain.Arch
}

// String names the target in messages.
func (t *Target) String() string {
	if t.ID == MainBinary {
		return t.Package.Path
	}
	return t.Package.Path + " (" + t.ID + ")"
}

// onlyPairs says why this system cannot run duets; "" if it can.
func onlyPairs() string {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		return "processes cannot be given extra pipes on " + runtime.GOOS
	}
	return ""
}

// withoutModule is the error for a package that was not found by a toolchain that
// found no module either; nil where there is one.
func withoutModule(t *overlay.Toolchain, path string) error {
	if t.Mod != "" || os.Getenv("GO111MODULE") == "off" {
		return nil
	}
	return fault.Errorf(fault.Input, "%s: there is no go.mod in this folder or above it; make a module with go mod init NAME, or name the folder of a package in a module", path)
}
