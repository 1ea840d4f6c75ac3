package toolchain

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

var platforms = flag.Bool("platforms", false, "build test binaries for all platforms, and run those that an emulator can")

func TestOtherPlatformsBuild(t *testing.T) {
	if !*platforms {
		t.Skip("compiles the standard library for each of them: ask with -platforms")
	}
	for _, p := range Platforms {
		t.Run(p.GOOS+" "+p.GOARCH, func(t *testing.T) {
			for _, mode := range []Mode{Exact, Fast} {
				b := here(t, "seed", mode)
				b.config.GOOS, b.config.GOARCH = p.GOOS, p.GOARCH
				b.compile(t)
			}
		})
	}
}

// emulators are the programs of qemu-user by GOARCH.
var emulators = map[string]string{
	"arm64": "qemu-aarch64", "loong64": "qemu-loongarch64", "ppc64le": "qemu-ppc64le", "riscv64": "qemu-riscv64", "s390x": "qemu-s390x",
}

// TestOtherArchitecturesRunInAnEmulator: on other processors the same misuses are
// found, at the same places.
func TestOtherArchitecturesRunInAnEmulator(t *testing.T) {
	if !*platforms || runtime.GOOS != "linux" {
		t.Skip("compiles the standard library for each of them: ask with -platforms")
	}
	for _, p := range Platforms {
		program, err := exec.LookPath(emulators[p.GOARCH])
		if p.GOOS != "linux" || emulators[p.GOARCH] == "" {
			continue
		}
		t.Run(p.GOARCH, func(t *testing.T) {
			if err != nil {
				t.Skip(err)
			}
			for _, mode := range []Mode{Exact, Fast} {
				b := here(t, "seed", mode)
				b.config.GOOS, b.config.GOARCH = p.GOOS, p.GOARCH
				if p.Form == FormFast {
					mode = Fast
				}
				o := run(t, emulated(t, program, b.compile(t)), "mode="+string(mode), nil, all...)
				checkSeed(t, o, mode)
			}
		})
	}
}

// emulated is a program that runs a binary in an emulator.
func emulated(t *testing.T, program, bin string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), filepath.Base(bin))
	if err := os.WriteFile(name, fmt.Appendf(nil, "#!/bin/sh\nexec %s %s \"$@\"\n", program, bin), 0o777); err != nil {
		t.Fatal(err)
	}
	return name
}
