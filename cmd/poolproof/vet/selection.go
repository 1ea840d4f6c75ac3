package vet

import "strings"

// Selection says which checks a list of codes and names asks for: those that it
// names, or, with a minus before each, all but those. An empty list asks for all.
// The error is an *UnknownCheckError.
func Selection(list []string) (func(code string) bool, error) {
	only, without := map[string]bool{}, map[string]bool{}
	for _, name := range list {
		set := only
		if rest, minus := strings.CutPrefix(name, "-"); minus {
			name, set = rest, without
		}
		code, err := Find(name)
		if err != nil {
			return nil, err
		}
		set[code] = true
	}
	return func(code string) bool { return (len(only) == 0 || only[code]) && !without[code] }, nil
}
