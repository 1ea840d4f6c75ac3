// Wrong: JSON decoded into a pooled struct behind a wrapper
package w7

import (
	"encoding/json"
	"sync"
)

type event struct {
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

type task struct{ ev *event }

var events = sync.Pool{New: func() any { return new(event) }}

func Name(body []byte) (string, error) {
	t := task{}
	t.ev = events.Get().(*event)
	defer events.Put(t.ev)
	if err := json.Unmarshal(body, t.ev); err != nil { // want "PV011" fields that the JSON lacks keep old values
		return "", err
	}
	return t.ev.Name, nil
}
