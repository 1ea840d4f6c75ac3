package arrowlog_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

// TestEmptyTextsThatBoundsLeaveOut: arrow-go leaves empty texts of dictionary arrays
// out of the least value.
func TestEmptyTextsThatBoundsLeaveOut(t *testing.T) {
	b := array.NewRecordBuilder(memory.DefaultAllocator, dictionarySchema)
	defer b.Release()
	for i := range 90 {
		must(t, b.Field(0).(*array.BinaryDictionaryBuilder).AppendString([]string{"", "m", "n"}[i%3]))
	}
	r := b.NewRecordBatch()
	defer r.Release()
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(dictionarySchema, &out, parquet.NewWriterProperties(), pqarrow.DefaultWriterProps())
	must(t, err)
	must(t, w.Write(r))
	must(t, w.Close())
	for _, conditions := range []string{"s = ''", "s < m", "s <= ''", "s < a"} {
		c, err := where.Parse(conditions)
		must(t, err)
		if got, s := readAll(t, out.Bytes(), arrowlog.Query{Where: c}); len(got) != 30 {
			t.Errorf("%s: %d rows, want 30; %+v", conditions, len(got), s)
		}
	}
}

// TestAColumnLosesItsDictionary when most of its values differ, and gets it again.
func TestAColumnLosesItsDictionary(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "s", Kind: arrowlog.String}}}, arrowlog.Options{})
	var got []bool
	for flush := range 40 {
		for i := range 600 {
			text := fmt.Sprint(i % 5)
			if flush >= 10 && flush < 25 {
				text = fmt.Sprint(flush, " ", i)
			}
			must(t, e.AppendRow(arrowlog.Row{arrowlog.StringValue(text)}))
		}
		var out bytes.Buffer
		s, err := e.FlushParquet(&out)
		must(t, err)
		got = append(got, s.Columns[0].Dictionary)
	}
	if !got[0] || got[24] || !got[39] {
		t.Errorf("the column has a dictionary: %v", got)
	}
}

// TestEqualityIsExcludedByBothBounds counts what is skipped.
func TestEqualityIsExcludedByBothBounds(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "n", Kind: arrowlog.Int64}}}, arrowlog.Options{RowGroup: 10})
	for i := range 100 {
		must(t, e.AppendRow(arrowlog.Row{arrowlog.Int64Value(int64(i))}))
	}
	var out bytes.Buffer
	_, err := e.FlushParquet(&out)
	must(t, err)
	for n, want := range map[int64]int{55: 9, -1: 10, 100: 10, 0: 9, 99: 9} {
		_, s := readAll(t, out.Bytes(), arrowlog.Query{Where: []where.Condition{{Column: "n", Value: arrowlog.Int64Value(n)}}})
		if s.GroupsSkipped != want {
			t.Errorf("n = %d: %d of 10 groups are skipped, want %d", n, s.GroupsSkipped, want)
		}
	}
}
