package studyfile

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// places says where each part of a study file stands. A key is a path of
// names and indexes, as "arm", "2", "expect", "pipeline", "0".
type places map[string]place

func pathKey(path []string) string { return strings.Join(path, "\x00") }

// at is the place of the part that the path names, or of the nearest part
// around it if the file leaves it out. Elements are strings and ints.
func (p places) at(path ...any) place {
	names := make([]string, len(path))
	for i, e := range path {
		names[i] = fmt.Sprint(e)
	}
	for n := len(names); n > 0; n-- {
		if at, ok := p[pathKey(names[:n])]; ok {
			return at
		}
	}
	return place{1, 1}
}

// locate notes where everything stands, and finds what the type File has no
// room for: unknown keys and values of a wrong type. The decoder would stop at
// the first of those and gives no places for what it accepts.
func locate(data []byte) (places, problems) {
	l := locator{places: places{}, count: map[string]int{}}
	l.parser.Reset(data)
	for l.parser.NextExpression() {
		l.expression(l.parser.Expression())
	}
	if err := l.parser.Error(); err != nil {
		at := place{1, 1}
		if e, ok := errors.AsType[*unstable.ParserError](err); ok {
			at = l.placeOf(l.parser.Range(e.Highlight))
		}
		// What was found before may be a consequence.
		l.found = nil
		l.found.addFatal(at, "%s; correct the TOML there", err)
	}
	return l.places, l.found
}

// locator walks over the expressions of one file.
type locator struct {
	parser unstable.Parser
	places places
	count  map[string]int // elements of each array of tables so far
	table  []string       // path of the table in which key-values stand now
	within reflect.Type   // its type; nil: unknown, already reported
	found  problems
}

func (l *locator) placeOf(r unstable.Range) place {
	p := l.parser.Shape(r).Start
	return place{p.Line, p.Column}
}

func (l *locator) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.Table, unstable.ArrayTable:
		l.table, l.within = l.header(n)
	case unstable.KeyValue:
		if l.table == nil {
			l.within = reflect.TypeFor[study.File]()
		}
		if l.within != nil {
			l.keyValue(l.table, l.within, n)
		}
	}
}

// header enters the table of [a.b] or [[a.b]] and returns its path and type.
func (l *locator) header(n *unstable.Node) ([]string, reflect.Type) {
	path, t := []string{}, reflect.TypeFor[study.File]()
	for it := n.Key(); it.Next(); {
		key := it.Node()
		path, t = l.step(path, t, key)
		if t == nil {
			return path, nil
		}
		name, last := string(key.Data), it.IsLast()
		switch {
		case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
			if last && n.Kind == unstable.ArrayTable {
				l.count[pathKey(path)]++
			} else if last || l.count[pathKey(path)] == 0 {
				l.found.addFatal(l.placeOf(key.Raw), "there may be several of %s; write [[%s]]", name, name)
				return path, nil
			}
			path = append(path, strconv.Itoa(l.count[pathKey(path)]-1))
			t = t.Elem()
			l.places[pathKey(path)] = l.placeOf(key.Raw)
		case last && (n.Kind == unstable.ArrayTable || !isTable(t)):
			l.found.addFatal(l.placeOf(key.Raw), "%s is %s; write %s", name, kindOf(t), example(name, t))
			return path, nil
		}
	}
	return path, t
}

// step goes from a table to the value of a key in it; nil if it has none.
func (l *locator) step(path []string, t reflect.Type, key *unstable.Node) ([]string, reflect.Type) {
	name, at := string(key.Data), l.placeOf(key.Raw)
	next := slices.Concat(path, []string{name})
	if _, ok := l.places[pathKey(next)]; !ok {
		l.places[pathKey(next)] = at
	}
	switch t.Kind() {
	case reflect.Map:
		return next, t.Elem()
	case reflect.Struct:
		keys := keysOf(t)
		if i := slices.IndexFunc(keys, func(k tomlKey) bool { return k.name == name }); i >= 0 {
			return next, keys[i].typ
		}
		l.found.add(at, "unknown key %q; remove it, or write one of %s", name, names(keys))
	default:
		l.found.addFatal(at, "%s is %s and has no keys; remove .%s", path[len(path)-1], kindOf(t), name)
	}
	return next, nil
}

func (l *locator) keyValue(path []string, t reflect.Type, n *unstable.Node) {
	var key *unstable.Node
	for it := n.Key(); it.Next(); {
		key = it.Node()
		if path, t = l.step(path, t, key); t == nil {
			return
		}
	}
	l.value(path, t, n.Value(), l.placeOf(key.Raw), string(key.Data))
}

// value checks the value of the named key, which stands at the given place.
func (l *locator) value(path []string, t reflect.Type, n *unstable.Node, at place, name string) {
	if n.Raw.Length > 0 { // arrays have no place of their own
		at = l.placeOf(n.Raw)
	}
	l.places[pathKey(path)] = at
	switch {
	case n.Kind == unstable.Array && t.Kind() == reflect.Slice:
		i := 0
		for it := n.Children(); it.Next(); i++ {
			l.value(slices.Concat(path, []string{strconv.Itoa(i)}), t.Elem(), it.Node(), at, name)
		}
	case n.Kind == unstable.InlineTable && isTable(t):
		for it := n.Children(); it.Next(); {
			l.keyValue(path, t, it.Node())
		}
	case n.Kind == unstable.String && t.Kind() == reflect.String,
		n.Kind == unstable.Bool && t.Kind() == reflect.Bool,
		n.Kind == unstable.Integer && t.Kind() == reflect.Int:
	default:
		l.found.addFatal(at, "%s must be %s and is %s; write %s", name, kindOf(t), nodeKind(n.Kind), example(name, t))
	}
}

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
	var all []string
	for _, k := range keys {
		all = append(all, k.name)
	}
	return strings.Join(all, ", ")
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
