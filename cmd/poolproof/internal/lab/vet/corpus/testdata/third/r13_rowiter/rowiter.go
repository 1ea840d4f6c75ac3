// Package rowiter copies a table into a search index, row by row.
package rowiter

import (
	"database/sql"
	"iter"
	"log"
	"sync"
)

type row struct {
	id      int64
	title   string
	body    []byte
	deleted bool
}

var rowPool = sync.Pool{New: func() any { return new(row) }}

// scan yields the rows. Each is valid until the next.
func scan(rows *sql.Rows) iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		r := rowPool.Get().(*row)
		defer rowPool.Put(r)
		for rows.Next() {
			*r = row{}
			err := rows.Scan(&r.id, &r.title, &r.body, &r.deleted)
			if !yield(r, err) {
				return
			}
		}
	}
}

// An Index finds documents.
type Index interface {
	Add(id int64, title string, body []byte) error
	Remove(id int64) error
}

// Sync brings idx up to date.
func Sync(db *sql.DB, idx Index) error {
	rows, err := db.Query("SELECT id, title, body, deleted FROM docs")
	if err != nil {
		return err
	}
	defer rows.Close()
	var gone []int64
	for r, err := range scan(rows) {
		if err != nil {
			return err
		}
		if r.deleted {
			gone = append(gone, r.id)
			continue
		}
		if err := idx.Add(r.id, r.title, r.body); err != nil {
			return err
		}
	}
	go func() {
		for _, id := range gone {
			if err := idx.Remove(id); err != nil {
				log.Printf("remove %d: %v", id, err)
			}
		}
	}()
	return rows.Err()
}
