package oaspeers

import (
	"encoding/json"
	"strconv"

	"github.com/bytedance/sonic/ast"
	"github.com/getkin/kin-openapi/openapi3"
	goccy "github.com/goccy/go-json"
	"github.com/valyala/fastjson"
	"go.yaml.in/yaml/v3"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
	"github.com/poolproof/poolproof/systems/oas"
)

// Arm is one library: how it reads a document in JSON, and how it writes what it
// has read.
type Arm struct {
	Name    string
	Ordered bool // the keys are written in the order of the source
	Exact   bool // and numbers and strings as the source has them
	Read    func(source []byte) (any, error)
	Write   func(document any) ([]byte, error)
}

// Arms begin with the published way, which is the baseline.
var Arms = []Arm{
	{"published", true, false,
		func(source []byte) (any, error) { return orderedjson.Parse(source) },
		func(d any) ([]byte, error) { return orderedjson.Grow(d.(*orderedjson.Document)) }},
	{"published-pool", true, false,
		func(source []byte) (any, error) { return orderedjson.Parse(source) },
		func(d any) ([]byte, error) { return orderedjson.Pool(d.(*orderedjson.Document)) }},
	{"oas", true, true,
		func(source []byte) (any, error) { return oas.Parse(source) },
		func(d any) ([]byte, error) { return d.(*oas.Doc).JSON(), nil }},
	{"oas-lease", true, true, readAgain, writeAgain},
	{"sonic", true, false, // it keeps the space of the source in what was not looked at
		func(source []byte) (any, error) {
			n, err := ast.NewSearcher(string(source)).GetByPath()
			if err == nil {
				err = n.LoadAll()
			}
			return &n, err
		},
		func(d any) ([]byte, error) { return d.(*ast.Node).MarshalJSON() }},
	{"fastjson", true, true,
		func(source []byte) (any, error) { return new(fastjson.Parser).ParseBytes(source) },
		func(d any) ([]byte, error) { return d.(*fastjson.Value).MarshalTo(nil), nil }},
	{"goccy", false, false,
		func(source []byte) (v any, err error) { err = goccy.Unmarshal(source, &v); return v, err },
		func(d any) ([]byte, error) { return goccy.Marshal(d) }},
	{"std", false, false,
		func(source []byte) (v any, err error) { err = json.Unmarshal(source, &v); return v, err },
		func(d any) ([]byte, error) { return json.Marshal(d) }},
	{"kin-openapi", false, false,
		func(source []byte) (any, error) { return openapi3.NewLoader().LoadFromData(source) },
		func(d any) ([]byte, error) { return d.(*openapi3.T).MarshalJSON() }},
}

// kept is the document, and lent the slice, of the arm oas-lease, which one
// goroutine at a time may use.
var (
	kept oas.Doc
	lent []byte
)

func readAgain(source []byte) (any, error) { return &kept, kept.Reset(source) }

func writeAgain(d any) ([]byte, error) {
	lent = d.(*oas.Doc).AppendJSON(lent[:0])
	return lent, nil
}

// walkPublished visits each value of the tree of nodes, and makes its pointer
// as the published walker does: a string for each.
func walkPublished(n *yaml.Node, pointer string, visit func(pointer string)) {
	visit(pointer)
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			walkPublished(n.Content[i+1], pointer+"/"+n.Content[i].Value, visit)
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			walkPublished(e, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}
