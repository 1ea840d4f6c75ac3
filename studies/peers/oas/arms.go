package oaspeers

import (
	"encoding/json"

	"github.com/bytedance/sonic/ast"
	"github.com/getkin/kin-openapi/openapi3"
	goccy "github.com/goccy/go-json"
	"github.com/minio/simdjson-go"
	"github.com/pb33f/libopenapi"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/valyala/fastjson"
	"k8s.io/kube-openapi/pkg/spec3"

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

// Arms begin with the published way, which is the baseline. A build with
// GOEXPERIMENT=jsonv2 has encoding/json/v2 as well.
var Arms = []Arm{
	{"published", true, false,
		func(source []byte) (any, error) { return orderedjson.ParseModel(source) },
		func(d any) ([]byte, error) { return orderedjson.Grow(d.(*orderedjson.Model).Document()) }},
	{"published-pool", true, false,
		func(source []byte) (any, error) { return orderedjson.ParseModel(source) },
		func(d any) ([]byte, error) { return orderedjson.Pool(d.(*orderedjson.Model).Document()) }},
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
	{"simdjson-go", true, false, // needs AVX2
		func(source []byte) (any, error) { return simdjson.Parse(source, nil) },
		func(d any) ([]byte, error) {
			values := d.(*simdjson.ParsedJson).Iter()
			return values.MarshalJSON()
		}},
	{"kin-openapi", false, false,
		func(source []byte) (any, error) { return openapi3.NewLoader().LoadFromData(source) },
		func(d any) ([]byte, error) { return d.(*openapi3.T).MarshalJSON() }},
	{"kube-openapi", false, false,
		func(source []byte) (any, error) { d := new(spec3.OpenAPI); return d, d.UnmarshalJSON(source) },
		func(d any) ([]byte, error) { return d.(*spec3.OpenAPI).MarshalJSON() }},
	{"libopenapi", false, false, // the order within paths and components, not that of the top
		func(source []byte) (any, error) {
			d, err := libopenapi.NewDocument(source)
			if err != nil {
				return nil, err
			}
			return d.BuildV3Model()
		},
		func(d any) ([]byte, error) {
			return d.(*libopenapi.DocumentModel[v3.Document]).Model.RenderJSON("")
		}},
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
