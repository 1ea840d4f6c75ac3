package toolchain

import (
	"fmt"
	"strings"
	"testing"
)

// Where a Get is one of very many from the same place, the pool serves it as ever; in tests of
// exact mode none is.
func TestRepeatedGetsAreServedAsEver(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	for _, tt := range []struct {
		mode             Mode
		settings         string
		test, benchmarks bool // repeated Gets of these are
	}{
		{Exact, "mode=exact,sample=off", false, false},
		{Exact, "mode=exact,sample=benchmarks", false, true},
		{Fast, "mode=fast,sample=on", true, true},
	} {
		bin := here(t, "repeated", tt.mode).compile(t)
		for args, served := range map[string]bool{"-test.run=Repeated": tt.test, "-test.bench=Repeated -test.run=^$ -test.benchtime=20000x": tt.benchmarks} {
			o := run(t, bin, tt.settings, nil, strings.Fields(args)...)
			made := 0
			if _, text, ok := strings.Cut(o.output, "in all "); ok {
				fmt.Sscanf(text, "made %d", &made)
			}
			if o.err != nil || served == (made == 20000) || made < 1024 || made > 20000 {
				t.Errorf("%s, %s: %d objects were made for 20000 Gets, %v\n%s", tt.settings, args, made, o.err, o.output)
			}
		}
	}
}

func TestACrowdedPoolOfTheSecondPass(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	b := here(t, "repeated", Fast)
	b.form = formReuse
	if o := run(t, b.compile(t), "", []string{"POOLPROOF_TEST_REUSE=last"}, "-test.run=Crowd", "-test.v", "-test.cpu=1,2,4"); o.err != nil {
		t.Errorf("%v\n%s", o.err, o.output)
	}
}
