package practice

import hotswap "github.com/poolproof/poolproof/studies/hot-swap"

// built holds the data of benchmarks that have run. A benchmark's function is
// called for each of many short measurements, and to fill a Table takes longer
// than one of them.
var built = map[string]any{}

// once returns what build returned when it was first called for that key.
func once[T any](key string, build func() T) T {
	if _, ok := built[key]; !ok {
		built[key] = build()
	}
	return built[key].(T)
}

// containerOf returns the arm's container of 100,000 entries.
func containerOf(arm Arm) hotswap.Container {
	return once("container "+arm.Name, func() hotswap.Container { return arm.New(data().Fill(0)) })
}
