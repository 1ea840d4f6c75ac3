package vetunit

import (
	"strings"
	"testing"
)

func TestTheGoCommandIsToldFromTheUser(t *testing.T) {
	for line, want := range map[string]bool{
		"-V=full":                       true,
		"-flags":                        true,
		"/tmp/b001/vet.cfg":             true,
		"-tier=error /tmp/b001/vet.cfg": true,
		"-require-defer get -json /tmp/b001/vet.cfg": true,
		"":                        false,
		"vet":                     false,
		"vet ./...":               false,
		"vet ./some.cfg":          false,
		"vet -json some.cfg":      false,
		"try -patch x.diff a.cfg": false,
		"-h":                      false,
		"-version":                false,
		"-out=x.cfg":              false,
	} {
		if got := Wanted(strings.Fields(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
