package arrowlog

import (
	"encoding/hex"
	"fmt"
	"strings"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// AppendOTLP appends the rows of b to dst as an OpenTelemetry
// ExportLogsServiceRequest in its protobuf encoding, and returns the longer slice.
// Columns that [Encoder.AppendOTLP] makes become again what they were; every other
// column becomes an attribute of the log with the column's name as its key.
// Consecutive rows with the same resource and scope share them. The error names
// the row and column whose value is not what its name says, such as a trace_id
// that is not hexadecimal; dst is returned as it was then.
func AppendOTLP(dst []byte, b *Batch) ([]byte, error) {
	w := newOTLPWriter(b)
	out := dst
	for from := 0; from < b.rows; {
		to := w.sameUntil(from, b.rows, w.resource)
		w.group = w.group[:0]
		for scope := from; scope < to; {
			end := w.sameUntil(scope, to, w.scope)
			if err := w.appendScopeLogs(scope, end); err != nil {
				return dst, err
			}
			scope = end
		}
		if err := w.appendResourceLogs(&out, from); err != nil {
			return dst, err
		}
		from = to
	}
	return out, nil
}

// otlpRole says what a column becomes.
type otlpRole struct {
	column *column
	field  protowire.Number // of the message that it is a field of
	attr   bool             // an attribute; its field is that of the list
	key    string           // of the attribute
	json   bool
	hex    bool
}

// otlpWriter keeps the roles of columns and the memory of nested messages, the
// innermost last.
type otlpWriter struct {
	resource, scope, log []otlpRole
	resourceURL          *column
	scopeURL             *column

	group    []byte // ScopeLogs of one resource
	logs     []byte // fields of a ScopeLogs
	record   []byte // fields of a LogRecord, Resource or InstrumentationScope
	keyValue []byte
	value    []byte
}

// plainRoles are the columns that are not attributes.
var plainRoles = map[string]struct {
	list  int // 0: the log, 1: the scope, 2: the resource
	field protowire.Number
}{
	colTime: {0, 1}, colSeverityNumber: {0, 2}, colSeverityText: {0, 3}, colBody: {0, 5}, colDropped: {0, 7}, colFlags: {0, 8},
	colTraceID: {0, 9}, colSpanID: {0, 10}, colObserved: {0, 11}, colEventName: {0, 12},
	colScopeName: {1, 1}, colScopeVersion: {1, 2}, colScopeDropped: {1, 4},
	colResourceDropped: {2, 2},
}

func newOTLPWriter(b *Batch) *otlpWriter {
	w := &otlpWriter{}
	lists := [...]*[]otlpRole{&w.log, &w.scope, &w.resource}
	for _, c := range b.columns {
		name, json := c.Name, false
		if hasSuffix(name) {
			json = strings.HasSuffix(name, suffixJSON)
			name = name[:strings.LastIndexByte(name, '#')]
		}
		role := otlpRole{column: c, json: json && c.Kind == String}
		plain, known := plainRoles[name]
		switch {
		case name == colResourceURL && c.Kind == String:
			w.resourceURL = c
			continue
		case name == colScopeURL && c.Kind == String:
			w.scopeURL = c
			continue
		case known && fits(plain.list, plain.field, c.Kind):
			role.field = plain.field
			role.hex = plain.list == 0 && (plain.field == 9 || plain.field == 10)
			*lists[plain.list] = append(*lists[plain.list], role)
			continue
		case strings.HasPrefix(name, prefixResource):
			role.field, role.attr, role.key = 1, true, name[len(prefixResource):]
			w.resource = append(w.resource, role)
		case strings.HasPrefix(name, prefixScope):
			role.field, role.attr, role.key = 3, true, name[len(prefixScope):]
			w.scope = append(w.scope, role)
		case strings.HasPrefix(name, prefixAttr):
			role.field, role.attr, role.key = 6, true, name[len(prefixAttr):]
			w.log = append(w.log, role)
		default: // of a file that is not ours
			role = otlpRole{column: c, field: 6, attr: true, key: c.Name}
			w.log = append(w.log, role)
		}
	}
	return w
}

// fits reports whether a column of a kind can be a field that is no attribute.
func fits(list int, field protowire.Number, k Kind) bool {
	if list == 0 {
		switch field {
		case 1, 11:
			return k == Timestamp
		case 2, 7, 8:
			return k == Int64
		case 5:
			return true
		}
		return k == String
	}
	if list == 1 && field < 3 {
		return k == String
	}
	return k == Int64
}

// sameUntil returns the first row from which on one of the cells differs.
func (w *otlpWriter) sameUntil(from, end int, roles []otlpRole) int {
	to := from + 1
	for ; to < end; to++ {
		for _, r := range roles {
			if !r.column.sameCell(from, to) {
				return to
			}
		}
		for _, url := range [...]*column{w.resourceURL, w.scopeURL} {
			if url != nil && !url.sameCell(from, to) {
				return to
			}
		}
	}
	return to
}

// sameCell reports whether two rows are equal, nulls included.
func (c *column) sameCell(a, b int) bool {
	va, vb := c.value(a), c.value(b)
	return va == vb
}

// appendResourceLogs appends a ResourceLogs around the group.
func (w *otlpWriter) appendResourceLogs(dst *[]byte, row int) error {
	w.logs = w.logs[:0]
	if err := w.appendFields(row, w.resource); err != nil {
		return err
	}
	w.logs = appendMessage(w.logs, 1, w.record)
	w.logs = append(w.logs, w.group...)
	w.logs = appendURL(w.logs, w.resourceURL, row)
	*dst = appendMessage(*dst, 1, w.logs)
	return nil
}

// appendScopeLogs appends a ScopeLogs to the group.
func (w *otlpWriter) appendScopeLogs(from, to int) error {
	w.logs = w.logs[:0]
	if err := w.appendFields(from, w.scope); err != nil {
		return err
	}
	w.logs = appendMessage(w.logs, 1, w.record)
	for row := from; row < to; row++ {
		if err := w.appendFields(row, w.log); err != nil {
			return err
		}
		w.logs = appendMessage(w.logs, 2, w.record)
	}
	w.logs = appendURL(w.logs, w.scopeURL, from)
	w.group = appendMessage(w.group, 2, w.logs)
	return nil
}

func appendURL(dst []byte, url *column, row int) []byte {
	if url == nil || !url.isValid(row) {
		return dst
	}
	return appendMessage(dst, 3, url.at(row))
}

func appendMessage(dst []byte, number protowire.Number, message []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, number, protowire.BytesType), message)
}

