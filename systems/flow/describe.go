package flow

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// node describes a stage without running it. It is not changed once its
// stage is made.
type node struct {
	kind   string // of the stage, as in "map"
	detail string // of this one, as in "8 goroutines"
	called string // the user's function
	name   string // by Stream.Name
	ups    []*node
	// crosses says that the stages before this one run on other goroutines.
	crosses bool
	// apart says that each of the streams before this one is drawn apart.
	apart bool
	// key is the same in all copies of the node, which differ in their names.
	key *byte
}

// newNode returns the node of a stage after ups. Those of sources have none.
func newNode(kind string, ups ...*node) *node {
	if len(ups) == 1 && ups[0] == nil {
		ups = nil
	}
	return &node{kind: kind, ups: ups, key: new(byte)}
}

// with adds a detail.
func (n *node) with(format string, args ...any) *node {
	n.detail = fmt.Sprintf(format, args...)
	return n
}

// of adds the name of a user's function.
func (n *node) of(f any) *node {
	n.called = funcName(f)
	return n
}

// across says that the stages before n run on other goroutines.
func (n *node) across() *node {
	n.crosses = true
	return n
}

func (n *node) named(name string) *node {
	c := *n
	c.name = name
	return &c
}

// title returns how the stage is called in pictures and statistics.
func (n *node) title() string {
	if n.name != "" {
		return n.name
	}
	sep := " "
	if n.crosses {
		sep = ", "
	}
	title := n.kind
	for _, part := range []string{n.detail, n.called} {
		if part != "" {
			title += sep + part
		}
	}
	return title
}

// line returns the stage's line in a picture.
func (n *node) line() string {
	if n.name != "" && n.crosses && n.detail != "" {
		return n.name + ", " + n.detail
	}
	return n.title()
}

// here begins the names of this package's functions.
var here = reflect.TypeFor[Watch]().PkgPath() + "."

// funcName returns the name of a function as it is written in its package, or the
// file and line of one that has none.
func funcName(f any) string {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func {
		return ""
	}
	info := runtime.FuncForPC(v.Pointer())
	if info == nil {
		return ""
	}
	name := strings.TrimSuffix(path.Base(info.Name()), "-fm")
	name = strings.TrimSuffix(name, "[...]")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if number, isFunc := strings.CutPrefix(last, "func"); isFunc {
		if _, err := strconv.Atoi(number); err == nil {
			file, line := info.FileLine(v.Pointer())
			if strings.HasPrefix(info.Name(), here) && !strings.HasSuffix(file, "_test.go") {
				return "" // made by Retry or Timeout: says nothing of the function in it
			}
			return path.Base(file) + ":" + strconv.Itoa(line)
		}
	}
	return name
}

// Describe returns a picture of s for people: its stages, by goroutine, in the
// order in which values pass. Each goroutine has a number, and says where its
// values go; the streams of a [Concat] have numbers too. The form may change.
//
//	1: lines of *os.File
//	   map main.parse
//	   → 2
//	2: map in order, 8 goroutines, main.lookup
//	   → the sink
func Describe[T any](s Stream[T]) string {
	s.check()
	d := &drawing{}
	d.section(s.node)
	return d.text(len(d.sections), "the sink")
}

// drawing is a picture in the making.
type drawing struct {
	sections []section
}

// section is the stages of one goroutine.
type section struct {
	lines []string
	to    int // the number of the section that follows, 0 for the sink
}

// section adds the section that ends with n, after those before it, and returns
// its number.
func (d *drawing) section(n *node) int {
	var lines []string
	var before []int
	for {
		line := n.line()
		if n.crosses || n.apart || len(n.ups) > 1 {
			var sides []int
			ups := n.ups
			if !n.crosses && !n.apart { // the first one runs here
				ups = ups[1:]
			}
			for _, up := range ups {
				sides = append(sides, d.section(up))
			}
			switch {
			case len(n.ups) > 1 && (n.crosses || n.apart):
				line += " of " + numbers(sides)
			case len(n.ups) > 1:
				line += " with " + numbers(sides)
			}
			before = append(before, sides...)
		}
		lines = append(lines, line)
		if len(n.ups) == 0 || n.crosses || n.apart {
			break
		}
		n = n.ups[0]
	}
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	d.sections = append(d.sections, section{lines: lines})
	number := len(d.sections)
	for _, b := range before {
		d.sections[b-1].to = number
	}
	return number
}

func numbers(of []int) string {
	var s []string
	for _, n := range of {
		s = append(s, strconv.Itoa(n))
	}
	return strings.Join(s, " and ")
}

func (d *drawing) text(last int, sink string) string {
	var b strings.Builder
	for i, s := range d.sections {
		number := strconv.Itoa(i + 1)
		indent := strings.Repeat(" ", len(number)+2)
		for j, line := range s.lines {
			if j == 0 {
				b.WriteString(number + ": " + line + "\n")
			} else {
				b.WriteString(indent + line + "\n")
			}
		}
		to := sink
		if i+1 != last {
			to = strconv.Itoa(s.to)
		}
		b.WriteString(indent + "→ " + to + "\n")
	}
	return b.String()
}
