package useafterput

import "fmt"

func serve(r *request, forget func(string)) {
	name := r.name
	if done := r.putIfDone(); done && forget != nil {
		forget(name)
	} else if !done && r.beats > 0 { // fine "PV001" not put
		r.next += r.beats
	}
}

func closeReported(r *request) error {
	if err := r.close(); err != nil {
		return fmt.Errorf("%s: %w", r.name, err) // fine "PV001" an error: not put
	}
	return nil
}

func keptOrNot(r *request) int {
	if r.keep() {
		return r.beats // fine "PV001" kept
	}
	return 0
}

func ignored(r *request, names []string) []string {
	r.putIfDone()
	return append(names, "done") // fine "PV001" nothing of it is used
}
