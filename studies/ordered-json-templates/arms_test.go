package orderedjsontemplates

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/studies/internal/exact"
	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// TestArmsAgree holds the arms together: all generate the same bytes. It runs
// before anything is timed.
func TestArmsAgree(t *testing.T) {
	for _, p := range parts {
		want, err := New(p.part, model(), Formatted)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second run finds used buffers
			for _, arm := range arms {
				if got, err := arm.generate(p.part, model(), Formatted); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %s generates %.200q and error %v, want %.200q", p.name, arm.name, got, err, want)
				}
			}
		}
		t.Logf("result: %s %x", p.name, sha256.Sum256(want))
	}
}

func TestTheFilesAreAPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the sources of net/http")
	}
	fset := token.NewFileSet()
	var sources []*ast.File
	for _, p := range parts {
		source, err := New(p.part, model(), Formatted)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(fset, p.name+".go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, file)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("shop", fset, sources, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Order", "Client", "Server", "NewHandler"} {
		if pkg.Scope().Lookup(name) == nil {
			t.Errorf("no %s in the package", name)
		}
	}
}

func TestTheModelHasWhatTheDocumentHas(t *testing.T) {
	d, err := orderedjson.Shape{Resources: 1, Operations: 5, Properties: 3, Words: 2}.Source()
	if err != nil {
		t.Fatal(err)
	}
	document, err := orderedjson.Parse(d)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(document)
	if err != nil {
		t.Fatal(err)
	}
	client, err := New(Client, m, Formatted)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"func (c *Client) ListOrder(ctx context.Context, limit int64) ([]Order, error) {",
		`query.Set("limit", fmt.Sprint(limit))`,
		"func (c *Client) CreateOrder(ctx context.Context, body Order) (Order, error) {",
		"func (c *Client) ReplaceOrder(ctx context.Context, id string, body Order) (Order, error) {",
		"func (c *Client) RemoveOrder(ctx context.Context, id string) error {",
		`c.do(ctx, "DELETE", "/orders/"+url.PathEscape(id), query, nil, nil)`,
	} {
		if !strings.Contains(string(client), want) {
			t.Errorf("the client lacks %s in\n%s", want, client)
		}
	}
	source, err := New(Types, m, Formatted)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Created time.Time `json:\"created,omitempty\"`",
		"ID      int64     `json:\"id\"`",
		"import \"time\"",
	} {
		if !strings.Contains(string(source), want) {
			t.Errorf("the types lack %s in\n%s", want, source)
		}
	}
}

func TestTheResultIsThatOfSuccess(t *testing.T) {
	d, err := orderedjson.Parse([]byte(`
paths:
  /a:
    get:
      operationId: a
      responses:
        '200': {content: {application/json: {schema: {$ref: '#/components/schemas/Found'}}}}
        '404': {content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
        default: {content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(d)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Operations) != 1 || m.Operations[0].Result != "Found" {
		t.Errorf("%+v, want one operation that returns Found", m.Operations)
	}
}

// A result must not change by what is done later.
func TestResultsAreTheCallers(t *testing.T) {
	for _, arm := range arms {
		for range 3 {
			first, err := arm.generate(Types, model(), Formatted)
			if err != nil {
				t.Fatal(err)
			}
			want := bytes.Clone(first)
			if _, err := arm.generate(Server, model(), Formatted); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, want) {
				t.Fatalf("%s: the types changed when the server was generated", arm.name)
			}
		}
	}
}

// What finish is given must not change as long as it has it: the arms pool and
// tiers hand it a copy, for which a buffer is free again already.
func TestTheSourceIsNobodyElsesWhileItIsFinished(t *testing.T) {
	for _, arm := range arms {
		_, err := arm.generate(Types, model(), func(source []byte) ([]byte, error) {
			before := bytes.Clone(source)
			if _, err := arm.generate(Server, model(), Formatted); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(source, before) {
				t.Errorf("%s: the source changed while it was finished", arm.name)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestErrorsComeBack(t *testing.T) {
	failed := errors.New("failed")
	for _, arm := range arms {
		if _, err := arm.generate(Types, model(), func([]byte) ([]byte, error) { return nil, failed }); err != failed {
			t.Errorf("%s: error %v of finish, want %v", arm.name, err, failed)
		}
		if out, err := arm.generate("none.tmpl", model(), Formatted); err == nil {
			t.Errorf("%s: %q for a part that is none", arm.name, out)
		}
		if _, err := arm.generate(Types, model(), Formatted); err != nil {
			t.Errorf("%s: error %v after the errors", arm.name, err)
		}
	}
}

func TestManyGoroutinesGenerate(t *testing.T) {
	want, err := New(Server, model(), Formatted)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for _, arm := range arms {
				if got, err := arm.generate(Server, model(), Formatted); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: another server, error %v", arm.name, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestTheTierIsThatOfTheNumberOfOperations(t *testing.T) {
	for _, c := range []struct {
		operations int
		want       *pool.Pool[bytes.Buffer]
	}{{0, small}, {9, small}, {10, medium}, {25, medium}, {49, medium}, {50, large}, {1000, large}} {
		if tier(c.operations) != c.want {
			t.Errorf("%d operations have another tier", c.operations)
		}
	}
}

func TestThePoolsKeepWhatTheBuffersHaveGrownTo(t *testing.T) {
	exact.Pools(t)
	for _, c := range []struct {
		name string
		from *pool.Pool[bytes.Buffer]
		size int
		kept bool
	}{
		{"the pool, below the limit", buffers, keptSize / 2, true},
		{"the pool, above the limit", buffers, keptSize + 1, false},
		{"the tier of small documents, below the limit of all", tier(1), keptSize / 2, true},
		{"the tier of small documents, above the limit of all", tier(1), keptSize + 1, false},
	} {
		for range 20 { // what earlier tests left there
			c.from.Get()
		}
		b := c.from.Get()
		b.Grow(c.size)
		release(c.from, b)
		if found := c.from.Get(); (found.Cap() >= c.size) != c.kept {
			t.Errorf("%s: the next user finds a buffer of %d bytes", c.name, found.Cap())
		}
	}
}

// A tier is chosen by the number of operations, also when a buffer goes back. So
// the buffer that a document of few operations has made large serves the next one.
func TestATierOfSmallDocumentsKeepsALargeBuffer(t *testing.T) {
	exact.Pools(t)
	few := read(wordy)
	if _, err := Tiers(Client, few, hashed); err != nil {
		t.Fatal(err)
	}
	if got := capacity(tier(len(few.Operations))); got < 2*smallSize || got > keptSize {
		t.Errorf("the small tier, made for %d bytes, hands out a buffer of %d", smallSize, got)
	}
}
