package toolchain

import (
	"fmt"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// Mode says how much the instrumented program watches.
type Mode string

// The modes.
const (
	Exact Mode = "exact" // each memory access
	Fast  Mode = "fast"  // Puts, Gets, checksums, and what the runtime itself reads and writes
)

// Config says what to prepare.
type Config struct {
	GOROOT   string // outside of the module cache, as overlay.Toolchain has it
	Version  string // as "go1.26.8"
	GOOS     string
	GOARCH   string
	Mode     Mode
	CacheDir string // overlay files live there as long as builds shall find them unchanged
}

// The forms of instrumentation.
const (
	FormMSan = "msan" // the compiler's calls for the memory sanitizer
	FormRace = "race" // those for the race detector, where there are no others
	FormFast = "fast" // none
)

// AnchorError says which place of which file of which toolchain was not found.
type AnchorError = overlay.AnchorError

// Platform says what is watched on an operating system and architecture.
type Platform struct {
	GOOS, GOARCH string
	Form         string // of exact mode
	State        string // how far it was tried, in words
}

// What a Platform's State says.
const (
	stateRun      = "all tests run there"
	stateEmulated = "finds each kind of misuse in an emulator"
	stateBuilt    = "test binaries have been built, not run"
)

// Platforms lists where poolproof test works, best tried first. Everywhere
// fast mode works too.
var Platforms = []Platform{
	{"linux", "amd64", FormMSan, stateRun},
	{"linux", "arm64", FormMSan, stateEmulated},
	{"linux", "loong64", FormMSan, stateEmulated},
	{"freebsd", "amd64", FormMSan, stateBuilt},
	{"darwin", "arm64", FormRace, stateBuilt},
	{"darwin", "amd64", FormRace, stateBuilt},
	{"windows", "amd64", FormRace, stateBuilt},
	{"linux", "ppc64le", FormFast, stateEmulated},
	{"linux", "s390x", FormRace, stateEmulated},
	{"linux", "riscv64", FormFast, stateEmulated},
	{"windows", "arm64", FormFast, stateBuilt},
}

// Lookup returns the platform's row. The error says where it works instead.
func Lookup(goos, goarch string) (Platform, error) {
	i := slices.IndexFunc(Platforms, func(p Platform) bool { return p.GOOS == goos && p.GOARCH == goarch })
	if i < 0 {
		return Platform{}, fmt.Errorf("poolproof test does not work on %s/%s: it works on 64-bit Linux, macOS, Windows and FreeBSD", goos, goarch)
	}
	return Platforms[i], nil
}
