// Package csvimport loads orders from CSV files whose columns may come in any order.
package csvimport

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"sync"
)

type order struct {
	id       int64
	cents    int64
	customer string
}

var orders = sync.Pool{New: func() any { return new(order) }}

// A DB stores orders.
type DB struct {
	insert func(id, cents int64, customer string) error
}

// Import stores the rows of r and returns how many are stored and how many are malformed.
func (db *DB) Import(r io.Reader) (stored, bad int, err error) {
	rows := csv.NewReader(r)
	head, err := rows.Read()
	if err != nil {
		return 0, 0, err
	}

next:
	for {
		rec, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return stored, bad, nil
		}
		if err != nil {
			return stored, bad, err
		}
		o := orders.Get().(*order)
		*o = order{}
		for i, col := range head {
			switch col {
			case "id":
				o.id, err = strconv.ParseInt(rec[i], 10, 64)
			case "cents":
				o.cents, err = strconv.ParseInt(rec[i], 10, 64)
			case "customer":
				o.customer = rec[i]
			}
			if err != nil {
				bad++
				orders.Put(o)
				continue next
			}
		}
		err = db.insert(o.id, o.cents, o.customer)
		orders.Put(o)
		if err != nil {
			return stored, bad, err
		}
		stored++
	}
}
