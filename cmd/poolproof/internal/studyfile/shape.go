package studyfile

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlKey is a key that a table of a study file may have.
type tomlKey struct {
	name string
	typ  reflect.Type
}

// keysOf lists the keys of a table in the order of the struct's fields.
func keysOf(t reflect.Type) []tomlKey {
	var keys []tomlKey
	for f := range t.Fields() {
		if name := f.Tag.Get("toml"); name != "-" {
			keys = append(keys, tomlKey{name, f.Type})
		}
	}
	return keys
}

func names(keys []tomlKey) string {
	var b strings.Builder
	for i, k := range keys {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k.name)
	}
	return b.String()
}

func isTable(t reflect.Type) bool { return t.Kind() == reflect.Struct || t.Kind() == reflect.Map }

// kindOf names a type of File in the words of TOML.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Struct, reflect.Map:
		return "a table"
	case reflect.Slice:
		if isTable(t.Elem()) {
			return "a list of tables"
		}
		return "a list of strings"
	}
	panic(fmt.Sprintf("study.File holds a %v, which a study file cannot write", t))
}

// example is how a value of the type is written.
func example(name string, t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return `"..."`
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a number without a point or quotes"
	case reflect.Slice:
		if isTable(t.Elem()) {
			return "[[" + name + "]]"
		}
		return `["...", "..."]`
	}
	return "[" + name + "] above its keys"
}

// nodeKind names a value that stands in the file.
func nodeKind(k unstable.Kind) string {
	switch k {
	case unstable.String:
		return "a string"
	case unstable.Bool:
		return "true or false"
	case unstable.Integer:
		return "a whole number"
	case unstable.Float:
		return "a number with a point"
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	}
	return "a date or time"
}
