package arrowlog_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/internal/parquetfile"
	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

// numbers are columns of numbers whose order has exceptions, each with n rows. Nil is
// a null.
func numbers(n int) map[string][]*float64 {
	number := func(f float64) *float64 { return &f }
	random := rand.New(rand.NewPCG(1, 1))
	made := map[string]func(i int) *float64{
		"NaN in the first half":  func(i int) *float64 { return number([]float64{math.NaN(), float64(i % 1000)}[2*i/n]) },
		"NaN in the second half": func(i int) *float64 { return number([]float64{float64(i % 1000), math.NaN()}[2*i/n]) },
		"all NaN":                func(int) *float64 { return number(math.NaN()) },
		"all null":               func(int) *float64 { return nil },
		"all 7":                  func(int) *float64 { return number(7) },
		"-0 alone":               func(int) *float64 { return number(math.Copysign(0, -1)) },
		"0 and -0":               func(i int) *float64 { return number(math.Copysign(0, float64(i%2)-0.5)) },
		"infinities":             func(i int) *float64 { return number(math.Inf(i%2*2 - 1)) },
		"NaN, null and numbers": func(i int) *float64 {
			return []*float64{nil, number(math.NaN()), number(random.NormFloat64()), number(500)}[random.IntN(4)]
		},
		"a least value between NaN": func(i int) *float64 {
			if i%1000 == 500 {
				return number(-float64(i))
			}
			return []*float64{number(math.NaN()), number(1)}[random.IntN(2)]
		},
	}
	all := map[string][]*float64{}
	for name, make := range made {
		for i := range n {
			all[name] = append(all[name], make(i))
		}
	}
	return all
}

func numbersFile(t testing.TB, writer string, column []*float64, rowGroup int) []byte {
	t.Helper()
	d := arrowlog.Data{Name: "f"}
	for _, f := range column {
		d.Valid = append(d.Valid, f != nil)
		if f == nil {
			f = new(float64)
		}
		d.Float64s = append(d.Float64s, *f)
	}
	e := open(t, arrowlog.Schema{}, arrowlog.Options{RowGroup: rowGroup})
	must(t, e.AppendColumns(len(column), d))
	return fileWriters[writer](t, e, rowGroup)
}

// thresholds are compared with the numbers.
var thresholds = []float64{-1e9, -1, math.Copysign(0, -1), 0, 5, 7, 499, 990, math.Inf(1), math.Inf(-1), math.NaN()}

// TestNoRowIsLostBesideNaN compares queries of numbers with a loop over them. Bounds
// that are NaN must not make the reader skip a row group.
func TestNoRowIsLostBesideNaN(t *testing.T) {
	n := 300_000 // several pages
	if testing.Short() || raceEnabled {
		n = 80_000
	}
	for name, column := range numbers(n) {
		for writer := range fileWriters {
			file := numbersFile(t, writer, column, 0)
			for _, x := range thresholds {
				for op := where.Equal; op <= where.GreaterOrEqual; op++ {
					want := 0
					for _, f := range column {
						if f != nil && compare(arrowlog.Float64Value(*f), op, arrowlog.Float64Value(x)) {
							want++
						}
					}
					r, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), arrowlog.Query{Where: []where.Condition{{Column: "f", Op: op, Value: arrowlog.Float64Value(x)}}})
					must(t, err)
					got := 0
					for {
						b, err := r.Next()
						if err != nil {
							break
						}
						got += b.Rows()
					}
					if got != want {
						t.Errorf("%s, %s, f %v %v: %d rows, want %d; %+v", name, writer, op, x, got, want, r.Stats())
					}
				}
			}
		}
	}
}

// TestBoundsHoldForAllNumbers reads the bounds of the files: those that are not NaN
// must hold, for other readers too.
func TestBoundsHoldForAllNumbers(t *testing.T) {
	for name, column := range numbers(20_000) {
		for writer := range fileWriters {
			file := numbersFile(t, writer, column, 7000)
			f, err := parquetfile.Open(bytes.NewReader(file), int64(len(file)))
			must(t, err)
			row := 0
			for g := range f.Groups {
				a, b, ok := f.Bounds(g, f.Columns[0])
				least, greatest := math.Float64frombits(a.Bits), math.Float64frombits(b.Bits)
				if ok && (math.IsNaN(least) || math.IsNaN(greatest)) {
					t.Errorf("%s, %s: the bounds are %v and %v", name, writer, least, greatest)
				}
				for range f.Groups[g].NumRows {
					if x := column[row]; ok && x != nil && (*x < least || *x > greatest) {
						t.Fatalf("%s, %s, row %d: %v is not within %v and %v", name, writer, row, *x, least, greatest)
					}
					row++
				}
			}
		}
	}
}

const duckdbCounts = `
import duckdb, json, sys
c = duckdb.connect()
ops = ["=", "!=", "<", "<=", ">", ">="]
# A table of its own: from the bounds of a file DuckDB concludes that isnan is false.
c.execute("create table t as select f from read_parquet('%s')" % sys.argv[1])
out = []
for x in json.loads(sys.argv[2]):
    for op in ops:
        # DuckDB orders NaN above all numbers; isnan takes it out, as IEEE 754 does.
        q = "select count(*) from t where f %s '%s'::double and not isnan(f)" % (op, x)
        out.append(c.execute(q).fetchone()[0])
json.dump(out, sys.stdout)
`

// TestDuckDBFindsTheSameNumbers asks DuckDB the same of the same files.
func TestDuckDBFindsTheSameNumbers(t *testing.T) {
	interpreter := python(t, "duckdb")
	for name, column := range numbers(80_000) {
		for writer := range fileWriters {
			file := numbersFile(t, writer, column, 30_000)
			var want []int
			var texts []string
			for _, x := range thresholds {
				if math.IsNaN(x) {
					continue
				}
				texts = append(texts, fmt.Sprint(x))
				for op := where.Equal; op <= where.GreaterOrEqual; op++ {
					n := 0
					for _, f := range column {
						if f != nil && !math.IsNaN(*f) && compare(arrowlog.Float64Value(*f), op, arrowlog.Float64Value(x)) {
							n++
						}
					}
					want = append(want, n)
				}
			}
			if got := pythonCounts(t, interpreter, duckdbCounts, file, texts); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %s: DuckDB finds %v, a loop %v", name, writer, got, want)
			}
		}
	}
}
