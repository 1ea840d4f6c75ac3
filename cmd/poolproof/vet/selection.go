package vet

import "github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"

// Selection says which checks a list of codes and names asks for: those that it
// names, or, with a minus before each, all but those. An empty list asks for all.
// The error names the first one that there is not, and lists those that there are.
func Selection(list []string) (func(code string) bool, error) { return directive.Selection(list) }
