package duet

import (
	"path/filepath"
	"regexp"
	"strings"
)

// frame matches two lines of a stack: the function, and its position.
var frame = regexp.MustCompile(`(?m)^(\S.*)\n\t(.+\.go:\d+)`)

// position returns the first position in a stack that is not the Go
// toolchain's, relative to dir where it lies in there; "" if there is none.
func position(stack, dir string) string {
	frames := frame.FindAllStringSubmatch(stack, -1)
	root := ""
	for _, f := range frames {
		if i := strings.LastIndex(f[2], "/src/testing/"); i >= 0 && strings.HasPrefix(f[1], "testing.") {
			root = f[2][:i+len("/src/")]
		} else if i := strings.LastIndex(f[2], "/src/runtime/"); i >= 0 && (strings.HasPrefix(f[1], "runtime.") || strings.HasPrefix(f[1], "panic(")) {
			root = f[2][:i+len("/src/")]
		}
	}
	for _, f := range frames {
		if machinery.MatchString(f[1]) || root != "" && strings.HasPrefix(f[2], root) {
			continue
		}
		if rel, err := filepath.Rel(dir, f[2]); err == nil && filepath.IsAbs(f[2]) && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
		return f[2]
	}
	return ""
}

// machinery matches functions that are in every stack. A binary built with
// -trimpath does not tell where its toolchain lay, so names must do.
var machinery = regexp.MustCompile(`^(?:panic\(|goroutine \d|created by |(?:runtime|testing|internal)[./])`)
