package profile

import "strings"

// PackageOf is the import path in a function's name as the runtime writes it,
// which has the dots of the last element escaped.
func PackageOf(function string) string {
	slash := strings.LastIndexByte(cutTypeArgs(function), '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return ""
	}
	return unescape(function[:slash+1+dot])
}

// NameOf is a function's name without its package: "(*T).Method", "f.func1".
func NameOf(function string) string {
	slash := strings.LastIndexByte(cutTypeArgs(function), '/')
	_, name, _ := strings.Cut(function[slash+1:], ".")
	return name
}

// cutTypeArgs takes the type arguments away, in which there may be paths.
func cutTypeArgs(function string) string {
	before, _, _ := strings.Cut(function, "[")
	return before
}

func unescape(path string) string {
	for _, e := range []struct{ from, to string }{{"%2e", "."}, {"%22", `"`}, {"%25", "%"}} {
		path = strings.ReplaceAll(path, e.from, e.to)
	}
	return path
}

// Short is a function's name as users write it: "fmt.Sprintf",
// "zstd.NewWriter", "gzip.(*Writer).Write".
func Short(function string) string {
	path := PackageOf(function)
	name := path[strings.LastIndexByte(path, '/')+1:]
	if elements := strings.Split(path, "/"); len(elements) > 1 && len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" { // a major version
		name = elements[len(elements)-2]
	}
	return name + "." + NameOf(function)
}

// OfRuntime reports whether a function is the runtime's own, or one that hands
// out memory beside it.
func OfRuntime(function string) bool {
	path := PackageOf(function)
	return path == "runtime" || path == "internal/bytealg" || strings.HasPrefix(path, "internal/runtime/") || strings.HasPrefix(path, "runtime/internal/")
}
