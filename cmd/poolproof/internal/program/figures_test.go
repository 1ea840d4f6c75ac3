package program

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTheUsersMetricsComeFirst(t *testing.T) {
	m, err := ParseMetric(`requests/s=rate ([0-9,]+)`)
	if err != nil {
		t.Fatal(err)
	}
	gone := Metric{"gone", regexp.MustCompile(`gone (\d+)`)}
	got, missing := printed("Requests/sec: 5\nrate 1,234\n", []Metric{m, gone})
	if got["requests/s"] != 1234 || !slices.Equal(missing, []string{"gone"}) {
		t.Errorf("%v, missing %q", got, missing)
	}
	for text, want := range map[string]string{
		"p99":          "write NAME=REGEXP",
		"=x":           "write NAME=REGEXP",
		"a b=(x)":      "write NAME=REGEXP",
		"p99=x":        "has no group around the number",
		"p99=(":        "metric p99: error parsing regexp",
		"gcs=(x)":      "that is measured anyway",
		"cpu=(x)":      "that is measured anyway",
		"peak-rss=(x)": "that is measured anyway",
	} {
		if _, err := ParseMetric(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestACommandLineIsSplitWithoutAShell(t *testing.T) {
	for line, want := range map[string][]string{
		`server -addr $ADDR`:         {"server", "-addr", "$ADDR"},
		`a 'b c' "d 'e'" f'g h'i ''`: {"a", "b c", "d 'e'", "fg hi", ""},
		"  a\t b \n":                 {"a", "b"},
	} {
		if got, err := Words(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "  ", "a 'b"} {
		if _, err := Words(line); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
	if got := substitute([]string{"-a=$ADDR", "http://${ADDR}/"}, "h:1"); !slices.Equal(got, []string{"-a=h:1", "http://h:1/"}) {
		t.Errorf("%q", got)
	}
}
