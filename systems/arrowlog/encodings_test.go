package arrowlog_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

// pyarrowEncodings writes a table in every encoding, compression and version of pages
// that pyarrow has, and what it means as cells.
const pyarrowEncodings = `
import json, math, random, struct, sys
import pyarrow as pa, pyarrow.parquet as pq
out = sys.argv[1]
random.seed(1)
N = 5000
def some(f): return [None if random.random() < .2 else f(i) for i in range(N)]
cols = {
  "i32": pa.array(some(lambda i: random.choice([0, -1, 2**31-1, -2**31, i, i*7919 % 1000])), pa.int32()),
  "i64": pa.array(some(lambda i: random.choice([0, -1, 2**63-1, -2**63, i, 1700000000000000000 + i*1000])), pa.int64()),
  "up": pa.array(list(range(N)), pa.int64()),
  "f32": pa.array(some(lambda i: random.choice([0.0, -0.0, 1.5, float(i)])), pa.float32()),
  "f64": pa.array(some(lambda i: random.choice([0.0, -0.0, 1e300, random.random()])), pa.float64()),
  "b": pa.array(some(lambda i: random.random() < .5), pa.bool_()),
  "runs": pa.array([i % 1000 < 900 for i in range(N)], pa.bool_()),
  "s": pa.array(some(lambda i: random.choice(["", "a", "/api/v1/users/%d/orders/%d" % (i//10, i), "x"*random.randint(0, 300)])), pa.string()),
  "few": pa.array(some(lambda i: random.choice(["INFO", "WARN", "ERROR", ""])), pa.string()),
  "raw": pa.array(some(lambda i: bytes(random.randint(0, 255) for _ in range(random.randint(0, 9)))), pa.binary()),
  "nulls": pa.array([None]*N, pa.string()),
}
fixed = pa.array(some(lambda i: b"%08d" % (i // 3)), pa.binary(8))
table = pa.table({**cols, "fixed": fixed})
def cell(v, ty):
    if v is None: return None
    if pa.types.is_string(ty): return "s" + v.encode().hex()
    if pa.types.is_binary(ty) or pa.types.is_fixed_size_binary(ty): return "x" + v.hex()
    if pa.types.is_boolean(ty): return "b" + str(v)
    if pa.types.is_floating(ty): return "f" + struct.pack(">d", v).hex()
    return "i" + str(v)
lists = [[cell(v, table.schema.field(i).type) for v in table.column(i).to_pylist()] for i in range(table.num_columns)]
json.dump({"names": table.column_names, "rows": list(zip(*lists))}, open(out + "/table.json", "w"))
n = 0
def write(**o):
    global n
    n += 1
    pq.write_table(table, "%s/%02d.parquet" % (out, n), **o)
for version in ["1.0", "2.0"]:
    for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
        write(compression=codec, data_page_version=version, row_group_size=2100, data_page_size=4096)
    delta = {"i32": "DELTA_BINARY_PACKED", "i64": "DELTA_BINARY_PACKED", "up": "DELTA_BINARY_PACKED", "s": "DELTA_BYTE_ARRAY", "few": "DELTA_LENGTH_BYTE_ARRAY", "raw": "DELTA_BYTE_ARRAY", "nulls": "DELTA_BYTE_ARRAY", "f32": "BYTE_STREAM_SPLIT", "f64": "BYTE_STREAM_SPLIT", "b": "RLE", "runs": "RLE", "fixed": "DELTA_BYTE_ARRAY"}
    split = {"i32": "BYTE_STREAM_SPLIT", "i64": "BYTE_STREAM_SPLIT", "fixed": "BYTE_STREAM_SPLIT", "s": "DELTA_LENGTH_BYTE_ARRAY"}
    for e in (delta, split):
        write(compression="zstd", data_page_version=version, use_dictionary=False, column_encoding=e, data_page_size=2048, write_page_checksum=True)
    write(compression="none", data_page_version=version, use_dictionary=False)
print(n)
`

// TestEncodingsOfPyarrow reads each cell of a table in all encodings, as a whole and
// with rows left out.
func TestEncodingsOfPyarrow(t *testing.T) {
	interpreter := python(t, "pyarrow")
	dir := t.TempDir()
	if out, err := exec.Command(interpreter, "-c", pyarrowEncodings, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "table.json"))
	must(t, err)
	var table struct {
		Names []string
		Rows  [][]*string
	}
	must(t, json.Unmarshal(text, &table))
	want := make([]arrowlog.Row, len(table.Rows))
	for i, r := range table.Rows {
		for _, c := range r {
			want[i] = append(want[i], pythonCell(t, c))
		}
	}
	var late []arrowlog.Row
	for _, row := range want {
		if up := row[2].Int64(); up >= 1500 && up%1000 >= 900 {
			late = append(late, row)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if len(files) < 15 {
		t.Fatalf("pyarrow wrote %d files", len(files))
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		must(t, err)
		got, _ := readAll(t, file, arrowlog.Query{})
		if d := differ(got, want); d != "" {
			t.Errorf("%s: %s", filepath.Base(name), d)
		}
		conditions, err := where.Parse("up >= 1500 and runs = false")
		must(t, err)
		got, _ = readAll(t, file, arrowlog.Query{Where: conditions, BatchRows: 10})
		if d := differ(got, late); d != "" {
			t.Errorf("%s, a part: %s", filepath.Base(name), d)
		}
		cut := bytes.Clone(file[:len(file)-1])
		if err := readThrough(cut); err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("a file that was cut off: %v", err)
		}
	}
}
