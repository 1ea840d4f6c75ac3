package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/systems/oas/gen"
)

const serviceDocument = `
openapi: 3.1.0
info: {title: Shop, version: "1"}
security: [{key: []}]
paths:
  /items:
    get:
      operationId: listItems
      tags: [items]
      security: []
      parameters:
        - {name: limit, in: query, schema: {type: integer, format: int32, default: 20, maximum: 100}}
        - {name: kind, in: query, schema: {type: string, enum: [a, b]}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Item'}}}}}
    post:
      operationId: createItem
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}
        "202": {description: later, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
        4XX: {description: wrong, content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  /items/{id}:
    get:
      operationId: getItem
      security: [{}]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}
        "404": {description: none, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  /events:
    get:
      operationId: watch
      security: [{}]
      responses:
        "200": {description: ok, content: {text/event-stream: {}}}
  /file:
    get:
      operationId: download
      security: [{}]
      responses:
        "200": {description: ok, content: {application/octet-stream: {}}}
  /login:
    post:
      operationId: login
      security: [{}]
      requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [user], properties: {user: {type: string, minLength: 2}, age: {type: integer}, roles: {type: array, items: {type: string}}}}}}}
      responses:
        "204": {description: ok}
components:
  securitySchemes:
    key: {type: http, scheme: bearer}
  schemas:
    Item:
      type: object
      required: [id, tags, shape]
      properties:
        id: {type: string, minLength: 1, maxLength: 8}
        tags: {type: array, items: {type: string}}
        note: {type: [string, "null"]}
        shape: {$ref: '#/components/schemas/Shape'}
        count: {type: integer, format: uint64}
    Shape:
      oneOf: [{$ref: '#/components/schemas/Circle'}, {$ref: '#/components/schemas/Square'}]
      discriminator: {propertyName: kind, mapping: {round: '#/components/schemas/Circle'}}
    Circle: {type: object, required: [kind, r], properties: {kind: {type: string}, r: {type: number, exclusiveMinimum: 0}}}
    Square: {type: object, required: [kind, side], properties: {kind: {type: string}, side: {type: number}}}
    Job: {type: object, required: [job], properties: {job: {type: string}}}
    Problem: {type: object, required: [title], properties: {title: {type: string}}}
`

