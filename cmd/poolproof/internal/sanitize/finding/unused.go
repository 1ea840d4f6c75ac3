package finding

import (
	"slices"
	"strings"
)

// Unused returns the directives that were about nothing, of those in files of
// which gone says that all that they lead to was seen.
func Unused(all []*Directive, gone func(file string) bool) []*Directive {
	return slices.DeleteFunc(slices.Clone(all), func(d *Directive) bool { return d.used || !gone(d.File) })
}

// PackageOf is the import path of a function of a stack, without the _test of
// tests that are a package of their own.
func PackageOf(function string) string { return packageOf(function) }

// IsTestFunction reports whether a function of a stack is a test, or stands in
// one.
func IsTestFunction(function string) bool {
	return isTest(strings.TrimPrefix(function[len(packagePart(function)):], "."))
}
