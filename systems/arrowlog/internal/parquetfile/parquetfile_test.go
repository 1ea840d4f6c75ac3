package parquetfile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// page is a page of a file that a test makes.
type page struct {
	header format.PageHeader
	body   []byte
}

func dataPage(values int32, e format.Encoding, size int32, body []byte) page {
	return page{format.PageHeader{Type: format.DataPage, UncompressedPageSize: size, CompressedPageSize: int32(len(body)),
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: values, Encoding: e, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})}, body}
}

func dictionaryPage(values int32, size int32, body []byte) page {
	return page{format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: size, CompressedPageSize: int32(len(body)),
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: values})}, body}
}

// file makes a file with one column and one row group.
func file(t testing.TB, kind format.Type, optional bool, codec format.CompressionCodec, rows int64, pages ...page) []byte {
	t.Helper()
	b := []byte(magic)
	for _, p := range pages {
		b = append(append(b, marshal(t, &p.header)...), p.body...)
	}
	repetition := format.Required
	if optional {
		repetition = format.Optional
	}
	m := format.FileMetaData{Version: 1, NumRows: rows,
		Schema: []format.SchemaElement{{Name: "root", NumChildren: thrift.New[int32](1)},
			{Name: "c", Type: thrift.New(kind), RepetitionType: thrift.New(repetition)}},
		RowGroups: []format.RowGroup{{NumRows: rows, Columns: []format.ColumnChunk{{FileOffset: 4, MetaData: format.ColumnMetaData{
			Type: kind, Codec: codec, PathInSchema: []string{"c"}, NumValues: rows, DataPageOffset: 4,
			TotalCompressedSize: int64(len(b) - 4), TotalUncompressedSize: int64(len(b) - 4), Encoding: []format.Encoding{format.Plain}}}}}},
	}
	return footed(b, marshal(t, &m))
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func footed(b, footer []byte) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, footer...), uint32(len(footer)))
	return append(b, magic...)
}

// read reads the first column and returns its values, at most most of them, as text.
func read(b []byte, most int) (values []string, err error) {
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	var c Chunk
	for g := range f.Groups {
		if err := c.Open(f, g, f.Columns[0]); err != nil {
			return values, err
		}
		for range f.Groups[g].NumRows {
			if len(values) == most {
				return values, nil
			}
			v, null, err := c.Next()
			if err != nil {
				return values, err
			}
			switch {
			case null:
				values = append(values, "null")
			case v.Bytes != nil:
				values = append(values, string(v.Bytes))
			default:
				values = append(values, fmt.Sprint(int64(v.Bits)))
			}
		}
	}
	return values, nil
}

