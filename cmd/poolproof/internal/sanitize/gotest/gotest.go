// Package gotest speaks with the go command about tests: it takes a command line
// of go test apart and puts it together again, and reads results from what
// go test prints. It runs nothing.
package gotest

import (
	"path/filepath"
	"slices"
	"strings"
)

// Flag is one flag of the go command, as "-name=value". The value of a switch
// is "true" or "false".
type Flag struct{ Name, Value string }

func (f Flag) String() string { return "-" + f.Name + "=" + f.Value }

// Line is a command line of go test, without those two words.
type Line struct {
	Flags    []Flag   // that the go command knows, in their order
	Packages []string // none: the package in the current folder
	Binary   []string // for the test binary: flags that the go command does not know, and all after -args
}

// Args puts the line together.
func (l Line) Args() []string {
	var args []string
	for _, f := range l.Flags {
		args = append(args, f.String())
	}
	args = append(args, l.Packages...)
	if len(l.Binary) > 0 {
		args = append(append(args, "-args"), l.Binary...)
	}
	return args
}

// All returns the values of a flag, in their order. "test.run" is "run".
func (l Line) All(name string) []string {
	var values []string
	for _, f := range l.Flags {
		if f.Name == name {
			values = append(values, f.Value)
		}
	}
	return values
}

// Get returns the last value of a flag that is there, as the go command takes it.
func (l Line) Get(name string) (string, bool) {
	all := l.All(name)
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1], true
}

// On reports whether a switch is there and on.
func (l Line) On(name string) bool {
	value, ok := l.Get(name)
	return ok && value != "false" && value != "0" && value != "off" && value != ""
}

// Without returns the line without the flags of these names.
func (l Line) Without(names ...string) Line {
	l.Flags = slices.DeleteFunc(slices.Clone(l.Flags), func(f Flag) bool { return slices.Contains(names, f.Name) })
	return l
}

// With returns the line with a flag more, in place of those of that name.
func (l Line) With(name, value string) Line {
	l = l.Without(name)
	l.Flags = append(l.Flags, Flag{name, value})
	return l
}

// Like returns the line with flags of another one, as far as that has them.
func (l Line) Like(other Line, names ...string) Line {
	for _, name := range names {
		if v, ok := other.Get(name); ok {
			l = l.With(name, v)
		}
	}
	return l
}

// First returns the line with flags before all others.
func (l Line) First(flags ...Flag) Line {
	l.Flags = append(append([]Flag{}, flags...), l.Flags...)
	return l
}

// files are the flags whose values are names of files or folders.
var files = set(`blockprofile coverprofile cpuprofile memprofile modfile mutexprofile o outputdir overlay pgo trace`)

// From returns the line with names of files from dir on, for a go command that
// runs elsewhere.
func (l Line) From(dir string) Line {
	flags := make([]Flag, len(l.Flags))
	for i, f := range l.Flags {
		if files[f.Name] && f.Value != "" && !filepath.IsAbs(f.Value) && !(f.Name == "pgo" && (f.Value == "auto" || f.Value == "off")) {
			f.Value = join(dir, f.Value)
		}
		flags[i] = f
	}
	l.Flags = flags
	return l
}

// join keeps the separator at the end of a name, which says that it is a folder.
func join(dir, name string) string {
	joined := filepath.Join(dir, name)
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)) {
		joined += string(filepath.Separator)
	}
	return joined
}
