package sanitize

import "testing"

func TestPoisonIsKnownInEachForm(t *testing.T) {
	for line, want := range map[string]bool{
		`got "\xdb\xdb\xdb", want "abc"`:  true,
		"got [219 219 219], want [1 2 3]": true,
		"sum 0xdbdbdbdb, want 0x12":       true,
		"hex dbdbdbdb":                    true,
		"hex db db db":                    true,
		"text \ufffd\ufffd":               true,
		"db: no rows":                     false,
		"line 2190 of 12193":              false,
		"got 0xdead":                      false,
	} {
		if got := poisonForms.MatchString(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
