package arrowlog_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// TestADamagedFileTakesLittleMemory changes every byte of small files in several
// ways. Reading one may fail, but neither panics nor asks for as much memory as
// the wrong lengths in it say.
func TestADamagedFileTakesLittleMemory(t *testing.T) {
	columns := wide()[:6]
	for name, file := range smallFiles(t, columns) {
		t.Run(name, func(t *testing.T) {
			step := 1
			if testing.Short() || raceEnabled {
				step = 7
			}
			refused, most := 0, uint64(128<<20)
			for at := 0; at < len(file); at += step {
				for _, with := range []byte{0x01, 0x7f, 0x80, 0xff} {
					damaged := bytes.Clone(file)
					damaged[at] ^= with
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					err := readThrough(damaged)
					runtime.ReadMemStats(&after)
					if used := after.TotalAlloc - before.TotalAlloc; used > most {
						t.Errorf("byte %d of %d ^ %#x: %d MB were allocated (error %v)", at, len(file), with, used>>20, err)
					}
					if err != nil {
						refused++
					}
				}
			}
			if refused == 0 {
				t.Error("no damage was noticed")
			}
		})
	}
}

// smallFiles returns a file of 20 rows of each form that the package reads.
func smallFiles(t testing.TB, columns []arrowlog.Column) map[string][]byte {
	files := map[string][]byte{}
	for _, c := range []arrowlog.Compression{arrowlog.Uncompressed, arrowlog.Zstd} {
		for name, write := range fileWriters {
			e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{Compression: c})
			appendRows(t, e, rows(columns, 20, 1, 0.3))
			files[fmt.Sprintf("parquet of %s, compression %v", name, c)] = write(t, e, 0)
		}
		e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{Compression: c})
		appendRows(t, e, rows(columns, 20, 1, 0.3))
		var out bytes.Buffer
		_, err := e.FlushIPC(&out)
		must(t, err)
		files[fmt.Sprintf("IPC stream, compression %v", c)] = out.Bytes()

		appendRows(t, e, rows(columns, 20, 1, 0.3))
		record, err := e.Record()
		must(t, err)
		options := []ipc.Option{ipc.WithSchema(record.Schema())}
		if c == arrowlog.Zstd {
			options = append(options, ipc.WithZstd())
		}
		var whole bytes.Buffer
		w, err := ipc.NewFileWriter(&whole, options...)
		must(t, err)
		must(t, w.Write(record))
		must(t, w.Close())
		record.Release()
		files[fmt.Sprintf("IPC file, compression %v", c)] = whole.Bytes()
	}
	return files
}

func readThrough(file []byte) error {
	r, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), arrowlog.Query{})
	if err != nil {
		return err
	}
	defer r.Close()
	for range 100 {
		if _, err := r.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// TestTwentyTwoBytes: the footer says that it has 2^31 columns.
func TestTwentyTwoBytes(t *testing.T) {
	file := []byte("PAR1\x15\x02\x19\xfc\xff\xff\xff\xff\x07\x00\x0a\x00\x00\x00PAR1")
	if err := readThrough(file); err == nil || !strings.Contains(err.Error(), "a list of 2147483647 elements") {
		t.Errorf("the error is %v", err)
	}
}

// TestFewBytesOfAFileAreManyRows reads a text of a megabyte that a dictionary has
// once and 5000 rows name: batches have fewer rows then.
func TestFewBytesOfAFileAreManyRows(t *testing.T) {
	const rows = 5000
	long := strings.Repeat("x", 1<<20)
	for name, file := range map[string][]byte{"parquet": repeatedParquet(t, long, rows), "ipc": repeatedIPC(t, long, rows)} {
		r, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), arrowlog.Query{})
		must(t, err)
		got, most := 0, 0
		for {
			b, err := r.Next()
			if err == io.EOF {
				break
			}
			must(t, err)
			got, most = got+b.Rows(), max(most, b.Rows())
			if b.Value(0, 0).Text() != long {
				t.Fatal("the text is another")
			}
		}
		if got != rows || most > 64 || len(file) > 4<<20 {
			t.Errorf("%s: %d rows of %d bytes, at most %d in a batch", name, got, len(file), most)
		}
	}
}

func repeatedParquet(t *testing.T, text string, rows int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(dictionarySchema, &out, parquet.NewWriterProperties(), pqarrow.DefaultWriterProps())
	must(t, err)
	r := repeated(t, text, rows)
	defer r.Release()
	must(t, w.Write(r))
	must(t, w.Close())
	return out.Bytes()
}

func repeatedIPC(t *testing.T, text string, rows int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(dictionarySchema))
	r := repeated(t, text, rows)
	defer r.Release()
	must(t, w.Write(r))
	must(t, w.Close())
	return out.Bytes()
}

var dictionarySchema = arrow.NewSchema([]arrow.Field{{Name: "s", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}}}, nil)

// repeated returns a record whose rows all have the one value of a dictionary.
func repeated(t *testing.T, text string, rows int) arrow.RecordBatch {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, dictionarySchema)
	defer b.Release()
	for range rows {
		must(t, b.Field(0).(*array.BinaryDictionaryBuilder).AppendString(text))
	}
	return b.NewRecordBatch()
}
