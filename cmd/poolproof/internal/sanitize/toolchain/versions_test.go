package toolchain

import (
	"flag"
	"strings"
	"testing"
)

// The releases of Go whose anchors are tested beside that which runs the tests.
var otherVersions = []string{"go1.24.13", "go1.25.14"}

var (
	mustHave = flag.Bool("toolchains", false, "a toolchain that cannot be fetched is a failure")
	newer    = flag.String("newer", "", "further toolchains, a comma between: what no promise is made about")
)

// TestToolchainsOfTheModuleCache: the other versions that Prepare knows.
func TestToolchainsOfTheModuleCache(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches toolchains and compiles their libraries")
	}
	for _, version := range otherVersions {
		t.Run(version, func(t *testing.T) { checkVersion(t, version) })
	}
}

// TestNewerToolchains is a look ahead, for who asks.
func TestNewerToolchains(t *testing.T) {
	if *newer == "" {
		t.Skip("ask with -newer go1.99rc1")
	}
	for version := range strings.SplitSeq(*newer, ",") {
		t.Run(version, func(t *testing.T) { checkVersion(t, version) })
	}
}

// checkVersion runs the module seed with another toolchain, in both modes.
func checkVersion(t *testing.T, version string) {
	for _, mode := range []Mode{Exact, Fast} {
		bin := toolchainOf(t, version, "seed", mode).compile(t)
		o := run(t, bin, "mode="+string(mode), nil, all...)
		checkSeed(t, o, mode)
		if s := o.of("start"); len(s) != 1 || s[0].Go != version {
			t.Errorf("start %+v", s)
		}
	}
}
