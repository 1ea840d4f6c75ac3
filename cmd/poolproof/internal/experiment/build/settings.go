package build

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// With returns the ID of a target that is as another one, but built with the settings
// of a cell: its toolchain, experiments, level of the processor or profile. Where the
// cell has none, that is the other one itself. Nothing is built. What cannot be
// had, such as a toolchain that is not there, is in Absent.
func (bs *Set) With(ctx context.Context, id string, cell []string) (string, error) {
	settings, _ := study.Settings(cell)
	if len(settings) == 0 {
		return id, nil
	}
	with := id + settingsSuffix(settings)
	if bs.Target(with) != nil || bs.Absent[with] != "" {
		return with, nil
	}
	t := *bs.Target(id)
	t.ID, t.settings = with, true
	t.optional = "with " + strings.Join(settings, " ") + " it cannot be built"
	if err := t.set(ctx, settings); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		bs.leaveOut(with, t.optional, err)
		return with, nil
	}
	bs.Targets = append(bs.Targets, &t)
	bs.Leaves[with] = bs.Leaves[id]
	return with, nil
}

// Again makes the target of a plan's binary, which With may have named, in a cell.
func (bs *Set) Again(ctx context.Context, id string, cell []string) error {
	settings, _ := study.Settings(cell)
	plain, ok := strings.CutSuffix(id, settingsSuffix(settings))
	if len(settings) == 0 || !ok || bs.Target(plain) == nil {
		return nil // another one, or one that is missed later
	}
	_, err := bs.With(ctx, plain, cell)
	return err
}

// settingsSuffix returns the suffix that With adds to an ID.
func settingsSuffix(settings []string) string {
	return "+" + fileName(strings.Join(settings, "+"))
}

// set gives the target the toolchain, or the flags, that the settings name.
func (t *Target) set(ctx context.Context, settings []string) (err error) {
	t.Env = slices.Clone(t.Env)
	profile := ""
	for _, s := range settings {
		if name, value, _ := strings.Cut(s, "="); name == study.PGO {
			profile = value
		} else {
			t.Env = append(t.Env, s)
		}
	}
	dir := t.Package.Dir
	if t.Chain, err = overlay.Find(ctx, dir, t.Scratch, t.Env...); err != nil {
		return err
	}
	if profile != "" {
		if profile != "off" && profile != "auto" {
			if !Exists(profile) {
				return fault.Errorf(fault.Input, "%s=%s: no such file", study.PGO, profile)
			}
			if profile, err = filepath.Abs(profile); err != nil {
				return err
			}
		}
		t.Chain = t.Chain.WithFlag("-pgo=" + profile)
	}
	if t.Package, err = duet.List(ctx, t.Chain, dir, t.Tags); err == nil {
		err = t.Package.Tested()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}
