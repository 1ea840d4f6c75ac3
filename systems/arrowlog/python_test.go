package arrowlog_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// python returns an interpreter that has a module, or skips.
func python(t *testing.T, module string) string {
	t.Helper()
	name := os.Getenv("POOLPROOF_PYTHON")
	if name == "" {
		name = "python3"
	}
	if out, err := exec.Command(name, "-c", "import "+module).CombinedOutput(); err != nil {
		t.Skipf("%s has no module %s (POOLPROOF_PYTHON names another interpreter): %s", name, module, lastLine(out))
	}
	return name
}

func lastLine(b []byte) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1]
}

// cells is how the scripts print a table: text and bytes in hexadecimal after a
// letter, numbers by their bits, so that nothing is lost.
const pyarrowScript = `
import json, struct, sys
import pyarrow as pa, pyarrow.parquet as pq, pyarrow.ipc as ipc
path = sys.argv[1]
if path.endswith(".arrows"):
    with open(path, "rb") as f: t = ipc.open_stream(f).read_all()
elif path.endswith(".arrow"):
    with open(path, "rb") as f: t = ipc.open_file(f).read_all()
else:
    t = pq.read_table(path)
def cell(v, ty):
    if v is None: return None
    if pa.types.is_dictionary(ty): ty = ty.value_type
    if pa.types.is_string(ty): return "s" + v.as_py().encode().hex()
    if pa.types.is_binary(ty): return "x" + v.as_py().hex()
    if pa.types.is_boolean(ty): return "b" + str(v.as_py())
    if pa.types.is_timestamp(ty):
        assert str(ty) == "timestamp[ns, tz=UTC]", ty
        return "t" + str(v.value)
    if pa.types.is_floating(ty): return "f" + struct.pack(">d", v.as_py()).hex()
    return "i" + str(v.as_py())
rows = []
cols = [(t.column(i), t.schema.field(i).type) for i in range(t.num_columns)]
for r in range(t.num_rows):
    rows.append([cell(c[r] if c[r].is_valid else None, ty) for c, ty in cols])
json.dump({"names": t.column_names, "rows": rows}, sys.stdout)
`

const duckdbScript = `
import duckdb, json, struct, sys
c = duckdb.connect()
d = c.execute("select * from read_parquet('" + sys.argv[1] + "')")
names = [x[0] for x in d.description]
types = [str(x[1]) for x in d.description]
# times as nanoseconds, which Python's datetime cannot hold
sel = ", ".join(('epoch_ns("%s"::timestamp_ns)' % n) if "TIMESTAMP" in ty.upper() else '"%s"' % n for n, ty in zip(names, types))
rows = []
for row in c.execute("select " + sel + " from read_parquet('" + sys.argv[1] + "')").fetchall():
    out = []
    for v, ty in zip(row, types):
        ty = ty.upper()
        if v is None: out.append(None)
        elif "TIMESTAMP" in ty: out.append("t" + str(v))
        elif isinstance(v, bool): out.append("b" + str(v))
        elif isinstance(v, str): out.append("s" + v.encode().hex())
        elif isinstance(v, (bytes, bytearray)): out.append("x" + bytes(v).hex())
        elif isinstance(v, float): out.append("f" + struct.pack(">d", v).hex())
        else: out.append("i" + str(v))
    rows.append(out)
json.dump({"names": names, "rows": rows}, sys.stdout)
`

// pythonReads runs a script on a file and reads the table that it prints.
func pythonReads(t *testing.T, interpreter, script string, file []byte, suffix string) ([]string, []arrowlog.Row) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log"+suffix)
	must(t, os.WriteFile(path, file, 0o600))
	cmd := exec.Command(interpreter, "-c", script, path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var table struct {
		Names []string
		Rows  [][]*string
	}
	must(t, json.Unmarshal(out, &table))
	all := make([]arrowlog.Row, len(table.Rows))
	for i, r := range table.Rows {
		for _, c := range r {
			all[i] = append(all[i], pythonCell(t, c))
		}
	}
	return table.Names, all
}

func pythonCell(t *testing.T, c *string) arrowlog.Value {
	t.Helper()
	if c == nil {
		return arrowlog.NullValue()
	}
	rest := (*c)[1:]
	switch (*c)[0] {
	case 's', 'x', 'f':
		b, err := hex.DecodeString(rest)
		must(t, err)
		switch (*c)[0] {
		case 's':
			return arrowlog.StringValue(string(b))
		case 'x':
			return arrowlog.BytesValue(b)
		}
		bits, err := strconv.ParseUint(rest, 16, 64)
		must(t, err)
		return arrowlog.Float64Value(math.Float64frombits(bits))
	case 'b':
		return arrowlog.BoolValue(rest == "True")
	case 't', 'i':
		n, err := strconv.ParseInt(rest, 10, 64)
		must(t, err)
		if (*c)[0] == 't' {
			return arrowlog.TimestampValue(n)
		}
		return arrowlog.Int64Value(n)
	}
	t.Fatalf("a cell %q", *c)
	return arrowlog.Value{}
}

func TestPythonReadsWhatIsWritten(t *testing.T) {
	columns := append(wide(), arrowlog.Column{Name: "raw", Kind: arrowlog.Bytes})
	for _, reader := range []struct{ module, script string }{{"pyarrow", pyarrowScript}, {"duckdb", duckdbScript}} {
		t.Run(reader.module, func(t *testing.T) {
			interpreter := python(t, reader.module)
			for _, w := range ways() {
				suffix := ".parquet"
				if strings.HasPrefix(w.name, "ipc") {
					if reader.module == "duckdb" {
						continue
					}
					suffix = ".arrows"
					if w.o.IPCFile {
						suffix = ".arrow"
					}
				}
				t.Run(w.name, func(t *testing.T) {
					e := open(t, arrowlog.Schema{Columns: columns}, w.o)
					var out bytes.Buffer
					for range 2 { // the second is of a writer that is used again
						out.Reset()
						appendRows(t, e, rows(columns, 200, 3, 0.4))
						if _, err := w.flush(e, &out); err != nil {
							t.Fatal(err)
						}
					}
					names, got := pythonReads(t, interpreter, reader.script, out.Bytes(), suffix)
					for i, c := range columns {
						if names[i] != c.Name {
							t.Fatalf("column %d is %q, want %q", i, names[i], c.Name)
						}
					}
					if d := differ(got, rows(columns, 200, 3, 0.4)); d != "" {
						t.Error(d)
					}
				})
			}
		})
	}
}

// pythonCounts runs a script on a file with a list of texts, and reads the list of
// numbers that it prints.
func pythonCounts(t *testing.T, interpreter, script string, file []byte, texts []string) (counts []int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.parquet")
	must(t, os.WriteFile(path, file, 0o600))
	list, err := json.Marshal(texts)
	must(t, err)
	cmd := exec.Command(interpreter, "-c", script, path, string(list))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	must(t, json.Unmarshal(out, &counts))
	return counts
}
