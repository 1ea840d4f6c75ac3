package build

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// BinaryOf returns the ID of the plain binary that an arm is in.
func (bs *Set) BinaryOf(a study.Arm) string { return bs.arms[armKey(a)] }

// armKey returns a key of the binary of an arm: arms with the same module
// and tags share one.
func armKey(a study.Arm) [2]string {
	module := a.Module
	if module != "" {
		module = path.Clean(filepath.ToSlash(module))
	}
	return [2]string{module, a.Tags}
}

// FindArms adds a target for each arm that is not in the package's own binary.
// dir is the study file's, tags are those of all the study's binaries.
func (bs *Set) FindArms(ctx context.Context, file *study.File, dir, tags string) error {
	main := bs.Main()
	for _, a := range file.Arms {
		key := armKey(a)
		if _, known := bs.arms[key]; known {
			continue
		}
		id := bs.newID(key)
		bs.arms[key] = id
		from, env := main.Package.Dir, []string(nil)
		if a.Module != "" {
			from, env = filepath.Join(dir, filepath.FromSlash(a.Module)), []string{"GOWORK=off"}
			if err := apart(file, a, from, main.Package.Root); err != nil {
				return err
			}
		}
		t, err := Find(ctx, from, joinTags(tags, a.Tags), main.Scratch, main.Bin, env...)
		if err != nil {
			if ctx.Err() == nil && bs.leaveOut(id, optionalOf(file, key), err) {
				continue
			}
			return armError(file, a, err)
		}
		t.ID, t.own, t.optional = id, a.Tags, optionalOf(file, key)
		bs.Targets = append(bs.Targets, t)
	}
	return nil
}

// apart checks that a module of an arm is another one than the study's.
func apart(file *study.File, a study.Arm, dir, root string) error {
	switch own := overlay.NearestModule(dir); {
	case own == "":
		return fault.Errorf(fault.Input, "%s: arm %s: %s is not inside a Go module; write a go.mod there", file.Path, a.Name, a.Module)
	case sameDir(own, root):
		return fault.Errorf(fault.Input, "%s: arm %s: module %s belongs to the study's own module; write a go.mod there, or remove module", file.Path, a.Name, a.Module)
	}
	return nil
}

func sameDir(a, b string) bool {
	x, errX := filepath.EvalSymlinks(a)
	y, errY := filepath.EvalSymlinks(b)
	return errX == nil && errY == nil && x == y
}

// armError is an error of finding or building what an arm is in.
func armError(file *study.File, a study.Arm, err error) error {
	return fmt.Errorf("%s: arm %s: %w", file.Path, a.Name, err)
}

// optionalOf returns the hint for a binary that cannot be built: the word of
// the first arm in it, if all arms in it are optional.
func optionalOf(file *study.File, key [2]string) string {
	text := ""
	for _, a := range file.Arms {
		if armKey(a) != key {
			continue
		}
		if a.Optional == "" {
			return ""
		}
		if text == "" {
			text = a.Optional
		}
	}
	return text
}

// newID names the plain binary of arms: test@MODULE+TAG+TAG. The name serves as
// that of a file.
func (bs *Set) newID(key [2]string) string {
	id := MainBinary
	if key[0] != "" {
		id += "@" + fileName(path.Base(key[0]))
	}
	if key[1] != "" {
		id += "+" + fileName(strings.ReplaceAll(key[1], ",", "+"))
	}
	plain := id
	for n := 2; slices.Contains(slices.Collect(maps.Values(bs.arms)), id); n++ {
		id = fmt.Sprintf("%s.%d", plain, n)
	}
	return id
}

// fileName keeps what every file system takes and a padded build's ID is not
// made of.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.+", r) {
			return r
		}
		return '_'
	}, s)
}

// joinTags joins two lists of build tags. The go command still takes spaces in
// a list, but not beside commas.
func joinTags(a, b string) string {
	return strings.Join(strings.FieldsFunc(a+","+b, func(r rune) bool { return r == ',' || r == ' ' }), ",")
}
