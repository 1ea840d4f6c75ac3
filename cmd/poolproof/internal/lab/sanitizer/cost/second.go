//go:build linux

package cost

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// second is the binary of the sanitizer's second pass: each Get returns the object that was put
// last, and nothing else is watched.
const second suite.Mode = "second"

// envSecond tells that binary that objects come back.
const envSecond = "POOLPROOF_TEST_REUSE=last"

// compileSecond builds a test binary as the second pass does.
func compileSecond(ctx context.Context, dir, pkg, to string) error {
	scratch := filepath.Dir(to)
	t, err := overlay.FindWhole(ctx, dir, scratch, suite.Env...)
	if err != nil {
		return err
	}
	o, err := toolchain.PrepareReuse(ctx, toolchain.Config{
		GOROOT: t.Root, Version: t.Version, GOOS: t.OS, GOARCH: t.Arch, CacheDir: filepath.Join(scratch, "overlay"),
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": o.Replace})
	if err != nil {
		return err
	}
	replaced := filepath.Join(scratch, "second.json")
	if err := os.WriteFile(replaced, text, 0o666); err != nil {
		return err
	}
	return built(t.Command(ctx, dir, "test", "-c", "-o", to, "-overlay="+replaced, pkg))
}

// built runs the go command; its error has what that printed.
func built(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
