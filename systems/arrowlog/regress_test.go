package arrowlog_test

import (
	"bytes"
	"testing"

	"github.com/parquet-go/parquet-go"
	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/proto"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// TestNoBoundsThatLeaveOutAnEmptyText: other readers trust the bounds in a file.
func TestNoBoundsThatLeaveOutAnEmptyText(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "s", Kind: arrowlog.String, LowCardinality: true}}},
		arrowlog.Options{Engine: arrowlog.ArrowGo, Dictionary: arrowlog.DictionaryLow})
	for _, s := range []string{"b", "", "a"} {
		must(t, e.AppendRow(arrowlog.Row{arrowlog.StringValue(s)}))
	}
	var out bytes.Buffer
	if _, err := e.FlushParquet(&out); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	must(t, err)
	if least := f.Metadata().RowGroups[0].Columns[0].MetaData.Statistics.MinValue; len(least) > 0 {
		t.Errorf("the least value is %q, and an empty text is there", least)
	}
}

// TestAFailedMessageLeavesNoColumnBehind: its columns are gone, and their places
// may be those of others.
func TestAFailedMessageLeavesNoColumnBehind(t *testing.T) {
	message, err := proto.Marshal(&collogspb.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{
		{Attributes: []*commonpb.KeyValue{{Key: "k", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "v"}}}}}}}}}}})
	must(t, err)
	e := open(t, arrowlog.Schema{}, arrowlog.Options{})
	if _, err := e.AppendOTLP(append(bytes.Clone(message), 0xff)); err == nil {
		t.Fatal("the message is not malformed")
	}
	must(t, e.AppendMap(map[string]any{"other": "text"}))
	if _, err := e.AppendOTLP(message); err != nil {
		t.Fatal(err)
	}
	b := e.Batch()
	if i := b.Index("attr.k"); i < 0 || b.Value(1, i).Text() != "v" || !b.Value(1, b.Index("other")).IsNull() {
		t.Errorf("the attribute is not in its column: %v", b.AppendRow(nil, 1))
	}
}
