package gotest

import "strings"

// The flags that go test knows in Go 1.24 to 1.26; "go help build", "go help
// test" and "go help testflag" explain them. What stands in none of the lists is for the test
// binary.
var (
	// switches take a value only in the form -name=value.
	switches = set(`a asan artifacts benchmem buildvcs c cover failfast fullpath i json linkshared modcacherw msan n race
		short trimpath v work x`)

	// valued take the next argument where the form is -name value.
	valued = set(`C asmflags bench benchtime blockprofile blockprofilerate buildmode compiler count covermode coverpkg
		coverprofile cpu cpuprofile debug-actiongraph debug-runtime-trace debug-trace exec fuzz fuzzminimizetime
		fuzztime gccgoflags gcflags installsuffix ldflags list memprofile memprofilerate mod modfile mutexprofile
		mutexprofilefraction o outputdir overlay p parallel pgo pkgdir run shuffle skip tags timeout toolexec trace vet`)

	// passed may stand with "test." before the name too.
	passed = set(`artifacts bench benchmem benchtime blockprofile blockprofilerate count coverprofile cpu cpuprofile failfast
		fullpath fuzz fuzzminimizetime fuzztime list memprofile memprofilerate mutexprofile mutexprofilefraction
		outputdir parallel run short shuffle skip timeout trace v`)
)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}

// Known returns the name under which the go command knows a flag, and whether
// the flag is a switch.
func Known(name string) (known string, isSwitch, ok bool) {
	if short, cut := strings.CutPrefix(name, "test."); cut && passed[short] {
		name = short
	}
	return name, switches[name], switches[name] || valued[name]
}
