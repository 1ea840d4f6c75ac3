package arrowlog

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
)

// otlpReader keeps what AppendOTLP needs from one message to the next.
type otlpReader struct {
	wire
	columns  map[otlpColumn]int // index by key and kind
	resource []otlpCell         // of the resource and scope at hand
	scope    []otlpCell
	hex      []byte
	json     []byte
	rest     []byte // members of the object in the column rest_json of the row at hand
	most     int64  // Options.MaxBytes, or as good as no bound
	room     int64  // bytes that may still be added
	slots    int64  // bytes of a row in all columns, without its texts
}

// otlpColumn identifies the column of an attribute.
type otlpColumn struct {
	prefix string
	key    string
	kind   Kind
	json   bool
}

// otlpCell is a value and its column, or -1 and the name that it has in the column
// rest_json.
type otlpCell struct {
	column int
	value  Value
	name   string
	json   bool // value is OTLP/JSON
}

// AppendOTLP adds the logs of an OpenTelemetry ExportLogsServiceRequest in its
// protobuf encoding, one row a log, and returns their number. It copies what it
// needs. The package documentation lists the columns. If the message is malformed
// (an [OTLPError] with the offset), or a cell cannot be added, no row is.
//
// The message is that of opentelemetry-proto 1.x,
// opentelemetry/proto/collector/logs/v1/logs_service.proto.
func (e *Encoder) AppendOTLP(message []byte) (rows int, err error) {
	if e.closed {
		return 0, ErrClosed
	}
	o := &e.otlp
	o.message = message
	if o.columns == nil {
		o.columns = map[otlpColumn]int{}
	}
	before, columns := e.batch.rows, len(e.batch.columns)
	o.most, o.slots = math.MaxInt64, e.batch.slots()
	if e.o.MaxBytes > 0 {
		o.most = e.o.MaxBytes
	}
	o.room = o.most - e.batch.bytes()
	done := false
	defer func() {
		o.forget()
		if !done {
			e.batch.rollback(before, columns)
			clear(o.columns) // some may be of columns that are gone
		}
	}()
	if err := o.each(field{end: len(message)}, func(f field) error {
		if f.number != 1 {
			return nil
		}
		if err := o.want(f, protowire.BytesType); err != nil {
			return err
		}
		return e.appendResource(f)
	}); err != nil {
		return 0, err
	}
	done = true
	return e.batch.rows - before, nil
}

// mostScratch bounds the scratch memory that is kept from one message to the next.
const mostScratch = 64 << 10

// forget drops what is of the message at hand.
func (o *otlpReader) forget() {
	o.message = nil
	o.rest = o.rest[:0]
	for _, b := range []*[]byte{&o.hex, &o.json, &o.rest} {
		if cap(*b) > mostScratch {
			*b = nil
		}
	}
	for _, c := range []*[]otlpCell{&o.resource, &o.scope} {
		clear((*c)[:cap(*c)])
		if int64(cap(*c))*cellBytes > mostScratch {
			*c = nil
		}
	}
}

// take takes bytes of [Options.MaxBytes] before they are used.
func (o *otlpReader) take(n int64) error {
	o.room -= n
	return o.fits(0)
}

// fits returns an error if there is no room for n bytes.
func (o *otlpReader) fits(n int64) error {
	if n > o.room {
		return fmt.Errorf("arrowlog: the rows that wait would have more than %d bytes: %w", o.most, ErrTooLarge)
	}
	return nil
}

// appendResource adds the logs of a ResourceLogs.
func (e *Encoder) appendResource(logs field) error {
	o := &e.otlp
	return e.appendPart(logs, &o.resource, colResourceURL, func(f field) error {
		return e.readAttributes(f, 1, 2, prefixResource, colResourceDropped, &o.resource)
	}, func(scope field) error { // a ScopeLogs
		return e.appendPart(scope, &o.scope, colScopeURL, e.readScope, e.appendLog)
	})
}

