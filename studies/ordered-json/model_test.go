package orderedjson

import (
	"reflect"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// The published parser, at revision b6cf92d, takes 2,174, 20,754 and 241,478
// allocations to read these documents, as JSON with indents, when it keeps the
// order. It has a YAML library of its own.
func TestReadingAsPublishedAllocatesAboutAsOften(t *testing.T) {
	for _, c := range []struct {
		shape     Shape
		published uint64
	}{{Small, 2_174}, {Medium, 20_754}, {Large, 241_478}} {
		source, err := GrowIndent(c.shape.Document())
		if err != nil {
			t.Fatal(err)
		}
		allocs, bytes := exact.Counters(t, func() {
			if _, err := ParseModel(source); err != nil {
				t.Error(err)
			}
		})
		share := float64(allocs) / float64(c.published)
		t.Logf("%d bytes: %d allocations of %d bytes, %.3f of the published ones", len(source), allocs, bytes, share)
		if share < 0.93 || share > 1.05 {
			t.Errorf("%d bytes of source: %d allocations, %d published", len(source), allocs, c.published)
		}
	}
}

func TestAModelIsReadThreeTimes(t *testing.T) {
	source, err := Medium.Source()
	if err != nil {
		t.Fatal(err)
	}
	m, err := ParseModel(source)
	if err != nil {
		t.Fatal(err)
	}
	want := Medium.Document()
	if got, err := Grow(m.Document()); err != nil || len(got) != Medium.Size {
		t.Errorf("%d bytes and error %v, want %d", len(got), err, Medium.Size)
	}
	if !reflect.DeepEqual(m.Document().values, want.values) {
		t.Error("the map has other values than that of Parse")
	}
	put := m.Paths["/orders/{id}"].Put
	if put.OperationID != "replaceOrder" || put.Responses.Codes["200"].Content["application/json"].Schema.Ref != "#/components/schemas/Order" {
		t.Errorf("%+v", put)
	}
	list := m.Paths["/orders"].Get.Responses.Codes["200"].Content["application/json"].Schema
	if items, ok := list.Items.(*Schema); !ok || items.Ref == "" {
		t.Errorf("items are %#v", list.Items)
	}
}

func TestAModelSaysWhatIsMissing(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"[]", "no mapping at the top"},
		{"a: [", "yaml"},
		{"info: []", "cannot unmarshal"},
		{"openapi: 3.0.3", "info: a title"},
		{"info: {title: T, version: '1'}\npaths: {/a: {get: {}}}", "paths./a.get: no responses"},
		{"info: {title: T, version: '1'}\npaths: {/a: {get: {operationId: x, responses: {default: {}}}, put: {operationId: x, responses: {}}}}", "operationId x is that of"},
		{"info: {title: T, version: '1'}\npaths: {/a: {get: {responses: {}, parameters: [{name: a}]}}}", "paths./a.get.parameters[0]: a parameter needs"},
		{"info: {title: T, version: '1'}\npaths: {/a: {get: {responses: {}, parameters: [{name: a, in: path}]}}}", "must be required"},
		{"info: {title: T, version: '1'}\npaths: {/a: {get: {responses: {}, requestBody: {}}}}", "requestBody: no media type"},
	} {
		if _, err := ParseModel([]byte(c.source)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.source, err, c.want)
		}
	}
}
