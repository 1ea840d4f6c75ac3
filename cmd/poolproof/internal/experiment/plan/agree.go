package plan

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// value is a result that a test printed, as "result: NAME VALUE".
type value struct{ name, value string }

// resultLine matches such a line, printed by t.Log or on its own.
var resultLine = regexp.MustCompile(`(?m)^[ \t]*(?:\S+\.go:\d+: )?result: (\S+) (.*?)[ \t\r]*$`)

// valuesOf reads the results from what a test printed, in their order. One
// name with two values is an error.
func valuesOf(printed string) ([]value, error) {
	var vs []value
	for _, m := range resultLine.FindAllStringSubmatch(printed, -1) {
		v := value{m[1], m[2]}
		i := slices.IndexFunc(vs, func(w value) bool { return w.name == v.name })
		switch {
		case i < 0:
			vs = append(vs, v)
		case vs[i] != v:
			return nil, fmt.Errorf("it prints the result %s twice, as %s and as %s", v.name, vs[i].value, v.value)
		}
	}
	return vs, nil
}

// difference is the first result that is not the same in two lists, as a
// clause; "" if all are.
func difference(a, b []value, nameA, nameB string) string {
	for _, v := range a {
		i := slices.IndexFunc(b, func(w value) bool { return w.name == v.name })
		if i < 0 {
			return fmt.Sprintf("%s is %s in %s, and %s does not print it", v.name, v.value, nameA, nameB)
		}
		if b[i] != v {
			return fmt.Sprintf("%s is %s in %s and %s in %s", v.name, v.value, nameA, b[i].value, nameB)
		}
	}
	for _, v := range b {
		if !slices.ContainsFunc(a, func(w value) bool { return w.name == v.name }) {
			return fmt.Sprintf("%s is %s in %s, and %s does not print it", v.name, v.value, nameB, nameA)
		}
	}
	return ""
}

// agree runs the study's test of agreement in every plain binary and compares
// what it prints. It returns what was found, for the plan.
func agree(ctx context.Context, bs *build.Set, o ask.Options, test string) (string, error) {
	var first []value
	passed := 0
	for _, t := range bs.Targets {
		if bs.Absent[t.ID] != "" {
			continue
		}
		o.Progress.Step("running " + test + " of " + t.String())
		printed, err := duet.RunTest(ctx, bs.Program(t.ID, 0, nil), test, o.Timeout)
		if err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			kind := fault.Code
			if errors.Is(err, duet.ErrNoTest) {
				kind = fault.Input // the study's mistake
			}
			return "", fault.Errorf(kind, "%s: agree: %w", t, err)
		}
		values, err := valuesOf(printed)
		if err != nil {
			return "", fault.Errorf(fault.Code, "%s: agree: %s: %w", t, test, err)
		}
		if passed++; passed == 1 {
			first = values
			continue
		}
		if diff := difference(first, values, bs.Main().ID, t.ID); diff != "" {
			return "", fault.Errorf(fault.Code, "agree: the results of %s differ: %s", test, diff)
		}
	}
	return agreed(test, passed, len(first)), nil
}

// agreed says what was found, as "TestArmsAgree passes in 2 binaries, with 3
// equal results".
func agreed(test string, binaries, results int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s passes", test)
	if binaries > 1 {
		fmt.Fprintf(&b, " in %d binaries", binaries)
		switch results {
		case 0:
		case 1:
			b.WriteString(", with 1 equal result")
		default:
			fmt.Fprintf(&b, ", with %d equal results", results)
		}
	}
	return b.String()
}
