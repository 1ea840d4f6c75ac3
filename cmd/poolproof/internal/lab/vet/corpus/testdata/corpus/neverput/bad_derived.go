package neverput

import (
	"context"

	"example.org/corpus/lib/queries"
)

// What is lost is no query that a method of the library has left for a copy.

func limited() error {
	return queries.New("ping").WithLimit(1).Exec() // want "PV006" the same query
}

func cloned() error {
	q := queries.New("ping") // want "PV006" the clone is another one
	return q.Clone().Exec()
}

func keptAlso(ctx context.Context) error {
	q := queries.New("ping") // want "PV006" it is used by itself too
	if err := q.Exec(); err != nil {
		return err
	}
	return q.WithContext(ctx).Exec()
}
