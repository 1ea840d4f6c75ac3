package directive

import (
	"fmt"
	"strings"
)

// UnknownError says that there is no check of a name. Its text lists all there are.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no check %q; the checks are %s", e.Name, List())
}

// Selection says which checks a list of codes and names asks for: those that it names,
// or, with a minus before each, all but those. An empty list asks for all. The error is
// an [*UnknownError].
func Selection(list []string) (func(code string) bool, error) {
	only, without := map[string]bool{}, map[string]bool{}
	for _, name := range list {
		set := only
		if rest, minus := strings.CutPrefix(name, "-"); minus {
			name, set = rest, without
		}
		code, ok := Find(name)
		if !ok {
			return nil, &UnknownError{name}
		}
		set[code] = true
	}
	return func(code string) bool { return (len(only) == 0 || only[code]) && !without[code] }, nil
}
