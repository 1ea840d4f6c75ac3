package arrowallocators

import (
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
)

// BatchRows is the number of rows of an operation, as published.
const BatchRows = 900

// Row is a log as the published path receives it: what it has, by column name.
type Row = map[string]any

// NewRows returns n rows of the data set. The same n and seed give the same
// rows on every machine.
func NewRows(n int, seed uint64) []Row {
	random := rand.New(rand.NewPCG(seed, seed))
	rows := make([]Row, n)
	for i := range rows {
		row := make(Row, len(columns))
		for _, c := range columns {
			if random.Float64() >= c.nulls {
				row[c.name] = c.value(i, random)
			}
		}
		rows[i] = row
	}
	return rows
}

// value makes the value of a column in a row.
func (c column) value(row int, random *rand.Rand) any {
	choice := uint64(random.Uint32())
	if c.distinct > 0 {
		// Squaring makes the first values the frequent ones. Integers only:
		// floating point may differ between processors.
		choice = choice * choice >> 32 * uint64(c.distinct) >> 32
	}
	switch c.kind {
	case Bool:
		return choice%4 == 0
	case Float64:
		return float64(choice*choice>>40) / 1e3 // a duration in ms, most of them short
	case Int64:
		switch {
		case strings.HasSuffix(c.name, "timestamp"):
			return 1_760_000_000_000_000_000 + int64(row)*1_300_000 + int64(choice%1_000_000)
		case c.distinct > 0:
			return int64(choice)
		}
		return int64(choice % 60_000)
	}
	if c.distinct > 0 {
		return padded(fmt.Sprint(c.name[strings.LastIndexByte(c.name, '.')+1:], "-", choice), c.length)
	}
	return c.unique(random)
}

// unique makes a string that no other row has.
func (c column) unique(random *rand.Rand) string {
	var id [20]byte
	for i := 0; i < len(id); i += 4 {
		binary.LittleEndian.PutUint32(id[i:], random.Uint32())
	}
	switch c.name {
	case "body":
		return fmt.Sprintf("request %s finished after %d ms with %d bytes, %d retries and status ok",
			hex.EncodeToString(id[:4]), random.IntN(5000), random.IntN(1<<20), random.IntN(4))
	case "url.full":
		return fmt.Sprintf("https://shop.example.com/api/v2/orders/%d/items/%d?trace=%s",
			random.IntN(1e6), random.IntN(100), hex.EncodeToString(id[:6]))
	case "client.address":
		return fmt.Sprintf("10.%d.%d.%d", id[0], id[1], id[2])
	case "trace_id", "span_id":
		return hex.EncodeToString(id[:c.length/2])
	}
	return padded(base32.StdEncoding.EncodeToString(id[:]), c.length)
}

// padded cuts or repeats s to a length in bytes.
func padded(s string, length int) string {
	for len(s) < length {
		s += "-" + s
	}
	// The end differs between values, the start does not.
	return s[len(s)-length:]
}
