package arrowlog_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// request makes a message with everything that OTLP logs can have.
func request(seed uint64) *collogspb.ExportLogsServiceRequest {
	random := rand.New(rand.NewPCG(seed, 11))
	r := &collogspb.ExportLogsServiceRequest{}
	for i := range 1 + random.IntN(3) {
		rl := &logspb.ResourceLogs{Resource: &resourcepb.Resource{Attributes: attributes(random, fmt.Sprint("r", i)), DroppedAttributesCount: uint32(random.IntN(2))}}
		if random.IntN(2) == 0 {
			rl.SchemaUrl = "https://opentelemetry.io/schemas/1.30.0"
		}
		for j := range 1 + random.IntN(3) {
			sl := &logspb.ScopeLogs{Scope: &commonpb.InstrumentationScope{Name: fmt.Sprint("scope", j), Version: "1", Attributes: attributes(random, "s"), DroppedAttributesCount: uint32(random.IntN(2))}}
			for range 1 + random.IntN(20) {
				sl.LogRecords = append(sl.LogRecords, logRecord(random))
			}
			rl.ScopeLogs = append(rl.ScopeLogs, sl)
		}
		r.ResourceLogs = append(r.ResourceLogs, rl)
	}
	return r
}

func logRecord(random *rand.Rand) *logspb.LogRecord {
	l := &logspb.LogRecord{
		TimeUnixNano:         uint64(random.Int64()),
		ObservedTimeUnixNano: uint64(random.Int64()),
		SeverityNumber:       logspb.SeverityNumber(random.IntN(25)),
		SeverityText:         []string{"", "INFO", "WARN"}[random.IntN(3)],
		Attributes:           attributes(random, "a"),
		Flags:                random.Uint32N(3),
		EventName:            []string{"", "event"}[random.IntN(2)],
	}
	if random.IntN(3) > 0 {
		l.Body = anyValue(random, 0)
	}
	if random.IntN(2) == 0 {
		l.TraceId = make([]byte, 16)
		l.SpanId = make([]byte, 8)
		for i := range l.TraceId {
			l.TraceId[i] = byte(random.Uint32())
		}
	}
	return l
}

// attributes uses keys that collide with names and suffixes of columns.
func attributes(random *rand.Rand, prefix string) (all []*commonpb.KeyValue) {
	all = append(all, &commonpb.KeyValue{Key: prefix + "unique", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: random.Int64()}}})
	keys := []string{"a", "b", "a#int64", "a#otlpjson", "body", "x.y", "ключ", "#", "service.name", ""}
	random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, k := range keys[:random.IntN(len(keys))] {
		all = append(all, &commonpb.KeyValue{Key: prefix + k, Value: anyValue(random, 0)})
	}
	return all
}

func anyValue(random *rand.Rand, depth int) *commonpb.AnyValue {
	n := 8
	if depth > 2 {
		n = 5
	}
	switch random.IntN(n) {
	case 0:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: random.IntN(2) == 0}}
	case 1:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: []int64{0, -1, math.MaxInt64, math.MinInt64}[random.IntN(4)]}}
	case 2:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: []float64{0, 1.5, math.Inf(1), math.Inf(-1), math.MaxFloat64}[random.IntN(5)]}}
	case 3:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: []byte{0, 1, 0xff}[:random.IntN(4)]}}
	case 5:
		list := &commonpb.ArrayValue{}
		for range random.IntN(3) {
			list.Values = append(list.Values, anyValue(random, depth+1))
		}
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: list}}
	case 6:
		list := &commonpb.KeyValueList{}
		for range random.IntN(3) {
			list.Values = append(list.Values, &commonpb.KeyValue{Key: "k\"<\n", Value: anyValue(random, depth+1)})
		}
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: list}}
	case 7:
		return &commonpb.AnyValue{}
	}
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: []string{"", "text", "größer\x00"}[random.IntN(3)]}}
}

// unequal compares two messages, in which the order of attributes is irrelevant,
// and returns how they differ.
func unequal(want, got *collogspb.ExportLogsServiceRequest) string {
	for _, r := range []*collogspb.ExportLogsServiceRequest{want, got} {
		for _, rl := range r.ResourceLogs {
			sortAttributes(rl.Resource.GetAttributes())
			for _, sl := range rl.ScopeLogs {
				sortAttributes(sl.Scope.GetAttributes())
				for _, l := range sl.LogRecords {
					sortAttributes(l.Attributes)
				}
			}
		}
	}
	if proto.Equal(want, got) {
		return ""
	}
	return cmp.Diff(want, got, protocmp.Transform())
}

func sortAttributes(all []*commonpb.KeyValue) {
	slices.SortFunc(all, func(a, b *commonpb.KeyValue) int { return strings.Compare(a.Key, b.Key) })
}

func TestOTLPComesBackAsItWas(t *testing.T) {
	e := open(t, arrowlog.Schema{}, arrowlog.Options{})
	for seed := range uint64(60) {
		want := request(seed)
		message, err := proto.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		logs := 0
		for _, r := range want.ResourceLogs {
			for _, s := range r.ScopeLogs {
				logs += len(s.LogRecords)
			}
		}
		n, err := e.AppendOTLP(message)
		if err != nil || n != logs {
			t.Fatalf("seed %d: %d rows and error %v, want %d rows", seed, n, err, logs)
		}
		clear(message) // what was added must be a copy
		back, err := arrowlog.AppendOTLP([]byte("before"), e.Batch())
		if err != nil {
			t.Fatal(err)
		}
		var got collogspb.ExportLogsServiceRequest
		if err := proto.Unmarshal(back[len("before"):], &got); err != nil {
			t.Fatal(err)
		}
		if d := unequal(want, &got); d != "" {
			t.Fatalf("seed %d: (-want +got)\n%s", seed, d)
		}
		e.Reset()
	}
}

