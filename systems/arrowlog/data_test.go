package arrowlog_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// wide returns 52 columns with the proportions of OpenTelemetry logs: 33 texts,
// eight of them different in each row, ten integers, five numbers, four truth
// values; 22 are never null.
func wide() []arrowlog.Column {
	var columns []arrowlog.Column
	add := func(n int, prefix string, c arrowlog.Column) {
		for i := range n {
			c.Name = fmt.Sprintf("%s.%d", prefix, i)
			columns = append(columns, c)
		}
	}
	columns = append(columns, arrowlog.Column{Name: "time", Kind: arrowlog.Timestamp})
	add(8, "id", arrowlog.Column{Kind: arrowlog.String})
	add(25, "label", arrowlog.Column{Kind: arrowlog.String, LowCardinality: true})
	add(9, "count", arrowlog.Column{Kind: arrowlog.Int64})
	add(5, "ratio", arrowlog.Column{Kind: arrowlog.Float64})
	add(4, "flag", arrowlog.Column{Kind: arrowlog.Bool})
	return columns
}

// rows makes n rows for the columns. Odd values come often: empty texts, NUL, NaN,
// infinities, the extremes of integers. nulls is the share of nulls; the first
// column has none.
func rows(columns []arrowlog.Column, n int, seed uint64, nulls float64) []arrowlog.Row {
	random := rand.New(rand.NewPCG(seed, 7))
	all := make([]arrowlog.Row, n)
	for i := range all {
		row := make(arrowlog.Row, len(columns))
		for j, c := range columns {
			if j > 0 && random.Float64() < nulls {
				continue
			}
			row[j] = cell(c, i, random)
		}
		all[i] = row
	}
	return all
}

func cell(c arrowlog.Column, row int, random *rand.Rand) arrowlog.Value {
	switch c.Kind {
	case arrowlog.Timestamp:
		return arrowlog.TimestampValue(1_760_000_000_000_000_000 + int64(row)*1e6 + int64(random.IntN(2e6)))
	case arrowlog.Int64:
		return arrowlog.Int64Value([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, int64(random.IntN(1e6))}[random.IntN(6)])
	case arrowlog.Float64:
		return arrowlog.Float64Value([]float64{0, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, random.Float64()}[random.IntN(6)])
	case arrowlog.Bool:
		return arrowlog.BoolValue(random.IntN(2) == 0)
	case arrowlog.Bytes:
		return arrowlog.BytesValue([]byte{byte(random.Uint32()), 0xff, 0})
	}
	if c.LowCardinality {
		return arrowlog.StringValue([]string{"", "a", "INFO", "with\x00nul", "größer", strings.Repeat("x", 300)}[random.IntN(6)])
	}
	return arrowlog.StringValue(fmt.Sprintf("%016x-%d", random.Uint64(), row))
}

// same reports whether two values are the same, NaN included.
func same(a, b arrowlog.Value) bool {
	return a.Kind() == b.Kind() && a.Text() == b.Text() && a.Int64() == b.Int64() && a.Bool() == b.Bool() &&
		math.Float64bits(a.Float64()) == math.Float64bits(b.Float64())
}

// differ says where two tables differ, or returns "".
func differ(got, want []arrowlog.Row) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		for j := range want[i] {
			var g arrowlog.Value
			if j < len(got[i]) {
				g = got[i][j]
			}
			if !same(g, want[i][j]) {
				return fmt.Sprintf("row %d, column %d: %v %q, want %v %q", i, j, g.Kind(), g, want[i][j].Kind(), want[i][j])
			}
		}
	}
	return ""
}
