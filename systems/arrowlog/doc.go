// Package arrowlog turns batches of logs into Arrow records, Arrow IPC streams and
// Parquet files, and reads them back.
//
// Such a path is slow because it makes builders, compressors, writers and a map for
// each row, and throws them away after each batch. An [Encoder] keeps all of them:
//
//	e, err := arrowlog.New(arrowlog.Schema{Columns: []arrowlog.Column{
//		{Name: "time", Kind: arrowlog.Timestamp},
//		{Name: "severity", Kind: arrowlog.String, LowCardinality: true},
//		{Name: "body", Kind: arrowlog.String},
//	}}, arrowlog.Options{})
//	...
//	err = e.AppendRow(arrowlog.Row{arrowlog.TimestampValue(now), arrowlog.StringValue("INFO"), arrowlog.StringValue(line)})
//	...
//	stats, err := e.FlushParquet(file) // one whole file; the encoder is empty again
//
// Rows come in four forms. [Encoder.AppendColumns] is the fastest, for callers
// that have columns; [Encoder.AppendRow] takes typed cells; [Encoder.AppendOTLP]
// takes an OpenTelemetry ExportLogsServiceRequest as it comes off the wire;
// [Encoder.AppendMap] is for callers that have maps. Each copies its arguments, and
// adds all of its rows or none.
//
// [Encoder.Record], [Encoder.FlushIPC] and [Encoder.FlushParquet] write the
// collected rows. If a flush fails, the rows stay and the caller can try again;
// [Encoder.Reset] drops them.
//
// A [Reader] reads Parquet files and IPC streams, of this package or of others,
// back into batches, with a selection of columns and rows. [AppendOTLP] makes OTLP
// of such a batch.
//
// # Columns of OTLP logs
//
// AppendOTLP fills these columns. A column that no log needs is not made.
//
//	time_unix_nano, observed_time_unix_nano       timestamp
//	severity_number, flags                        int64
//	dropped_attributes_count                      int64
//	severity_text, body, event_name               string
//	trace_id, span_id                             string, hexadecimal
//	resource.KEY, scope.KEY, attr.KEY             attributes
//	resource_schema_url, scope_schema_url         string
//	resource_dropped_attributes_count             int64
//	scope_name, scope_version                     string
//	scope_dropped_attributes_count                int64
//
// An attribute whose value is a text, an integer, a number, a truth value or bytes
// has a column of that kind. If the column has another kind already, the value
// goes into the column of the name with "#" and its kind after it, as in
// attr.port#int64. Values that are lists or maps are written as OTLP/JSON in the
// column of the name with "#otlpjson" after it. The same holds for the body.
// Attributes of one list that have the same key are not valid OTLP; the last one
// is kept.
//
// # Memory
//
// Arrow records and IPC messages take their memory from [Options.Allocator];
// package arrowmem explains the choice. Parquet files do not profit from it:
// their cost is in the encoders, which the Encoder keeps.
package arrowlog
