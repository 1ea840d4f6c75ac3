package corpus

import (
	"fmt"
	"regexp"
	"strings"
)

// Kind is the kind of report that a mark asks for.
type Kind string

// The kinds of marks.
const (
	// Want: a report with one of the codes is expected near this line. Codes that
	// are separated by | are different ways to name the defect.
	Want Kind = "want"
	// May: a report with one of the codes would be right, but is not asked for,
	// because the defect of the function has a want of its own.
	May Kind = "may"
	// Fine: this place is right, though it looks like what the codes find.
	Fine Kind = "fine"
)

// Mark is one comment that says what an analyzer should do here.
type Mark struct {
	Kind   Kind
	Codes  []string
	Line   int // 0: anywhere in the function
	Reason string
}

func (m Mark) String() string { return strings.Join(m.Codes, "|") }

// has says whether code is one of m's.
func (m Mark) has(code string) bool {
	for _, c := range m.Codes {
		if c == code {
			return true
		}
	}
	return false
}

var (
	markForm = regexp.MustCompile(`^//\s*(want|may|fine)\s+"([^"]*)"\s*(.*)$`)
	codeForm = regexp.MustCompile(`^PV0\d\d$`)
)

// parseMark reads the text of a comment. It returns false for a comment that is
// none, and an error for one that means to be a mark and is wrong.
func parseMark(text string, line int) (Mark, bool, error) {
	m := markForm.FindStringSubmatch(text)
	if m == nil {
		return Mark{}, false, nil
	}
	mark := Mark{
		Kind:   Kind(m[1]),
		Codes:  strings.FieldsFunc(m[2], func(r rune) bool { return r == '|' || r == ' ' }),
		Line:   line,
		Reason: m[3],
	}
	if len(mark.Codes) == 0 {
		return mark, false, fmt.Errorf("mark %q names no code; write // %s \"PV001\"", text, mark.Kind)
	}
	for _, c := range mark.Codes {
		if !codeForm.MatchString(c) {
			return mark, false, fmt.Errorf("mark %q: %q is no code like PV001", text, c)
		}
	}
	if mark.Kind == Fine && mark.Reason == "" {
		return mark, false, fmt.Errorf("mark %q gives no reason why the line is right", text)
	}
	return mark, true, nil
}
