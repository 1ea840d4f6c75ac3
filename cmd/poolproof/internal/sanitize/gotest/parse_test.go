package gotest

import (
	"errors"
	"flag"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func own() (*flag.FlagSet, *bool, *string) {
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	return fs, fs.Bool("strict", false, ""), fs.String("mode", "exact", "")
}

func TestALineIsTakenApartAsGoTestDoes(t *testing.T) {
	for name, test := range map[string]struct {
		args string
		want Line
	}{
		"packages behind flags":                       {"-run X ./a ./b", Line{Flags: []Flag{{"run", "X"}}, Packages: []string{"./a", "./b"}}},
		"packages before flags":                       {"./a ./b -run X -v", Line{Flags: []Flag{{"run", "X"}, {"v", "true"}}, Packages: []string{"./a", "./b"}}},
		"two dashes and values behind =":              {"--run=X --v=test2json", Line{Flags: []Flag{{"run", "X"}, {"v", "test2json"}}}},
		"the long names of the test binary":           {"-test.run X -test.v ./a", Line{Flags: []Flag{{"run", "X"}, {"v", "true"}}, Packages: []string{"./a"}}},
		"a switch takes no value from behind":         {"-v ./a", Line{Flags: []Flag{{"v", "true"}}, Packages: []string{"./a"}}},
		"an unknown flag ends the list of packages":   {"-update ./a", Line{Binary: []string{"-update", "./a"}}},
		"unknown flags behind packages":               {"./a -update -size 3 -v", Line{Flags: []Flag{{"v", "true"}}, Packages: []string{"./a"}, Binary: []string{"-update", "-size", "3"}}},
		"a word that can be no value ends everything": {"./a -size=3 file -v", Line{Packages: []string{"./a"}, Binary: []string{"-size=3", "file", "-v"}}},
		"-args":                  {"./a -args -v -strict", Line{Packages: []string{"./a"}, Binary: []string{"-v", "-strict"}}},
		"-args without packages": {"-v -args x", Line{Flags: []Flag{{"v", "true"}}, Binary: []string{"x"}}},
		"two dashes alone":       {"./a -- -v", Line{Packages: []string{"./a"}, Binary: []string{"--", "-v"}}},
		"our own among packages": {"./a -strict ./b -mode fast ./c", Line{Packages: []string{"./a", "./b", "./c"}}},
		"the flags of the go command for tags and co": {"-tags a,b -gcflags=all=-N -overlay o.json", Line{Flags: []Flag{{"tags", "a,b"}, {"gcflags", "all=-N"}, {"overlay", "o.json"}}}},
		"-test.foo is for the binary":                 {"-test.foo ./a", Line{Binary: []string{"-test.foo", "./a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			fs, _, _ := own()
			got, err := Parse(strings.Fields(test.args), fs)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOurOwnFlagsAreSet(t *testing.T) {
	fs, strict, mode := own()
	if _, err := Parse(strings.Fields("-mode fast ./a -run X --strict -args -mode=none"), fs); err != nil {
		t.Fatal(err)
	}
	if !*strict || *mode != "fast" {
		t.Errorf("strict %v, mode %s", *strict, *mode)
	}
}

func TestALineThatIsPutTogetherReadsTheSame(t *testing.T) {
	for _, args := range []string{
		"-run X ./a ./b -update -size 3 -args -v", "-update ./a", "./a -- -v", "-v", "-count=1 -short . -custom=x",
	} {
		first, err := Parse(strings.Fields(args), nil)
		if err != nil {
			t.Fatal(err)
		}
		second, err := Parse(first.Args(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, second); d != "" {
			t.Errorf("%s became %v: %s", args, first.Args(), d)
		}
	}
}

func TestMistakesAreSaid(t *testing.T) {
	for args, want := range map[string]string{
		"-run":          "flag needs an argument: -run",
		"-mode":         "flag needs an argument: -mode",
		"---run=x":      "bad flag syntax",
		"-=x":           "bad flag syntax",
		"-strict=often": "invalid value",
	} {
		fs, _, _ := own()
		if _, err := Parse(strings.Fields(args), fs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
	if _, err := Parse([]string{"./a", "-nonsense", "-h"}, nil); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
	if l, err := Parse([]string{"-args", "-h"}, nil); err != nil || len(l.Binary) != 1 {
		t.Errorf("-h behind -args is the binary's: %v", err)
	}
}

func TestTheLastValueOfAFlagHolds(t *testing.T) {
	l, err := Parse(strings.Fields("-run A -v -run B -v=false -count 2"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := l.Get("run"); v != "B" || l.On("v") || !l.On("count") || l.On("race") {
		t.Errorf("run %q, v %v", v, l.On("v"))
	}
	if got := strings.Join(l.Without("v").With("run", "^TestX$").First(Flag{"a", "true"}).Args(), " "); got != "-a=true -count=2 -run=^TestX$" {
		t.Errorf("rewritten: %s", got)
	}
}

// The lists are of a certain Go; a new flag of the go command must not end up
// at the test binary unnoticed.
func TestTheListsHaveEveryFlagOfThisGoCommand(t *testing.T) {
	name := regexp.MustCompile(`(?m)^\t(?:    )?-([a-zA-Z][a-zA-Z0-9-]*)`)
	for _, topic := range []string{"build", "test", "testflag"} {
		out, err := exec.Command("go", "help", topic).Output()
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range name.FindAllStringSubmatch(string(out), -1) {
			if m[1] == "args" {
				continue
			}
			found++
			if _, _, ok := Known(m[1]); !ok {
				t.Errorf("go help %s: -%s is not in our lists", topic, m[1])
			}
		}
		if found < 3 {
			t.Errorf("go help %s: %d flags found: its form has changed", topic, found)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("-run X ./a -update 3 -args -v")
	f.Fuzz(func(t *testing.T, text string) {
		fs, _, _ := own()
		l, err := Parse(strings.Fields(text), fs)
		if err != nil {
			return
		}
		again, err := Parse(l.Args(), nil)
		if err != nil {
			t.Fatalf("%q: %v", l.Args(), err)
		}
		if d := cmp.Diff(l, again); d != "" {
			t.Fatal(d)
		}
	})
}