// TestHostileFilesTakeLittleMemory reads files whose counts and lengths ask for
// gigabytes.
func TestHostileFilesTakeLittleMemory(t *testing.T) {
	uvarint := func(n uint64) []byte { return binary.AppendUvarint(nil, n) }
	deep := append(bytes.Repeat([]byte{0x1c}, 1<<20), make([]byte, 1<<20+1)...)
	footer := func(s string) []byte {
		b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		return footed([]byte(magic), b)
	}
	// A block of 2^31 values that are all the same, of zero bits each.
	same := bytes.Join([][]byte{uvarint(1 << 31), uvarint(4), uvarint(1 << 31), uvarint(0), uvarint(0), {0, 0, 0, 0}}, nil)
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"a list of 2^31 columns":               {footer("15 02 19 fc ff ff ff ff 07 00"), "a list of 2147483647 elements in 1 bytes"},
		"a list of columns without fields":     {footer("15 02 19 fc ff 01" + strings.Repeat("00", 255) + "00"), "which lacks fields"},
		"a list of row groups without fields":  {footer("15 02 39 fc ff 01" + strings.Repeat("00", 255) + "00"), "which lacks fields"},
		"a name of 2^62 bytes":                 {footer("18 ff ff ff ff ff ff ff ff 3f"), "it ends in the middle"},
		"a map of 2^31 entries":                {footer("1b ff ff ff ff 07 88"), "it ends in the middle"},
		"structures of a million levels":       {footed([]byte(magic), deep), "nested deeper"},
		"lists of a million levels":            {footed([]byte(magic), append([]byte{0x19}, bytes.Repeat([]byte{0x19}, 1<<20)...)), "nested deeper"},
		"2^60 rows of no columns":              {footed([]byte(magic), marshal(t, &format.FileMetaData{Schema: []format.SchemaElement{{Name: "r"}}, RowGroups: []format.RowGroup{{NumRows: 1 << 60}}})), "of no columns"},
		"a root with 2^31 children":            {footed([]byte(magic), marshal(t, &format.FileMetaData{Schema: []format.SchemaElement{{Name: "r", NumChildren: thrift.New[int32](math.MaxInt32)}}})), "fewer columns than its root says"},
		"children below zero":                  {footed([]byte(magic), marshal(t, &format.FileMetaData{Schema: []format.SchemaElement{{Name: "r", NumChildren: thrift.New[int32](1)}, {Name: "c", NumChildren: thrift.New[int32](-1)}}})), "has -1 children"},
		"a page of 2 GiB":                      {file(t, format.Int64, false, format.Zstd, 1, dataPage(1, format.Plain, math.MaxInt32, make([]byte, 1<<10))), "at most"},
		"200 MB in ten bytes of zstd":          {file(t, format.Int64, false, format.Zstd, 1, dataPage(1, format.Plain, 200<<20, make([]byte, 10))), "say that they stand for"},
		"200 MB in ten bytes of gzip":          {file(t, format.Int64, false, format.Gzip, 1, dataPage(1, format.Plain, 200<<20, make([]byte, 10))), "say that they stand for"},
		"4 GiB of snappy":                      {file(t, format.Int64, false, format.Snappy, 1, dataPage(1, format.Plain, 8, []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0})), "snappy: 4294967295 bytes, want 8"},
		"garbage of LZ4":                       {file(t, format.Int64, false, format.Lz4Raw, 1, dataPage(1, format.Plain, 8, []byte{0xff, 0xff, 0xff, 0xff})), "LZ4_RAW"},
		"a codec that is not there":            {file(t, format.Int64, false, 77, 1, dataPage(1, format.Plain, 8, make([]byte, 8))), "cannot be read"},
		"2^31 levels in a group of one row":    {file(t, format.Int64, true, format.Uncompressed, 1, dataPage(math.MaxInt32, format.Plain, 6, []byte{2, 0, 0, 0, 0xfe, 0})), "the row group has 1 more"},
		"fewer values than rows":               {file(t, format.Int64, false, format.Uncompressed, 1<<30, dataPage(1<<30, format.Plain, 8, make([]byte, 8))), "fewer values than its header says"},
		"fewer pages than rows":                {file(t, format.Int64, false, format.Uncompressed, 3, dataPage(2, format.Plain, 16, make([]byte, 16))), "page header"},
		"a dictionary of 2^31 values":          {file(t, format.ByteArray, false, format.Uncompressed, 1, dictionaryPage(math.MaxInt32, 4, make([]byte, 4)), dataPage(1, format.RLEDictionary, 3, []byte{0, 2, 0})), "fewer values"},
		"two dictionaries":                     {file(t, format.Int32, false, format.Uncompressed, 1, dictionaryPage(1, 4, make([]byte, 4)), dictionaryPage(1, 4, make([]byte, 4))), "a second one"},
		"indices without a dictionary":         {file(t, format.Int32, false, format.Uncompressed, 1, dataPage(1, format.RLEDictionary, 3, []byte{0, 2, 0})), "of a dictionary that is there: false"},
		"an index outside of the dictionary":   {file(t, format.Int32, false, format.Uncompressed, 1, dictionaryPage(1, 4, make([]byte, 4)), dataPage(1, format.RLEDictionary, 3, []byte{8, 2, 1})), "value 1 of a dictionary of 1"},
		"2^31 lengths for one row":             {file(t, format.ByteArray, false, format.Uncompressed, 1, dataPage(1, format.DeltaLengthByteArray, int32(len(same)), same)), "2147483648 values in a page of 1"},
		"differences in groups of no values":   {file(t, format.Int64, false, format.Uncompressed, 1, dataPage(1, format.DeltaBinaryPacked, 4, []byte{0, 0, 1, 0})), "blocks of 0 values in 0 groups"},
		"a type that is not that of the chunk": {changedType(t), "its type is"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(c.file, 1000)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) || err == io.EOF {
			t.Errorf("%s: the error is %v, want %q in it", name, err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20+4*uint64(len(c.file)) {
			t.Errorf("%s: %d MB were allocated", name, used>>20)
		}
	}
}

func changedType(t *testing.T) []byte {
	b := file(t, format.Int64, false, format.Uncompressed, 1, dataPage(1, format.Plain, 8, make([]byte, 8)))
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	m := format.FileMetaData{Schema: []format.SchemaElement{{Name: "r", NumChildren: thrift.New[int32](1)}, {Name: "c", Type: thrift.New(format.Int32), RepetitionType: thrift.New(format.Required)}}, RowGroups: f.Groups}
	return footed([]byte(magic), marshal(t, &m))
}

