package arrowallocators

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// A Kind is the type of a column's values.
type Kind int

// The kinds, with the Go type of a cell.
const (
	String  Kind = iota // string
	Int64               // int64
	Float64             // float64
	Bool                // bool
)

func (k Kind) String() string { return [...]string{"string", "int64", "float64", "bool"}[k] }

// arrowType returns the Arrow type of the kind.
func (k Kind) arrowType() arrow.DataType {
	return [...]arrow.DataType{
		arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Boolean,
	}[k]
}

// column describes a column of the data set: what its cells hold, and how
// often they hold nothing.
type column struct {
	name     string
	kind     Kind
	distinct int     // number of different values; 0: each row has its own
	nulls    float64 // probability that a cell is missing
	length   int     // of a string, in bytes, about
}

// columns is the data set's shape, that of logs as OpenTelemetry names their
// attributes: 33 strings, of which eight are different in each row, ten
// integers, five floats and four booleans; 22 columns are in every row, the
// others are missing in 20 to 90 % of the rows.
var columns = []column{
	{name: "timestamp", kind: Int64},
	{name: "observed_timestamp", kind: Int64},
	{name: "severity_number", kind: Int64, distinct: 6},
	{name: "severity_text", kind: String, distinct: 6, length: 5},
	{name: "body", kind: String, length: 72},
	{name: "trace_id", kind: String, length: 32},
	{name: "span_id", kind: String, length: 16},
	{name: "trace_flags", kind: Int64, distinct: 2},
	{name: "log.record.uid", kind: String, length: 26},
	{name: "service.name", kind: String, distinct: 12, length: 14},
	{name: "service.namespace", kind: String, distinct: 4, length: 9},
	{name: "service.version", kind: String, distinct: 20, length: 7},
	{name: "service.instance.id", kind: String, distinct: 40, length: 20},
	{name: "host.name", kind: String, distinct: 40, length: 18},
	{name: "host.arch", kind: String, distinct: 2, length: 5},
	{name: "os.type", kind: String, distinct: 2, length: 6},
	{name: "cloud.provider", kind: String, distinct: 2, length: 4},
	{name: "cloud.region", kind: String, distinct: 5, length: 10},
	{name: "cloud.availability_zone", kind: String, distinct: 12, length: 11},
	{name: "deployment.environment", kind: String, distinct: 3, length: 8},
	{name: "telemetry.sdk.language", kind: String, distinct: 4, length: 5},
	{name: "sampled", kind: Bool},

	{name: "k8s.cluster.name", kind: String, distinct: 4, nulls: 0.2, length: 12},
	{name: "k8s.namespace.name", kind: String, distinct: 8, nulls: 0.2, length: 10},
	{name: "k8s.pod.name", kind: String, distinct: 60, nulls: 0.2, length: 28},
	{name: "k8s.container.name", kind: String, distinct: 12, nulls: 0.3, length: 12},
	{name: "k8s.container.restart_count", kind: Int64, distinct: 5, nulls: 0.3},
	{name: "container.image.name", kind: String, distinct: 12, nulls: 0.5, length: 30},
	{name: "http.request.method", kind: String, distinct: 5, nulls: 0.5, length: 4},
	{name: "http.route", kind: String, distinct: 25, nulls: 0.5, length: 22},
	{name: "http.response.status_code", kind: Int64, distinct: 9, nulls: 0.5},
	{name: "http.request.body.size", kind: Int64, nulls: 0.6},
	{name: "http.response.body.size", kind: Int64, nulls: 0.5},
	{name: "http.request.duration", kind: Float64, nulls: 0.5},
	{name: "url.full", kind: String, nulls: 0.5, length: 64},
	{name: "client.address", kind: String, nulls: 0.5, length: 13},
	{name: "user_agent.name", kind: String, distinct: 10, nulls: 0.6, length: 10},
	{name: "enduser.id", kind: String, nulls: 0.7, length: 12},
	{name: "session.id", kind: String, nulls: 0.7, length: 24},
	{name: "network.peer.port", kind: Int64, nulls: 0.7},
	{name: "network.protocol.version", kind: String, distinct: 3, nulls: 0.6, length: 3},
	{name: "db.system", kind: String, distinct: 4, nulls: 0.8, length: 8},
	{name: "db.operation.name", kind: String, distinct: 6, nulls: 0.8, length: 7},
	{name: "db.client.duration", kind: Float64, nulls: 0.8},
	{name: "cache.hit", kind: Bool, nulls: 0.8},
	{name: "error.handled", kind: Bool, nulls: 0.9},
	{name: "error.type", kind: String, distinct: 8, nulls: 0.9, length: 18},
	{name: "thread.id", kind: Int64, distinct: 32, nulls: 0.8},
	{name: "process.cpu.time", kind: Float64, nulls: 0.8},
	{name: "process.memory.ratio", kind: Float64, nulls: 0.85},
	{name: "queue.wait", kind: Float64, nulls: 0.85},
	{name: "retried", kind: Bool, nulls: 0.7},
}

// schema is the Arrow schema of the columns. Each may hold nulls.
var schema = func() *arrow.Schema {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.name, Type: c.kind.arrowType(), Nullable: true}
	}
	return arrow.NewSchema(fields, nil)
}()

// columnIndex finds a column by its name.
var columnIndex = func() map[string]int {
	index := make(map[string]int, len(columns))
	for i, c := range columns {
		index[c.name] = i
	}
	return index
}()

// cellError says which cell of the rows cannot become a value of its column.
func cellError(row int, c column, value any) error {
	return fmt.Errorf("row %d, column %q: a value of type %T, want %s", row, c.name, value, c.kind)
}
