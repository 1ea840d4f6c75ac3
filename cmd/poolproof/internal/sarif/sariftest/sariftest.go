// Package sariftest checks logs against the schema of SARIF, for tests.
package sariftest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:embed testdata/sarif-2.1.0.json
var text []byte

var schema = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("the schema of SARIF: %w", err)
	}
	return s.Resolve(nil)
})

// Validate checks a log against the schema, which refuses unknown fields too.
func Validate(data []byte) error {
	s, err := schema()
	if err != nil {
		return err
	}
	var log any
	if err := json.Unmarshal(data, &log); err != nil {
		return err
	}
	return s.Validate(log)
}
