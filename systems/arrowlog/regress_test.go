package arrowlog_test

import (
	"bytes"
	"testing"

	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/proto"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

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
