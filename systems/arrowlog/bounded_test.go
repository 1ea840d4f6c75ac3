package arrowlog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

func listOf(values ...*commonpb.AnyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: values}}}
}

// TestAMessageTakesNoMoreThanItMay reads the messages of which a byte stands for most:
// none makes the encoder allocate much more than MaxBytes, nor keep it.
func TestAMessageTakesNoMoreThanItMay(t *testing.T) {
	const most, size = 4 << 20, 3 << 20
	control := textOf(strings.Repeat("\x01", size))
	nothing := make([]*commonpb.AnyValue, size/2)
	for i := range nothing {
		nothing[i] = &commonpb.AnyValue{}
	}
	maps := make([]*commonpb.AnyValue, size/4)
	for i := range maps {
		maps[i] = &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{}}}
	}
	var names, lists []*commonpb.KeyValue
	for i := range 40 {
		names = append(names, attribute(fmt.Sprint(i, strings.Repeat("k", size/50)), textOf("v")))
		lists = append(lists, attribute(fmt.Sprint("k", i), listOf(textOf(strings.Repeat("\x02", size/50)))))
	}
	var full []*commonpb.KeyValue
	for i := range 20 {
		full = append(full, attribute(fmt.Sprint("k", i), textOf("v")))
	}
	invalid := bytes.ReplaceAll(otlpMessage(t, nil, []*commonpb.KeyValue{attribute("k0", textOf(strings.Repeat("a?", size/2)))}), []byte("a?"), []byte("a\xff"))
	emptyPairs := make([]*commonpb.KeyValue, size/2)
	for i := range emptyPairs {
		emptyPairs[i] = &commonpb.KeyValue{}
	}
	for name, message := range map[string][]byte{
		"control characters":                  otlpMessage(t, nil, []*commonpb.KeyValue{attribute("l", control)}),
		"control characters in a list":        otlpMessage(t, nil, []*commonpb.KeyValue{attribute("l", listOf(control))}),
		"control characters without a column": otlpMessage(t, nil, []*commonpb.KeyValue{attribute("none", control)}),
		"a list of nothing":                   otlpMessage(t, nil, []*commonpb.KeyValue{attribute("l", listOf(nothing...))}),
		"long names":                          otlpMessage(t, nil, names),
		"lists in a resource without logs":    otlpMessage(t, lists),
		"attributes of a resource of nothing": otlpMessage(t, emptyPairs),
		"text that is not UTF-8":              invalid,
		"a text":                              otlpMessage(t, nil, []*commonpb.KeyValue{attribute("k1", textOf(strings.Repeat("x", size)))}),
		"a text without a column":             otlpMessage(t, nil, []*commonpb.KeyValue{attribute("none", textOf(strings.Repeat("x", size/2)))}),
		"a text in a list":                    otlpMessage(t, nil, []*commonpb.KeyValue{attribute("l", listOf(textOf(strings.Repeat("x", size))))}),
		"a list of empty maps":                otlpMessage(t, nil, []*commonpb.KeyValue{attribute("l", listOf(maps...))}),
		"a long trace ID":                     traceID(40 << 20),
	} {
		o := arrowlog.Options{MaxBytes: most, MaxColumns: 22, InvalidUTF8: arrowlog.ReplaceInvalid}
		if name == "long names" {
			o.MaxColumns = 100
		}
		e := open(t, arrowlog.Schema{}, o)
		_, err := e.AppendOTLP(otlpMessage(t, nil, full))
		must(t, err)
		e.Reset()
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err = e.AppendOTLP(message)
		runtime.ReadMemStats(&after)
		// A slice that grows to most bytes takes five times as many one after the other, and
		// what is quoted in pieces is made twice.
		if n := after.TotalAlloc - before.TotalAlloc; n > 8*most {
			t.Errorf("%s: %d bytes are allocated for a message of %d (%v)", name, n, len(message), err)
		}
		if err != nil && !errors.Is(err, arrowlog.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
		if e.Bytes() > most {
			t.Errorf("%s: %d bytes wait", name, e.Bytes())
		}
		e.Reset()
		runtime.GC()
		runtime.ReadMemStats(&after)
		if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > most {
			t.Errorf("%s: %d bytes are kept", name, n)
		}
		runtime.KeepAlive(message)
		runtime.KeepAlive(e)
	}
}

// traceID is a message whose log has a trace ID of so many bytes.
func traceID(n int) []byte {
	field := func(number byte, b []byte) []byte {
		out := []byte{number<<3 | 2}
		for l := len(b); ; l >>= 7 {
			if l < 1<<7 {
				out = append(out, byte(l))
				break
			}
			out = append(out, byte(l)|1<<7)
		}
		return append(out, b...)
	}
	return field(1, field(2, field(2, field(9, make([]byte, n)))))
}

// TestAnEncoderKeepsNoMoreThanItMay: each of its columns is the largest once.
func TestAnEncoderKeepsNoMoreThanItMay(t *testing.T) {
	const most, columns = 1 << 20, 40
	for _, o := range []arrowlog.Options{{MaxBytes: most}, {MaxBytes: most, SortBy: "attr.k0"}} {
		e := open(t, arrowlog.Schema{}, o)
		var before, after runtime.MemStats
		for i := range columns + 1 {
			if i == 1 {
				runtime.GC()
				runtime.ReadMemStats(&before)
			}
			var keys []*commonpb.KeyValue
			for k := range columns {
				text := fmt.Sprint(columns - k)
				if k+1 == i {
					text = strings.Repeat("x", most/4)
				}
				keys = append(keys, attribute(fmt.Sprint("k", k), textOf(text)))
			}
			_, err := e.AppendOTLP(otlpMessage(t, nil, keys, []*commonpb.KeyValue{attribute("k0", textOf("0"))}))
			must(t, err)
			_, err = e.FlushParquet(io.Discard)
			must(t, err)
		}
		runtime.GC()
		runtime.GC() // the second one empties pools
		runtime.ReadMemStats(&after)
		if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > 2*most {
			t.Errorf("sorted by %q: %d bytes are kept, at most %d", o.SortBy, n, most)
		}
		runtime.KeepAlive(e)
	}
}

// TestTextOfJSONIsMadeInPieces compares with encoding/json around the end of a piece.
func TestTextOfJSONIsMadeInPieces(t *testing.T) {
	for shift := range 5 {
		for _, s := range []string{"é", "€", "\U0001F600", "\xff", "\xf0\x9f", "\u2028", "<", "\x00", `"`} {
			text := strings.Repeat("a", 16<<10-4+shift) + s + s + strings.Repeat(s, 16<<10)
			e := open(t, arrowlog.Schema{}, arrowlog.Options{})
			message := otlpMessage(t, nil, []*commonpb.KeyValue{attribute("l", listOf(textOf(strings.ReplaceAll(text, s, strings.Repeat("?", len(s))))))})
			message = bytes.ReplaceAll(message, []byte(strings.Repeat("?", len(s))), []byte(s))
			_, err := e.AppendOTLP(message)
			must(t, err)
			want, err := json.Marshal(text)
			must(t, err)
			b := e.Batch()
			if got := b.Value(0, b.Index("attr.l#otlpjson")).Text(); got != `{"arrayValue":{"values":[{"stringValue":`+string(want)+`}]}}` {
				t.Errorf("%q after %d bytes: it is not as encoding/json writes it", s, 16<<10-4+shift)
			}
		}
	}
}
