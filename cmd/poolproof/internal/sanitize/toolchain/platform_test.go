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

// TestOtherVersionsBuildForArm64: the linker of each has its own idea of how much
// stack a hook takes, and there it is close to the limit.
func TestOtherVersionsBuildForArm64(t *testing.T) {
	if !*platforms {
		t.Skip("compiles the standard library for each of them: ask with -platforms")
	}
	for _, version := range otherVersions {
		t.Run(version, func(t *testing.T) {
			b := toolchainOf(t, version, "seed", Exact)
			b.config.GOOS, b.config.GOARCH = "linux", "arm64"
			b.compile(t)
		})
	}
}

// emulators are the programs of qemu-user by GOARCH.
var emulators = map[string]string{
	"arm64": "qemu-aarch64", "loong64": "qemu-loongarch64", "ppc64le": "qemu-ppc64le", "riscv64": "qemu-riscv64", "s390x": "qemu-s390x",
}

// TestOtherArchitecturesRunInAnEmulator: on other processors the same misuses are
// found, at the same places. arm64 always runs, the others if asked for.
func TestOtherArchitecturesRunInAnEmulator(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library for each of them")
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs an emulator of processes")
	}
	for _, p := range Platforms {
		program := emulators[p.GOARCH]
		if p.GOOS != "linux" || program == "" {
			continue
		}
		t.Run(p.GOARCH, func(t *testing.T) {
			if p.GOARCH != "arm64" && !*platforms {
				t.Skip("ask with -platforms")
			}
			program, missing := exec.LookPath(program)
			for _, mode := range []Mode{Exact, Fast} {
				b := here(t, "seed", mode)
				b.config.GOOS, b.config.GOARCH = p.GOOS, p.GOARCH
				if p.Form == FormFast {
					mode = Fast
				}
				bin := b.compile(t)
				if missing == nil {
					checkSeed(t, run(t, emulated(t, program, bin), "mode="+string(mode), nil, all...), mode)
				}
			}
			if missing != nil {
				t.Skipf("it builds; %v", missing)
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
