package loglines

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// Options say how lines become rows.
type Options struct {
	// MaxColumns is the number of columns from which on what has none goes into the
	// column rest_json. 0 means no bound.
	MaxColumns int

	// Times are names of columns whose texts and numbers are times. Of others only texts
	// in RFC 3339 are, if the name says so, as created_at does.
	Times []string
}

// Rows appends rows to an encoder. It is used by one goroutine at a time.
type Rows struct {
	e       *arrowlog.Encoder
	o       Options
	times   map[string]bool
	root    node
	nodes   int
	cells   []arrowlog.Cell
	seen    []int // by column: the row that has it
	row     int
	rest    []byte // members of the object in rest_json
	scratch []byte // texts that are not in the line as they are
}

// node is a key within the keys that lead to it. The keys of a line are mostly those
// of the line before, in the same order: so the child after the last is tried first.
type node struct {
	key      string
	name     string // of the column
	children []*node
	index    map[string]*node
	cursor   int
	column   [7]int // by kind, plus one
	isTime   bool   // texts in RFC 3339 are times
	anyTime  bool   // numbers and other texts too
}

// maxNodes bounds what is kept of keys. Others are looked up by their names.
const maxNodes = 1 << 16

// New returns an appender to an encoder.
func New(e *arrowlog.Encoder, o Options) *Rows {
	r := &Rows{e: e, o: o, times: map[string]bool{}}
	for _, name := range o.Times {
		r.times[name] = true
	}
	return r
}

// Forget must be called when the encoder has been flushed: its columns may be others.
func (r *Rows) Forget() {
	r.root, r.nodes = node{}, 0
	clear(r.seen)
	r.row = 0
}

// begin begins a row.
func (r *Rows) begin() {
	r.row++
	r.cells, r.rest, r.scratch = r.cells[:0], r.rest[:0], r.scratch[:0]
	r.root.cursor = 0
}

// end appends the row.
func (r *Rows) end() error {
	if len(r.rest) > 0 {
		r.rest = append(r.rest, '}')
		i, err := r.find("rest_json", arrowlog.String, true)
		if err != nil {
			return err
		}
		r.cells = append(r.cells, arrowlog.Cell{Column: i, Value: text(r.rest)})
	}
	return r.e.AppendCells(r.cells)
}

// text returns a text without a copy.
func text(b []byte) arrowlog.Value { return arrowlog.TextValue(b) }

// child returns the node of a key.
func (r *Rows) child(n *node, key []byte) *node {
	if n.cursor < len(n.children) && n.children[n.cursor].key == string(key) {
		n.cursor++
		c := n.children[n.cursor-1]
		c.cursor = 0
		return c
	}
	for i := range n.children[:min(len(n.children), 8)] {
		if c := n.children[i]; c.key == string(key) {
			n.cursor, c.cursor = i+1, 0
			return c
		}
	}
	if c, ok := n.index[string(key)]; ok {
		c.cursor = 0
		return c
	}
	c := &node{key: string(key)}
	if c.name = c.key; n != &r.root {
		c.name = n.name + "." + c.key
	}
	if c.name == "" {
		c.name = "(empty)" // a column must have a name
	}
	c.name = strings.ToValidUTF8(c.name, "\uFFFD")
	c.anyTime = r.times[c.name]
	c.isTime = c.anyTime || isTimeName(c.key)
	if r.nodes < maxNodes {
		r.nodes++
		if n.index == nil {
			n.index = map[string]*node{}
		}
		n.index[c.key] = c
		n.children = append(n.children, c)
		n.cursor = len(n.children)
	}
	return c
}

// add adds a value to the row. raw is the value as JSON, for rest_json; nil stands for
// the text of v.
func (r *Rows) add(n *node, v arrowlog.Value, raw []byte) error {
	if n.isTime {
		if t, ok := r.time(n, v); ok {
			v = t
		} else if v.Kind() == arrowlog.String && likeTime(v.Text()) {
			// A time that no column holds must not make those after it texts.
			if _, err := r.find(n.name, arrowlog.Timestamp, false); err != nil {
				return err
			}
		}
	}
	kind := v.Kind()
	if i := n.column[kind] - 1; i >= 0 && r.free(i) {
		r.cells = append(r.cells, arrowlog.Cell{Column: i, Value: v})
		return nil
	}
	name := n.name
	for twice := 2; ; twice++ {
		fitted, i, err := r.fit(name, v)
		if err != nil {
			return err
		}
		if i < 0 {
			return r.addRest(name, v, raw)
		}
		if r.free(i) {
			if twice == 2 && fitted.Kind() == kind && (kind != arrowlog.Int64 || arrowlog.ExactFloat(v.Int64())) {
				n.column[kind] = i + 1
			}
			r.cells = append(r.cells, arrowlog.Cell{Column: i, Value: fitted})
			return nil
		}
		name = n.name + "#" + strconv.Itoa(twice)
	}
}

// free reports whether the row has no cell of a column yet, and marks that it has.
func (r *Rows) free(column int) bool {
	for column >= len(r.seen) {
		r.seen = append(r.seen, 0)
	}
	if r.seen[column] == r.row {
		return false
	}
	r.seen[column] = r.row
	return true
}

// fit returns the column for a value, and the value in its kind: that of the name, if
// its kind is the value's or can be made it without loss, or that of the name with "#"
// and the kind. It returns -1 if there is no room for another column.
func (r *Rows) fit(name string, v arrowlog.Value) (arrowlog.Value, int, error) {
	kind := v.Kind()
	b := r.e.Batch()
	i := b.Index(name)
	if i < 0 {
		i, err := r.find(name, kind, false)
		return v, i, err
	}
	switch have := b.Column(i).Kind; {
	case have == kind:
		return v, i, nil
	case have == arrowlog.Float64 && kind == arrowlog.Int64 && arrowlog.ExactFloat(v.Int64()):
		return arrowlog.Float64Value(float64(v.Int64())), i, nil
	case have == arrowlog.Int64 && kind == arrowlog.Float64:
		if r.e.Widen(i) {
			r.forget(&r.root, i)
			return v, i, nil
		}
	}
	i, err := r.find(name+"#"+kind.String(), kind, false)
	return v, i, err
}

// forget makes nodes look for their column again.
func (r *Rows) forget(n *node, column int) {
	for kind, i := range n.column {
		if i == column+1 {
			n.column[kind] = 0
		}
	}
	for _, c := range n.children {
		r.forget(c, column)
	}
}

// find returns the column with the name, and adds it if there is room or it must be.
func (r *Rows) find(name string, kind arrowlog.Kind, must bool) (int, error) {
	b := r.e.Batch()
	if i := b.Index(name); i >= 0 {
		return i, nil
	}
	if !must && r.o.MaxColumns > 0 && b.Columns() >= r.o.MaxColumns {
		return -1, nil
	}
	return r.e.UseColumn(name, kind)
}

// addRest adds a value without a column.
func (r *Rows) addRest(name string, v arrowlog.Value, raw []byte) error {
	if len(r.rest) == 0 {
		r.rest = append(r.rest, '{')
	} else {
		r.rest = append(r.rest, ',')
	}
	r.rest = append(appendQuoted(r.rest, name), ':')
	if raw != nil {
		r.rest = append(r.rest, raw...)
	} else if k := v.Kind(); k == arrowlog.Int64 || k == arrowlog.Bool || k == arrowlog.Float64 {
		r.rest = v.AppendText(r.rest)
	} else {
		r.rest = appendQuoted(r.rest, v.String())
	}
	return nil
}

// appendQuoted appends a text as JSON.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
