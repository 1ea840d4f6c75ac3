//go:build goexperiment.jsonv2

package oaspeers

import jsonv2 "encoding/json/v2"

// In such a build encoding/json, the arm std, is made of the same code.
func init() {
	Arms = append(Arms, Arm{"jsonv2", false, false,
		func(source []byte) (v any, err error) { err = jsonv2.Unmarshal(source, &v); return v, err },
		func(d any) ([]byte, error) { return jsonv2.Marshal(d) }})
}