// appendPart reads what the logs of a part of a message share into cells, and then
// adds these logs: what they share may stand after them.
func (e *Encoder) appendPart(part field, cells *[]otlpCell, url string, shared, logs func(field) error) error {
	o := &e.otlp
	*cells = (*cells)[:0]
	err := o.each(part, func(f field) error {
		switch f.number {
		case 1:
			if err := o.want(f, protowire.BytesType); err != nil {
				return err
			}
			return shared(f)
		case 2:
			return o.want(f, protowire.BytesType)
		case 3:
			return e.shareText(f, url, cells)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return o.each(part, func(f field) error {
		if f.number != 2 {
			return nil
		}
		return logs(f)
	})
}

func (e *Encoder) readScope(scope field) error {
	o := &e.otlp
	err := o.each(scope, func(f field) error {
		switch f.number {
		case 1:
			return e.shareText(f, colScopeName, &o.scope)
		case 2:
			return e.shareText(f, colScopeVersion, &o.scope)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return e.readAttributes(scope, 3, 4, prefixScope, colScopeDropped, &o.scope)
}

// readAttributes adds the attributes of a resource or scope, and the number of
// those that were dropped, to cells.
func (e *Encoder) readAttributes(in field, attributes, dropped protowire.Number, prefix, droppedName string, cells *[]otlpCell) error {
	o := &e.otlp
	return o.each(in, func(f field) error {
		switch f.number {
		case attributes:
			c, err := e.attribute(f, prefix)
			if err != nil {
				return err
			}
			return o.keep(cells, c)
		case dropped:
			if err := o.want(f, protowire.VarintType); err != nil || o.varint(f) == 0 {
				return err
			}
			i, err := e.otlpColumn("", droppedName, Int64, false)
			if err != nil {
				return err
			}
			return o.keep(cells, otlpCell{column: i, value: Int64Value(int64(o.varint(f)))})
		}
		return nil
	})
}

// shareText adds a text that is not empty to cells.
func (e *Encoder) shareText(f field, name string, cells *[]otlpCell) error {
	if err := e.otlp.want(f, protowire.BytesType); err != nil || f.start == f.end {
		return err
	}
	i, err := e.otlpColumn("", name, String, false)
	if err != nil {
		return err
	}
	return e.otlp.keep(cells, otlpCell{column: i, value: TextValue(e.otlp.bytes(f))})
}

// cellBytes is the size of an otlpCell.
const cellBytes = int64(unsafe.Sizeof(otlpCell{}))

// keep adds a cell to those of a resource or scope.
func (o *otlpReader) keep(cells *[]otlpCell, c otlpCell) error {
	n := cellBytes
	clone := c.value.kind == String && o.sharesJSON(c.value)
	if clone {
		n += int64(len(c.value.text))
	}
	if err := o.take(n); err != nil {
		return err
	}
	if clone {
		c.value.text = strings.Clone(c.value.text)
	}
	*cells = append(*cells, c)
	return nil
}

// appendLog adds a LogRecord.
func (e *Encoder) appendLog(log field) error {
	for _, cells := range [2][]otlpCell{e.otlp.resource, e.otlp.scope} {
		for _, c := range cells {
			if err := e.set(c); err != nil {
				return err
			}
		}
	}
	if err := e.otlp.each(log, e.appendLogField); err != nil {
		return err
	}
	return e.endLog()
}

// logFields are the fields of a LogRecord that fill one column each. Values that
// are zero stand for nothing and leave it null.
var logFields = [...]struct {
	name string
	wire protowire.Type
	kind Kind
	hex  bool
}{
	1:  {name: colTime, wire: protowire.Fixed64Type, kind: Timestamp},
	2:  {name: colSeverityNumber, wire: protowire.VarintType, kind: Int64},
	3:  {name: colSeverityText, wire: protowire.BytesType, kind: String},
	7:  {name: colDropped, wire: protowire.VarintType, kind: Int64},
	8:  {name: colFlags, wire: protowire.Fixed32Type, kind: Int64},
	9:  {name: colTraceID, wire: protowire.BytesType, kind: String, hex: true},
	10: {name: colSpanID, wire: protowire.BytesType, kind: String, hex: true},
	11: {name: colObserved, wire: protowire.Fixed64Type, kind: Timestamp},
	12: {name: colEventName, wire: protowire.BytesType, kind: String},
}

func (e *Encoder) appendLogField(f field) error {
	o := &e.otlp
	switch f.number {
	case 5:
		if err := o.want(f, protowire.BytesType); err != nil {
			return err
		}
		c, err := e.cell("", colBody, f)
		if err != nil {
			return err
		}
		return e.set(c)
	case 6:
		c, err := e.attribute(f, prefixAttr)
		if err != nil {
			return err
		}
		return e.set(c)
	}
	if f.number >= protowire.Number(len(logFields)) || logFields[f.number].name == "" {
		return nil // of a later version
	}
	l := &logFields[f.number]
	if err := o.want(f, l.wire); err != nil {
		return err
	}
	v := Value{kind: l.kind}
	switch {
	case l.wire == protowire.Fixed64Type:
		t, err := o.time(f)
		if err != nil {
			return err
		}
		v.bits = uint64(t)
	case l.wire == protowire.Fixed32Type:
		v.bits = uint64(o.fixed32(f))
	case l.wire == protowire.VarintType:
		v.bits = o.varint(f)
	case l.hex:
		if err := o.fits(2 * int64(f.end-f.start)); err != nil {
			return err
		}
		o.hex = hex.AppendEncode(o.hex[:0], o.bytes(f))
		v.text = TextValue(o.hex).text
	default:
		v.text = TextValue(o.bytes(f)).text
	}
	if v.bits == 0 && v.text == "" {
		return nil
	}
	i, err := e.otlpColumn("", l.name, l.kind, false)
	if err != nil {
		return err
	}
	return e.set(otlpCell{column: i, value: v})
}

// set gives the row at hand a value, in place of one that it has already.
func (e *Encoder) set(cell otlpCell) error {
	o := &e.otlp
	if cell.column < 0 {
		before := len(o.rest)
		if err := o.appendMember(cell); err != nil {
			return err
		}
		return o.take(int64(len(o.rest) - before))
	}
	n := int64(len(cell.value.text))
	if cell.value.kind == String && !utf8.ValidString(cell.value.text) {
		n *= 2 // U+FFFD has three bytes, and stands for one or more
	}
	if err := o.take(n); err != nil {
		return err
	}
	e.batch.columns[cell.column].truncate(e.batch.rows)
	return e.batch.put(cell.column, cell.value, e.o.InvalidUTF8)
}

// endLog ends the row at hand.
func (e *Encoder) endLog() error {
	o := &e.otlp
	if len(o.rest) > 0 {
		o.rest = append(o.rest, '}')
		v := TextValue(o.rest)
		o.rest = o.rest[:0]
		i, err := e.otlpColumn("", colRest, String, false)
		if err == nil {
			err = e.set(otlpCell{column: i, value: v})
		}
		if err != nil {
			return err
		}
	}
	e.batch.rows++
	return o.take(o.slots)
}
