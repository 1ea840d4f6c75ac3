package derived

import (
	"context"

	"queries"
)

// A method of the other package returns a copy, and leaves the query itself: its users cannot have it.

func ping(ctx context.Context) error {
	return queries.New("ping").WithContext(ctx).Exec()
}

func derived(ctx context.Context) *queries.Query {
	return queries.New("ping").WithContext(ctx)
}

func limited() error {
	return queries.New("ping").WithLimit(1).Exec() // want `PV006`
}

func cloned() error {
	q := queries.New("ping") // want `PV006`
	return q.Clone().Exec()
}

func text() string {
	return queries.New("ping").WithText("!") // want `PV006`
}

func usedToo(ctx context.Context) error {
	q := queries.New("ping") // want `PV006`
	if err := q.Exec(); err != nil {
		return err
	}
	return q.WithContext(ctx).Exec()
}

func parent(base *queries.Query) error {
	q := queries.New("ping") // want `PV006`
	return base.WithParent(q).Exec()
}
