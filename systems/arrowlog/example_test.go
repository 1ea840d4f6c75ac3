package arrowlog_test

import (
	"bytes"
	"fmt"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

func Example() {
	e, err := arrowlog.New(arrowlog.Schema{Columns: []arrowlog.Column{
		{Name: "time", Kind: arrowlog.Timestamp},
		{Name: "severity", Kind: arrowlog.String, LowCardinality: true},
		{Name: "body", Kind: arrowlog.String},
	}}, arrowlog.Options{})
	if err != nil {
		panic(err)
	}
	defer e.Close()
	for i, severity := range []string{"INFO", "ERROR", "INFO"} {
		err := e.AppendRow(arrowlog.Row{
			arrowlog.TimestampValue(1_790_000_000_000_000_000 + int64(i)),
			arrowlog.StringValue(severity),
			arrowlog.StringValue(fmt.Sprintf("request %d", i)),
		})
		if err != nil {
			panic(err)
		}
	}
	var file bytes.Buffer
	stats, err := e.FlushParquet(&file) // the encoder is empty and can be used again
	if err != nil {
		panic(err)
	}
	fmt.Println(stats.Rows, "rows")

	conditions, err := where.Parse("severity = ERROR")
	if err != nil {
		panic(err)
	}
	r, err := arrowlog.OpenReader(bytes.NewReader(file.Bytes()), int64(file.Len()), arrowlog.Query{
		Columns: []string{"body"},
		Where:   conditions,
	})
	if err != nil {
		panic(err)
	}
	defer r.Close()
	for row, err := range r.Rows() {
		if err != nil {
			panic(err)
		}
		fmt.Println(row[0])
	}
	// Output:
	// 3 rows
	// request 1
}

// A map has the columns by name. A name that is new adds a column.
func ExampleEncoder_AppendMap() {
	e, err := arrowlog.New(arrowlog.Schema{}, arrowlog.Options{})
	if err != nil {
		panic(err)
	}
	defer e.Close()
	fmt.Println(e.AppendMap(map[string]any{"severity": "INFO", "status": 200}))
	fmt.Println(e.AppendMap(map[string]any{"severity": "INFO", "status": "none"}))
	fmt.Println(e.Rows(), "row")
	// Output:
	// <nil>
	// arrowlog: row 1, column "status": want int64, got string
	// 1 row
}
