package sanitize

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// ask makes a question of a command line and of GOFLAGS.
func ask(t *testing.T, line, goflags string) asked {
	t.Helper()
	parse := func(s string) gotest.Line {
		l, err := gotest.Parse(strings.Fields(strings.ReplaceAll(s, "_", "\x00")), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.Flags {
			l.Flags[i].Value = strings.ReplaceAll(l.Flags[i].Value, "\x00", " ")
		}
		return l
	}
	return asked{line: parse(line), env: parse(goflags)}
}

func TestEveryPackageGetsOurCompilerFlags(t *testing.T) {
	for name, test := range map[string]struct {
		line, goflags string
		want          []string
	}{
		"none of the user's":           {"", "", []string{"all=-msan -d=checkptr=0"}},
		"without a pattern":            {"-gcflags=-N", "", []string{"all=-msan -d=checkptr=0", "-N -msan -d=checkptr=0"}},
		"with a pattern":               {"-gcflags=./a=-N_-l", "", []string{"all=-msan -d=checkptr=0", "./a=-N -l -msan -d=checkptr=0"}},
		"several, in their order":      {"-gcflags=all=-N -gcflags=./a=-l", "", []string{"all=-msan -d=checkptr=0", "all=-N -msan -d=checkptr=0", "./a=-l -msan -d=checkptr=0"}},
		"a pattern without flags":      {"-gcflags=./a=", "", []string{"all=-msan -d=checkptr=0", "./a=-msan -d=checkptr=0"}},
		"an empty value":               {"-gcflags=", "", []string{"all=-msan -d=checkptr=0", "-msan -d=checkptr=0"}},
		"of GOFLAGS, which come first": {"-gcflags=./a=-l", "-gcflags=-N", []string{"all=-msan -d=checkptr=0", "-N -msan -d=checkptr=0", "./a=-l -msan -d=checkptr=0"}},
	} {
		t.Run(name, func(t *testing.T) {
			line := ask(t, test.line, test.goflags).instrumented([]string{"-msan", "-d=checkptr=0"}, "o.json", "x")
			if d := cmp.Diff(test.want, line.All("gcflags")); d != "" {
				t.Error(d)
			}
		})
	}
	if got := ask(t, "-gcflags=-N", "").instrumented(nil, "o", "x").All("gcflags"); len(got) != 0 {
		t.Errorf("without flags of ours the user's are lost or changed: %q", got)
	}
}

func TestTheLineThatIsRun(t *testing.T) {
	for name, test := range map[string]struct{ line, goflags, want string }{
		"as it is":              {"-run X ./a", "", "-run=X -tags=poolproofmark -overlay=o -exec=x -count=1 ./a"},
		"tags are joined":       {"-tags a,b", "-tags=c", "-tags=a,b,poolproofmark -overlay=o -exec=x -count=1"},
		"tags of GOFLAGS":       {"", "-tags=c", "-tags=c,poolproofmark -overlay=o -exec=x -count=1"},
		"old tags have spaces":  {"-tags=a_b", "", "-tags=a,b,poolproofmark -overlay=o -exec=x -count=1"},
		"the mark tag is there": {"-tags=poolproofmark", "", "-tags=poolproofmark -overlay=o -exec=x -count=1"},
		"the user's count":      {"-count 3", "", "-count=3 -tags=poolproofmark -overlay=o -exec=x"},
		"the count of GOFLAGS":  {"", "-count=3", "-tags=poolproofmark -overlay=o -exec=x"},
		"overlay and exec":      {"-overlay mine -exec time", "", "-tags=poolproofmark -overlay=o -exec=x -count=1"},
		"arguments of the test": {". -args -v", "", "-tags=poolproofmark -overlay=o -exec=x -count=1 . -args -v"},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(ask(t, test.line, test.goflags).instrumented(nil, "o", "x").Args(), " ")
			if got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
		})
	}
}

func TestWhatTakesThePlaceOfTheHooksIsRefused(t *testing.T) {
	for _, test := range []struct{ line, goflags, want string }{
		{"-race", "", "-race takes the place"},
		{"", "-race", "-race takes the place"},
		{"-msan", "", "-msan takes the place"},
		{"-asan", "", "-asan takes the place"},
		{"-linkshared", "", "-linkshared links"},
		{"-compiler=gccgo", "", "gc compiler"},
		{"-buildmode=plugin", "", "-buildmode=plugin"},
		{"-race=false", "-race", ""},
		{"-buildmode=pie -compiler=gc", "", ""},
		{"-cover -v -json", "", ""},
	} {
		err := ask(t, test.line, test.goflags).refuse()
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.line, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || fault.KindOf(err) != fault.Input):
			t.Errorf("%s with GOFLAGS=%s: %v", test.line, test.goflags, err)
		}
	}
}

func TestARunThatLooksAgainRunsOnlyThatAndWritesNothing(t *testing.T) {
	line := ask(t, "-run=All -short -coverprofile=c.out -json -o=x -bench=. -timeout=9s ./a ./b", "").line
	for name, test := range map[string]struct {
		names []string
		want  string
	}{
		"a test":              {[]string{"TestA"}, "-short=true -timeout=9s -vet=off -count=1 -run=^(TestA)$ m/a"},
		"subtests of one":     {[]string{"TestA/x", "TestA/y/z", "TestB"}, "-short=true -timeout=9s -vet=off -count=1 -run=^(TestA|TestB)$ m/a"},
		"a benchmark":         {[]string{"BenchmarkX/size=3-8"}, "-short=true -timeout=9s -vet=off -count=1 -run=^$ -bench=^(BenchmarkX)$ m/a"},
		"a benchmark with -8": {[]string{"BenchmarkX-8"}, "-short=true -timeout=9s -vet=off -count=1 -run=^$ -bench=^(BenchmarkX)$ m/a"},
		"the whole package":   {nil, "-short=true -timeout=9s -vet=off -count=1 -run=All -bench=. m/a"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(only(line, "m/a", test.names).Args(), " "); got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
		})
	}
}

func TestPatternsThatReachOurPackages(t *testing.T) {
	for pattern, want := range map[string]bool{
		"all": true, "std": true, "...": true, "sync": true, "sync/...": true, "s...": true, "internal/...": true,
		"./...": false, "example.com/...": false, "sync/atomic": false, "syncs": false, "fmt": false, "(": false,
	} {
		if got := matches(pattern, "sync") || matches(pattern, "internal/race"); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}

func TestTheLauncherStandsInFrontOfTheUsersProgram(t *testing.T) {
	value, err := execFlag([]string{"qemu", "-cpu max", "it's"})
	if err != nil {
		t.Fatal(err)
	}
	if want := launchArg + ` 3 qemu '-cpu max' "it's"`; !strings.HasSuffix(value, want) {
		t.Errorf("%s\nwant %s", value, want)
	}
	if _, err := execFlag([]string{`'"`}); err == nil {
		t.Error("no error for what the go command cannot read")
	}
}