const serviceProgram = `package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
)

type service struct{ limits []string }

func (s *service) ListItems(ctx context.Context, r *Request, p ListItemsParams) (*Answer[[]Item], error) {
	s.limits = append(s.limits, fmt.Sprint(*p.Limit))
	return &Answer[[]Item]{Header: http.Header{"X-Operation": {r.Route.Operation + " " + r.Header.Get("X-Sent") + " " + r.Pattern}}}, nil
}

func (s *service) CreateItem(ctx context.Context, r *Request, body Item) (*Answer[CreateItemResult], error) {
	switch body.ID {
	case "later":
		return &Answer[CreateItemResult]{Body: CreateItemResult{Status202: &Job{Job: "7"}}, Header: http.Header{"Location": {"/jobs/7"}}}, nil
	case "taken":
		return nil, &Failure[Problem]{Status: 409, Body: Problem{Title: "taken"}}
	case "broken":
		return nil, errors.New("secret")
	}
	if err := body.Valid(); err != nil {
		return nil, err
	}
	return &Answer[CreateItemResult]{Body: CreateItemResult{Status201: &body}}, nil
}

func (s *service) GetItem(ctx context.Context, r *Request, p GetItemParams) (*Answer[Item], error) {
	switch p.ID {
	case "none":
		return nil, &Failure[Problem]{Status: 404, Body: Problem{Title: "no such item"}}
	case "teapot":
		return nil, &APIError{StatusCode: 418, Body: []byte("short and stout")}
	case "odd":
		return &Answer[Item]{Status: 202}, nil
	case "one":
		return &Answer[Item]{Status: 99}, nil
	}
	return &Answer[Item]{Body: Item{ID: p.ID}}, nil
}

func (s *service) Watch(ctx context.Context, r *Request) (*Answer[Events], error) {
	return &Answer[Events]{Body: func(yield func(Event, error) bool) {
		for i := range 3 {
			if !yield(Event{ID: fmt.Sprint(i), Data: "line\nof " + fmt.Sprint(i)}, nil) {
				return
			}
		}
		yield(Event{}, errors.New("the source broke"))
	}}, nil
}

func (s *service) Download(ctx context.Context, r *Request) (*Answer[io.ReadCloser], error) {
	return &Answer[io.ReadCloser]{Body: io.NopCloser(strings.NewReader(strings.Repeat("x", 1<<20))), Header: http.Header{"Content-Type": {"text/x"}}}, nil
}

func (s *service) Login(ctx context.Context, r *Request, body LoginBody) (*Answer[NoBody], error) {
	if body.User != "me" || len(body.Roles) != 2 || *body.Age != 3 {
		return nil, fmt.Errorf("%+v", body)
	}
	return nil, nil
}

var bad bool

func check(name string, got, want any) {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		fmt.Printf("%s: %v, want %v\n", name, got, want)
		bad = true
	}
}

func main() {
	var lost []string
	s := &service{}
	through := 0
	server := httptest.NewServer(NewHandler(s, HandlerOptions{
		OnError: func(r *http.Request, err error) { lost = append(lost, RouteOf(r.Context()).Operation+": "+err.Error()) },
		Middleware: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if RouteOf(r.Context()).Operation != "" && r.Pattern != "" {
					through++
				}
				next.ServeHTTP(w, r)
			})
		},
		Authenticate: func(r *Request, c Credential) error {
			if c.Value != "sesame" {
				return errors.New("another word")
			}
			return nil
		},
		MaxBody: 1000,
	}))
	defer server.Close()
	ctx := context.Background()
	c := &Client{BaseURL: server.URL, Edit: func(r *http.Request) error {
		r.Header.Set("X-Sent", "here")
		r.Header.Set("Authorization", "Bearer sesame")
		return nil
	}}
	var round Shape
	check("a shape", round.SetCircle(Circle{R: 2}), nil)
	check("its kind", round.Discriminator(), "round")
	v, err := round.Value()
	check("its value", fmt.Sprintf("%T %v", v, err), "main.Circle <nil>")
	_, err = round.AsSquare()
	check("what it is not", err, "/side: it is required")

	list, err := c.ListItems(ctx, ListItemsParams{})
	check("a list", err, nil)
	check("the header of an answer", list.Header.Get("X-Operation"), "ListItems here GET /items")
	check("the default", strings.Join(s.limits, ""), "20")
	item := Item{ID: "a", Shape: round, Count: new(uint64)}
	*item.Count = 1<<64 - 1
	made, err := c.CreateItem(ctx, item)
	check("created", err, nil)
	check("with its status", made.Status, 201)
	check("and count", *made.Body.Status201.Count, uint64(1<<64-1))
	item.ID = "later"
	made, err = c.CreateItem(ctx, item)
	check("later", err, nil)
	check("another type", fmt.Sprint(made.Status, made.Body.Status202.Job, made.Body.Status201 == nil, made.Header.Get("Location")), "2027true/jobs/7")
	item.ID = "taken"
	_, err = c.CreateItem(ctx, item)
	var f *Failure[Problem]
	check("a failure", errors.As(err, &f) && f.Status == 409 && f.Body.Title == "taken" && StatusOf(err) == 409, true)
	_, err = c.GetItem(ctx, GetItemParams{ID: "none"})
	check("404", errors.As(err, &f) && f.Body.Title == "no such item", true)
	_, err = c.GetItem(ctx, GetItemParams{ID: "teapot"})
	check("a status that the document has not", err, "status 418: short and stout")
	_, err = c.GetItem(ctx, GetItemParams{ID: "odd"})
	check("another status of success", strings.HasPrefix(fmt.Sprint(err), "status 202: the document has no answer with this status"), true)
	lost = nil
	_, err = c.GetItem(ctx, GetItemParams{ID: "one"})
	check("an impossible status", StatusOf(err), 500)
	item.ID = "broken"
	_, err = c.CreateItem(ctx, item)
	check("an error", StatusOf(err), 500)
	check("is reported", strings.Join(lost, "; "), "GetItem: GetItem answers with the status 99; CreateItem: secret")

	lost = nil
	watch, err := c.Watch(ctx)
	check("events", err, nil)
	var all []string
	for e, err := range watch.Body {
		if err != nil {
			all = append(all, "error")
			break
		}
		all = append(all, e.ID+e.Data)
	}
	check("the events", strings.Join(all, "|"), "0line\nof 0|1line\nof 1|2line\nof 2|error")
	check("their error", strings.Join(lost, ""), "Watch: the source broke")
	file, err := c.Download(ctx)
	check("a file", err, nil)
	n, err := io.Copy(io.Discard, file.Body)
	check("its length", fmt.Sprint(n, err, file.Header.Get("Content-Type"), file.Body.Close()), "1048576 <nil>text/x<nil>")
	age := int64(3)
	_, err = c.Login(ctx, LoginBody{User: "me", Age: &age, Roles: []string{"a", "b c"}})
	check("a form", err, nil)

	word := "Bearer sesame"
	for _, q := range []struct{ method, path, contentType, body, want string }{
		{"POST", "/items", "application/json", "{}", "400 body /id it is required"},
		{"POST", "/items", "application/json", "null", "400 body  it is of type null and must be of type object"},
		{"POST", "/items", "application/json", "{\"id\":\"a\",\"tags\":null,\"shape\":{\"kind\":\"round\",\"r\":1}}", "400 body /tags it is of type null and must be of type array"},
		{"POST", "/items", "application/json", "{\"id\":\"a\",\"tags\":[]} x", "400 body  invalid"},
		{"POST", "/items", "application/json", "{\"id\":\"a\",\"tags\":[],\"shape\":{\"kind\":\"round\",\"r\":0}}", "400 body /shape it fits none of oneOf"},
		{"POST", "/items", "application/json", "{\"id\":\"123456789\",\"tags\":[],\"shape\":{\"kind\":\"round\",\"r\":1}}", "400 body /id it has 9 characters, and 8 is the most"},
		{"POST", "/items", "application/json", "", "400 body  it is missing"},
		{"POST", "/items", "text/xml", "<a/>", "415 header  it is \"text/xml\""},
		{"POST", "/items", "application/json", strings.Repeat(" ", 1001), "413 body  it is longer than 1000 bytes"},
		{"POST", "/login", "application/x-www-form-urlencoded", "user=m", "400 body /user it has 1 characters"},
		{"POST", "/login", "application/x-www-form-urlencoded", "age=x&user=me", "400 body  age cannot be \"x\""},
		{"GET", "/items?limit=1000", "", "", "400 query  it is more than it may be; the maximum is 100"},
		{"GET", "/items?kind=c", "", "", "400 query  it is none of the values"},
		{"GET", "/items?limit=x", "", "", "400 query  it cannot be \"x\""},
		{"POST", "/items", "no credential", "{}", "401 credential  key is missing"},
		{"POST", "/items", "a wrong one", "{}", "401 credential  another word"},
	} {
		r, _ := http.NewRequest(q.method, server.URL+q.path, strings.NewReader(q.body))
		if r.Header.Set("Authorization", word); q.contentType == "no credential" {
			r.Header.Del("Authorization")
		} else if q.contentType == "a wrong one" {
			r.Header.Set("Authorization", "bearer x")
		} else if q.contentType != "" {
			r.Header.Set("Content-Type", q.contentType)
		}
		a, err := http.DefaultClient.Do(r)
		check(q.path, err, nil)
		b, _ := io.ReadAll(a.Body)
		a.Body.Close()
		e := new(RequestError)
		tree, err := one(b)
		check(q.path+" "+q.body+" JSON", err, nil)
		object, _ := tree.(map[string]any)
		e.In, _ = object["in"].(string)
		e.Pointer, _ = object["pointer"].(string)
		e.Detail, _ = object["detail"].(string)
		if got := fmt.Sprint(a.StatusCode, " ", e.In, " ", e.Pointer, " ", e.Detail); !strings.HasPrefix(got, q.want) && !strings.Contains(q.want, "invalid") {
			check(q.method+" "+q.path+" "+q.body, got, q.want)
		}
		if a.StatusCode == 401 && a.Header.Get("WWW-Authenticate") != "bearer" {
			check("WWW-Authenticate", a.Header, "bearer")
		}
	}
	if through < 20 {
		check("requests through the middleware", through, "20 at least")
	}
	if bad {
		os.Exit(1)
	}
}
`

// A generated service checks what it gets, says what it answers, and loses no error.
func TestAServiceThatPeopleRun(t *testing.T) {
	dir := t.TempDir()
	files, err := gen.Generate(parse(t, serviceDocument), gen.Options{Package: "main", Note: func(n gen.Note) { t.Errorf("note %v", n) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range sound(files) {
		t.Error(w)
	}
	files["main.go"] = []byte(serviceProgram)
	files["go.mod"] = []byte("module shop\n\ngo 1.25\n")
	for name, source := range files {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"run", "."}} {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
}