// appendFields writes the cells of a row into w.record.
func (w *otlpWriter) appendFields(row int, roles []otlpRole) error {
	w.record = w.record[:0]
	for i := range roles {
		r := &roles[i]
		if !r.column.isValid(row) {
			continue
		}
		if err := w.appendField(row, r); err != nil {
			return fmt.Errorf("arrowlog: row %d, column %q: %w", row, r.column.Name, err)
		}
	}
	return nil
}

func (w *otlpWriter) appendField(row int, r *otlpRole) error {
	v := r.column.value(row)
	isBody := !r.attr && r.field == 5
	switch {
	case r.attr || isBody:
		var err error
		if w.value, err = appendAnyValue(w.value[:0], v, r.json); err != nil {
			return err
		}
		if isBody {
			w.record = appendMessage(w.record, 5, w.value)
			return nil
		}
		w.keyValue = protowire.AppendString(protowire.AppendTag(w.keyValue[:0], 1, protowire.BytesType), r.key)
		w.keyValue = appendMessage(w.keyValue, 2, w.value)
		w.record = appendMessage(w.record, r.field, w.keyValue)
	case r.hex:
		var err error
		if w.value, err = hex.AppendDecode(w.value[:0], v.AsBytes()); err != nil {
			return err
		}
		w.record = appendMessage(w.record, r.field, w.value)
	case v.kind == String:
		w.record = appendMessage(w.record, r.field, v.AsBytes())
	case v.kind == Timestamp:
		w.record = protowire.AppendFixed64(protowire.AppendTag(w.record, r.field, protowire.Fixed64Type), v.bits)
	case r.field == 8: // the flags; no other integer has this number
		w.record = protowire.AppendFixed32(protowire.AppendTag(w.record, r.field, protowire.Fixed32Type), uint32(v.bits))
	default:
		w.record = protowire.AppendVarint(protowire.AppendTag(w.record, r.field, protowire.VarintType), v.bits)
	}
	return nil
}

// appendAnyValue appends the fields of an AnyValue.
func appendAnyValue(dst []byte, v Value, json bool) ([]byte, error) {
	switch {
	case json:
		var any commonpb.AnyValue
		if err := protojson.Unmarshal(v.AsBytes(), &any); err != nil {
			return dst, fmt.Errorf("the text is not an AnyValue of OTLP/JSON: %w", err)
		}
		return proto.MarshalOptions{Deterministic: true}.MarshalAppend(dst, &any)
	case v.kind == String:
		return appendMessage(dst, anyString, v.AsBytes()), nil
	case v.kind == Bytes:
		return appendMessage(dst, anyBytes, v.AsBytes()), nil
	case v.kind == Bool:
		return protowire.AppendVarint(protowire.AppendTag(dst, anyBool, protowire.VarintType), v.bits), nil
	case v.kind == Float64:
		return protowire.AppendFixed64(protowire.AppendTag(dst, anyDouble, protowire.Fixed64Type), v.bits), nil
	}
	return protowire.AppendVarint(protowire.AppendTag(dst, anyInt, protowire.VarintType), v.bits), nil
}
