package arrowlog

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// The names of the columns of OTLP logs; doc.go lists them.
const (
	colTime            = "time_unix_nano"
	colObserved        = "observed_time_unix_nano"
	colSeverityNumber  = "severity_number"
	colSeverityText    = "severity_text"
	colBody            = "body"
	colEventName       = "event_name"
	colTraceID         = "trace_id"
	colSpanID          = "span_id"
	colFlags           = "flags"
	colDropped         = "dropped_attributes_count"
	colResourceURL     = "resource_schema_url"
	colResourceDropped = "resource_dropped_attributes_count"
	colScopeName       = "scope_name"
	colScopeVersion    = "scope_version"
	colScopeURL        = "scope_schema_url"
	colScopeDropped    = "scope_dropped_attributes_count"

	// colRest has what has no column, as a JSON object.
	colRest = "rest_json"

	prefixResource = "resource."
	prefixScope    = "scope."
	prefixAttr     = "attr."

	// suffixJSON marks columns of OTLP/JSON: values that are lists or maps.
	suffixJSON = "#otlpjson"
)

// kindSuffixes follow the name of a column where it is not the only one of its
// key.
var kindSuffixes = func() (s [len(kindNames)]string) {
	for k, name := range kindNames {
		s[k] = "#" + name
	}
	return s
}()

// hasSuffix reports whether a key ends in what reads as a suffix. Its columns
// always get one.
func hasSuffix(key string) bool {
	at := strings.LastIndexByte(key, '#')
	if at < 0 {
		return false
	}
	if key[at:] == suffixJSON {
		return true
	}
	for _, s := range kindSuffixes {
		if key[at:] == s {
			return true
		}
	}
	return false
}

// attribute reads a KeyValue and finds its column.
func (e *Encoder) attribute(kv field, prefix string) (otlpCell, error) {
	o := &e.otlp
	if err := o.want(kv, protowire.BytesType); err != nil {
		return otlpCell{}, err
	}
	key, value, err := o.keyValue(kv)
	if err != nil {
		return otlpCell{}, err
	}
	return e.cell(prefix, TextValue(o.bytes(key)).text, value)
}

// cell reads an AnyValue and finds the column for it.
func (e *Encoder) cell(prefix, key string, value field) (otlpCell, error) {
	v, simple, err := e.otlp.simpleValue(value)
	if err == nil && !simple {
		e.otlp.json, err = e.otlp.appendJSON(e.otlp.json[:0], value, 0)
		v = TextValue(e.otlp.json)
	}
	if err != nil {
		return otlpCell{}, err
	}
	i, err := e.otlpColumn(prefix, key, v.kind, !simple)
	if err != nil {
		if bad, ok := err.(*ColumnError); ok {
			return otlpCell{}, e.otlp.fail(value.start, "column %q: %s", bad.Column, bad.Reason)
		}
		return otlpCell{}, err
	}
	if i < 0 {
		return otlpCell{column: i, value: v, name: prefix + key, json: !simple}, nil
	}
	return otlpCell{column: i, value: v}, nil
}

// maxName is the length in bytes of the longest name that a column gets for an
// attribute where [Options.MaxColumns] bounds them: a file has several copies of it.
const maxName = 1 << 10

// otlpColumn finds the column for values of a kind, or adds it. It returns -1 if there
// are as many columns as there may be, or the name is too long. The key may point into the message.
func (e *Encoder) otlpColumn(prefix, key string, kind Kind, json bool) (int, error) {
	o := &e.otlp
	if i, ok := o.columns[otlpColumn{prefix, key, kind, json}]; ok {
		return i, nil
	}
	name := prefix + key
	i, ok := e.batch.index[name]
	switch {
	case json:
		name += suffixJSON
		i, ok = e.batch.index[name]
	case ok && e.batch.columns[i].Kind == kind && !hasSuffix(key):
	case ok || hasSuffix(key):
		name += kindSuffixes[kind]
		i, ok = e.batch.index[name]
	}
	if !ok {
		if e.o.MaxColumns > 0 && prefix != "" && (len(e.batch.columns) >= e.o.MaxColumns || len(name) > maxName) {
			return -1, nil
		}
		var err error
		if i, err = e.addColumn(Column{Name: strings.Clone(name), Kind: kind}); err != nil {
			return 0, err
		}
		slot := e.batch.columns[i].slot()
		o.slots += slot
		if err := o.take(int64(e.batch.rows) * slot); err != nil {
			return 0, err
		}
	} else if got := e.batch.columns[i].Kind; got != kind {
		return 0, &KindError{Row: e.batch.rows, Column: name, Want: got, Got: kind.String()}
	}
	o.columns[otlpColumn{prefix, strings.Clone(key), kind, json}] = i
	return i, nil
}
