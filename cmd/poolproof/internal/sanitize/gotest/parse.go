package gotest

import (
	"flag"
	"fmt"
	"strings"
)

// Parse takes a command line apart as go test does, with two differences: flags
// that own defines may stand anywhere before -args, and are set there;
// and nothing is run. The error is flag.ErrHelp where -h or -help is there.
//
// As with go test, packages stand together, before or after flags. What
// follows an unknown flag is for the test binary, unless it is a known flag.
func Parse(args []string, own *flag.FlagSet) (Line, error) {
	p := parser{own: own}
	for len(args) > 0 && !p.done {
		var err error
		if args, err = p.one(args); err != nil {
			return Line{}, err
		}
	}
	return p.line, nil
}

type parser struct {
	own    *flag.FlagSet // may be nil
	line   Line
	inList bool // the last argument was a package
	closed bool // there was a list of packages, or an unknown flag: no list can follow
	loose  bool // the last argument was an unknown flag without a value
	done   bool
}

// one takes the first argument, and its value, and returns the others.
func (p *parser) one(args []string) ([]string, error) {
	arg, rest := args[0], args[1:]
	loose := p.loose
	p.loose = false
	if arg == "--" {
		p.line.Binary, p.done = append(p.line.Binary, args...), true
		return nil, nil
	}
	if len(arg) < 2 || arg[0] != '-' {
		return p.word(arg, rest, loose), nil
	}
	name, value, has := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	switch {
	case name == "" || name[0] == '-':
		return nil, fmt.Errorf("bad flag syntax: %s", arg)
	case name == "args" && !has:
		p.line.Binary, p.done = append(p.line.Binary, rest...), true
		return nil, nil
	case name == "h" || name == "help":
		return nil, flag.ErrHelp
	}
	if fl := p.lookup(name); fl != nil {
		return p.set(fl, value, has, rest)
	}
	p.inList = false
	known, isSwitch, ok := Known(name)
	switch {
	case !ok && p.mode(name):
		return nil, fmt.Errorf("there is no flag -%s: write -mode %s (a flag -%s of your tests stands after -args)", name, name, name)
	case !ok:
		p.closed, p.loose = true, !has
		p.line.Binary = append(p.line.Binary, arg)
		return rest, nil
	case has:
	case isSwitch:
		value = "true"
	case len(rest) == 0:
		return nil, fmt.Errorf("flag needs an argument: %s", arg)
	default:
		value, rest = rest[0], rest[1:]
	}
	p.line.Flags = append(p.line.Flags, Flag{known, value})
	return rest, nil
}

// word takes an argument that is no flag.
func (p *parser) word(arg string, rest []string, loose bool) []string {
	switch {
	case p.inList || !p.closed:
		p.inList, p.closed = true, true
		p.line.Packages = append(p.line.Packages, arg)
		return rest
	case loose: // perhaps the value of the flag before it
		p.line.Binary = append(p.line.Binary, arg)
		return rest
	default:
		p.line.Binary, p.done = append(append(p.line.Binary, arg), rest...), true
		return nil
	}
}

// mode reports whether a flag that is not known names a mode, which -mode chooses.
func (p *parser) mode(name string) bool {
	return (name == "fast" || name == "exact") && p.lookup("mode") != nil
}

func (p *parser) lookup(name string) *flag.Flag {
	if p.own == nil {
		return nil
	}
	return p.own.Lookup(name)
}

// set sets a flag of our own.
func (p *parser) set(fl *flag.Flag, value string, has bool, rest []string) ([]string, error) {
	if !has {
		b, ok := fl.Value.(interface{ IsBoolFlag() bool })
		switch {
		case ok && b.IsBoolFlag():
			value = "true"
		case len(rest) == 0:
			return nil, fmt.Errorf("flag needs an argument: -%s", fl.Name)
		default:
			value, rest = rest[0], rest[1:]
		}
	}
	if err := p.own.Set(fl.Name, value); err != nil {
		return nil, fmt.Errorf("invalid value %q for flag -%s: %w", value, fl.Name, err)
	}
	return rest, nil
}

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
