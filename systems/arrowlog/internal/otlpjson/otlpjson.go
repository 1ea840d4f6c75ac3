// Package otlpjson translates ExportLogsServiceRequests between protobuf and OTLP/JSON,
// which differs from protobuf's own JSON mapping in one thing: trace and span IDs are
// hexadecimal, not base64.
package otlpjson

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// Decode returns the request of a text in its protobuf encoding. Keys that are not
// known are left out.
func Decode(text []byte) ([]byte, error) {
	// LogsData has the fields of an ExportLogsServiceRequest, whose package brings all
	// of grpc-go.
	var m logspb.LogsData
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("the text is not an ExportLogsServiceRequest in OTLP/JSON: %w", err)
	}
	// What was read as base64 is written back: the hexadecimal text.
	err := eachID(&m, func(id []byte) ([]byte, error) {
		return hex.DecodeString(base64.StdEncoding.EncodeToString(id))
	})
	if err != nil {
		return nil, fmt.Errorf("a trace or span ID is not hexadecimal: %w", err)
	}
	return proto.Marshal(&m)
}

// Append appends a request in its protobuf encoding to dst as one line of OTLP/JSON,
// without the end of the line.
func Append(dst *bytes.Buffer, request []byte) error {
	var m logspb.LogsData
	if err := proto.Unmarshal(request, &m); err != nil {
		return fmt.Errorf("not an ExportLogsServiceRequest: %w", err)
	}
	err := eachID(&m, func(id []byte) ([]byte, error) {
		return base64.StdEncoding.DecodeString(hex.EncodeToString(id))
	})
	if err != nil {
		return fmt.Errorf("a trace ID has 16 bytes and a span ID 8, one here has another length: %w", err)
	}
	text, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(&m)
	if err != nil {
		return err
	}
	return json.Compact(dst, text) // protojson adds spaces at random
}

// eachID replaces the IDs of all logs.
func eachID(m *logspb.LogsData, replace func([]byte) ([]byte, error)) error {
	for _, r := range m.ResourceLogs {
		for _, s := range r.ScopeLogs {
			for _, l := range s.LogRecords {
				for _, id := range []*[]byte{&l.TraceId, &l.SpanId} {
					var err error
					if *id, err = replace(*id); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
