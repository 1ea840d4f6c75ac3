package arrowlog_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// TestIDsAreCompressed: hexadecimal texts have four bits a character. In the default
// encoding of parquet-go, zstd leaves them as they are.
func TestIDsAreCompressed(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "id", Kind: arrowlog.String}}}, arrowlog.Options{})
	random := rand.New(rand.NewPCG(1, 2))
	const rows = 10_000
	for range rows {
		must(t, e.AppendRow(arrowlog.Row{arrowlog.StringValue(fmt.Sprintf("%016x%016x", random.Uint64(), random.Uint64()))}))
	}
	var out bytes.Buffer
	_, err := e.FlushParquet(&out)
	must(t, err)
	if got := float64(out.Len()) / rows; got > 20 {
		t.Errorf("%.1f bytes an ID of 32 characters", got)
	}
}

// TestLongTextsAreWrittenOnce: bounds are texts of their column, which a file must not
// have again and again. Beside the value itself there are the least and the greatest of
// its column, or none if they are long.
func TestLongTextsAreWrittenOnce(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "s", Kind: arrowlog.String}}}, arrowlog.Options{Compression: arrowlog.Uncompressed, Dictionary: arrowlog.DictionaryNone})
	for _, c := range []struct{ length, times int }{{1000, 3}, {5000, 1}, {1000, 3}} {
		text := strings.Repeat("x", c.length)
		must(t, e.AppendRow(arrowlog.Row{arrowlog.StringValue(text)}))
		var out bytes.Buffer
		_, err := e.FlushParquet(&out)
		must(t, err)
		if got := strings.Count(out.String(), text); got != c.times {
			t.Errorf("a text of %d bytes is there %d times, want %d", c.length, got, c.times)
		}
		if got, _ := readAll(t, out.Bytes(), arrowlog.Query{}); len(got) != 1 || got[0][0].Text() != text {
			t.Error("the text is another one")
		}
	}
}
