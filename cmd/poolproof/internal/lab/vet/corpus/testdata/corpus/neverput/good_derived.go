package neverput

import (
	"context"

	"example.org/corpus/lib/queries"
)

// A method of the library returns a copy, and leaves the query itself.

func ping(ctx context.Context) error {
	return queries.New("ping").WithContext(ctx).Exec() // fine "PV006" nobody can have it
}

func derived(ctx context.Context) *queries.Query {
	return queries.New("ping").WithContext(ctx) // fine "PV006" likewise
}
