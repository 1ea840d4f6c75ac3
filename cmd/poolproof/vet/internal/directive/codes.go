package directive

import (
	"slices"
	"strings"
)

// Code is the code of a check with its name. Both are fixed for ever: they
// stand in people's comments.
type Code struct{ Code, Name string }

// Codes are those of all checks, in order. A test of package vet compares them
// with its checks.
var Codes = []Code{
	{"PV000", "directive"},
	{"PV001", "use-after-put"},
	{"PV002", "double-put"},
	{"PV003", "return-alias"},
	{"PV004", "escape"},
	{"PV005", "leak-path"},
	{"PV006", "never-put"},
	{"PV007", "type-mismatch"},
	{"PV008", "nonpointer"},
	{"PV009", "pool-overwritten"},
	{"PV010", "local-pool"},
	{"PV011", "no-reset"},
	{"PV012", "oversize"},
	{"PV013", "lost-growth"},
	{"PV014", "borrowed-ctx"},
	{"PV015", "dangling-field"},
	{"PV016", "defer-in-loop"},
	{"PV017", "retained-refs"},
	{"PV018", "nil-assert"},
	{"PV019", "pool-copied"},
	{"PV020", "require-defer"},
	{"PV021", "foreign-put"},
	{"PV022", "shared-write"},
}

// Find returns the code of a check that is given by code or name, in whatever
// case.
func Find(s string) (string, bool) {
	i := slices.IndexFunc(Codes, func(c Code) bool { return strings.EqualFold(c.Code, s) || strings.EqualFold(c.Name, s) })
	if i < 0 {
		return "", false
	}
	return Codes[i].Code, true
}

// List names all checks in one line, for messages.
func List() string {
	var all []string
	for _, c := range Codes {
		all = append(all, c.Code+" "+c.Name)
	}
	return strings.Join(all, ", ")
}