// TestOTLPFieldsInAnyOrder has the resource after the logs.
func TestOTLPFieldsInAnyOrder(t *testing.T) {
	resource, _ := proto.Marshal(&logspb.ResourceLogs{Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{{Key: "k", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "v"}}}}}})
	scopes, _ := proto.Marshal(&logspb.ResourceLogs{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{{SeverityText: "INFO"}}}}})
	body := append(scopes, resource...)
	message := append([]byte{1<<3 | 2, byte(len(body))}, body...)
	e := open(t, arrowlog.Schema{}, arrowlog.Options{})
	if _, err := e.AppendOTLP(message); err != nil {
		t.Fatal(err)
	}
	if i := e.Batch().Index("resource.k"); i < 0 || e.Batch().Value(0, i).Text() != "v" {
		t.Error("the resource was not read")
	}
}

func TestMalformedOTLPAddsNothing(t *testing.T) {
	message, err := proto.Marshal(request(3))
	if err != nil {
		t.Fatal(err)
	}
	e := open(t, arrowlog.Schema{}, arrowlog.Options{})
	must(t, e.AppendMap(map[string]any{"attr.first": "row"}))
	for cut := 1; cut < len(message); cut++ {
		if n, err := e.AppendOTLP(message[:cut]); err != nil {
			var at *arrowlog.OTLPError
			if !errors.As(err, &at) || at.Offset < 0 || at.Offset > cut || n != 0 {
				t.Fatalf("cut at %d: %d rows, error %v", cut, n, err)
			}
		} else {
			e.Reset()
			must(t, e.AppendMap(map[string]any{"attr.first": "row"}))
		}
		if e.Rows() != 1 {
			t.Fatalf("cut at %d: %d rows are left", cut, e.Rows())
		}
	}
	for name, c := range map[string]struct {
		message []byte
		want    string
	}{
		"wire type":  {[]byte{1 << 3, 5}, "byte 1: field 1 has wire type 0, want 2"},
		"a log":      {[]byte{1<<3 | 2, 6, 2<<3 | 2, 4, 2<<3 | 2, 2, 1 << 3, 1}, "byte 7: field 1 has wire type 0, want 1"},
		"a late log": {[]byte{1<<3 | 2, 15, 2<<3 | 2, 13, 2<<3 | 2, 11, 11<<3 | 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x50, 0}, "after the year 2262"},
	} {
		if _, err := e.AppendOTLP(c.message); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q in it", name, err, c.want)
		}
	}
	deep := &commonpb.AnyValue{}
	for range 100 {
		deep = &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: []*commonpb.AnyValue{deep}}}}
	}
	message, _ = proto.Marshal(&collogspb.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{{Body: deep}}}}}}})
	if _, err := e.AppendOTLP(message); err == nil || !strings.Contains(err.Error(), "nested deeper than 64") {
		t.Errorf("the error is %v", err)
	}
	if e.Rows() != 1 || e.Batch().Value(0, 0).Text() != "row" {
		t.Error("the row that was there before is gone")
	}
}

// TestOTLPSurvivesFiles writes OTLP logs by every way, reads them by the Reader,
// and makes OTLP of them.
func TestOTLPSurvivesFiles(t *testing.T) {
	want := request(5)
	message, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ways() {
		e := open(t, arrowlog.Schema{}, w.o)
		if _, err := e.AppendOTLP(message); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := w.flush(e, &out); err != nil {
			t.Fatal(err)
		}
		r, err := arrowlog.OpenReader(bytes.NewReader(out.Bytes()), int64(out.Len()), arrowlog.Query{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		back, err := arrowlog.AppendOTLP(nil, b)
		if err != nil {
			t.Fatal(err)
		}
		var got collogspb.ExportLogsServiceRequest
		must(t, proto.Unmarshal(back, &got))
		if d := unequal(want, &got); d != "" {
			t.Fatalf("%s: (-want +got)\n%s", w.name, d)
		}
		must(t, r.Close())
	}
}

func FuzzAppendOTLP(f *testing.F) {
	for seed := range uint64(5) {
		message, _ := proto.Marshal(request(seed))
		f.Add(message)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, message []byte) {
		e := open(t, arrowlog.Schema{}, arrowlog.Options{})
		defer e.Close()
		n, err := e.AppendOTLP(message)
		if err != nil && (n != 0 || e.Rows() != 0 || e.Batch().Columns() != 0) {
			t.Fatalf("%d rows and %d columns beside the error %v", e.Rows(), e.Batch().Columns(), err)
		}
		if err != nil {
			return
		}
		var theirs collogspb.ExportLogsServiceRequest
		if err := proto.Unmarshal(message, &theirs); err != nil {
			return // stricter, about UTF-8 in what is not a log
		}
		logs := 0
		for _, r := range theirs.ResourceLogs {
			for _, s := range r.ScopeLogs {
				logs += len(s.LogRecords)
			}
		}
		if logs != n {
			t.Fatalf("%d rows, protobuf reads %d logs", n, logs)
		}
		if _, err := arrowlog.AppendOTLP(nil, e.Batch()); err != nil {
			t.Fatal(err)
		}
	})
}