// TestPagesOfAllColumnsShareABound reads two chunks of the same file.
func TestPagesOfAllColumnsShareABound(t *testing.T) {
	defer func(n int64) { MaxHeld = n }(MaxHeld)
	MaxHeld = 3000
	b := file(t, format.Int64, false, format.Uncompressed, 100, dataPage(100, format.Plain, 800, make([]byte, 800)))
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var chunks [2]Chunk
	for i := range chunks {
		if err := chunks[i].Open(f, 0, f.Columns[0]); err != nil {
			t.Fatal(err)
		}
		_, _, err := chunks[i].Next()
		if got := err != nil && strings.Contains(err.Error(), "read fewer columns"); got != (i == 1) {
			t.Errorf("chunk %d: the error is %v", i, err)
		}
	}
	for range 10 { // again and again with the same memory
		if err := chunks[0].Open(f, 0, f.Columns[0]); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEncodingsByHand decodes the examples of the format's pages.
func TestEncodingsByHand(t *testing.T) {
	for name, c := range map[string]struct {
		kind     format.Type
		optional bool
		page     page
		want     string
	}{
		"bit-packed 0 to 7 of three bits, with levels": {format.Int32, true, dataPage(9, format.RLEDictionary, 0, []byte{2, 0, 0, 0, 0x12, 1, 3, 3, 0x88, 0xc6, 0xfa}), "[0 1 2 3 4 5 6 7 fail]"},
		"differences 7 5 3 1 2 3 4 5":                  {format.Int64, false, dataPage(8, format.DeltaBinaryPacked, 0, []byte{128, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0}), "[7 5 3 1 2 3 4 5]"},
		"truth values":                                 {format.Boolean, false, dataPage(10, format.Plain, 0, []byte{0b10110101, 0b10}), "[1 0 1 0 1 1 0 1 0 1]"},
		"truth values in runs":                         {format.Boolean, false, dataPage(5, format.RLE, 0, []byte{4, 0, 0, 0, 6, 1, 4, 0}), "[1 1 1 0 0]"},
		"bytes of two floats apart":                    {format.Float, false, dataPage(2, format.ByteStreamSplit, 0, []byte{1, 2, 0, 0, 0, 0, 0, 0}), "[1 2]"},
	} {
		c.page.header.UncompressedPageSize = int32(len(c.page.body))
		pages := []page{c.page}
		if c.kind == format.Int32 {
			d := make([]byte, 0, 32)
			for i := range 8 {
				d = binary.LittleEndian.AppendUint32(d, uint32(i))
			}
			pages = append([]page{dictionaryPage(8, 32, d)}, pages...)
		}
		got, err := read(file(t, c.kind, c.optional, format.Uncompressed, int64(c.page.header.DataPageHeader.V.NumValues), pages...), 100)
		if err != nil {
			got = append(got, "fail")
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s (%v)", name, got, c.want, err)
		}
	}
}

// TestSkipEqualsReading passes over rows in random steps.
func TestSkipEqualsReading(t *testing.T) {
	var pages []page
	rows := 0
	for i := range 20 {
		var body []byte
		for j := range 10 + i {
			body = binary.LittleEndian.AppendUint64(body, uint64(rows+j))
		}
		pages = append(pages, dataPage(int32(10+i), format.Plain, int32(len(body)), body))
		rows += 10 + i
	}
	b := file(t, format.Int64, false, format.Uncompressed, int64(rows), pages...)
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var c Chunk
	for range 200 {
		if err := c.Open(f, 0, f.Columns[0]); err != nil {
			t.Fatal(err)
		}
		for at := 0; ; at++ {
			n := random.IntN(40)
			if at += n; at >= rows {
				break
			}
			if err := c.Skip(int64(n)); err != nil {
				t.Fatal(err)
			}
			if v, _, err := c.Next(); err != nil || v.Bits != uint64(at) {
				t.Fatalf("row %d is %d, %v", at, v.Bits, err)
			}
		}
	}
}

// FuzzFile damages files: each ends with an error or with values, and takes no more
// memory than its bounds say.
func FuzzFile(f *testing.F) {
	MaxPage, MaxHeld = 1<<20, 1<<22
	f.Add(file(f, format.Int64, false, format.Uncompressed, 2, dataPage(2, format.Plain, 16, make([]byte, 16))))
	f.Add(file(f, format.ByteArray, true, format.Uncompressed, 2, dictionaryPage(1, 5, []byte{1, 0, 0, 0, 'a'}), dataPage(2, format.RLEDictionary, 9, []byte{2, 0, 0, 0, 4, 1, 0, 4, 0})))
	f.Add(file(f, format.Int64, false, format.Uncompressed, 8, dataPage(8, format.DeltaBinaryPacked, 18, []byte{128, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0})))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<14 {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read(b, 1000)
		runtime.ReadMemStats(&after)
		// A page can be read once a row at most, in 1000 rows; thus the sum, not what is held.
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
			t.Errorf("%d bytes of file: %d MB were allocated", len(b), used>>20)
		}
	})
}
