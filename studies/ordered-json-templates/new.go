package orderedjsontemplates

import "bytes"

// New is the arm new: a buffer that starts empty and grows.
func New(p Part, m *Model, finish Finish) ([]byte, error) {
	var out bytes.Buffer
	if err := execute(&out, p, m); err != nil {
		return nil, err
	}
	return finish(out.Bytes())
}
