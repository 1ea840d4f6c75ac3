package gotest

import (
	"path/filepath"
	"strings"
)

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
