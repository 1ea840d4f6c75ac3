package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResultsAreReadFromWhatATestPrinted(t *testing.T) {
	printed := `=== RUN   TestArmsAgree
    arms_test.go:12: result: sum 45
    arms_test.go:13: the first line of a log
        result: deep -1.5e3 bytes
result: bare [1 2 3]
    arms_test.go:14: no result: none 7
    arms_test.go:15: result: alone
    arms_test.go:16: result: sum 45
--- PASS: TestArmsAgree (0.00s)
PASS
`
	got, err := valuesOf(strings.ReplaceAll(printed, "\n", "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []value{{"sum", "45"}, {"deep", "-1.5e3 bytes"}, {"bare", "[1 2 3]"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(value{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := valuesOf(printed + "result: sum 46\n"); err == nil || !strings.Contains(err.Error(), "the result sum twice, as 45 and as 46") {
		t.Errorf("two values of one name: %v", err)
	}
}

func TestTheFirstDifferenceOfResultsIsNamed(t *testing.T) {
	a := []value{{"sum", "45"}, {"count", "3"}}
	for _, tt := range []struct {
		name string
		b    []value
		want string
	}{
		{"equal", []value{{"sum", "45"}, {"count", "3"}}, ""},
		{"equal in another order", []value{{"count", "3"}, {"sum", "45"}}, ""},
		{"another value", []value{{"sum", "45"}, {"count", "4"}}, "count is 3 in test and 4 in test@old"},
		{"the first of two", []value{{"sum", "4"}, {"count", "4"}}, "sum is 45 in test and 4 in test@old"},
		{"one is missing", []value{{"sum", "45"}}, "count is 3 in test, and test@old does not print it"},
		{"none at all", nil, "sum is 45 in test, and test@old does not print it"},
		{"one more", []value{{"sum", "45"}, {"count", "3"}, {"more", "1"}}, "more is 1 in test@old, and test does not print it"},
	} {
		if got := difference(a, tt.b, "test", "test@old"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestWhatWasAgreedIsSaid(t *testing.T) {
	for _, tt := range []struct {
		binaries, results int
		want              string
	}{
		{1, 5, "TestX passes"},
		{2, 0, "TestX passes in 2 binaries"},
		{2, 1, "TestX passes in 2 binaries, with 1 equal result"},
		{3, 4, "TestX passes in 3 binaries, with 4 equal results"},
	} {
		if got := agreed("TestX", tt.binaries, tt.results); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
