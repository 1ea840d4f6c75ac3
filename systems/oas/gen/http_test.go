package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/systems/oas/gen"
)

// program is a service and its user, written against the code for a document
// whose paths net/http.ServeMux refuses.
const program = `package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"time"
)

type service struct{ pets map[string]Pet }

func (s *service) GetPet(ctx context.Context, r *Request, p GetPetParams) (*Answer[Pet], error) {
	pet, ok := s.pets[p.PetID]
	if !ok {
		return nil, &APIError{StatusCode: 404, Body: []byte("{\"message\":\"no pet " + p.PetID + "\"}")}
	}
	return &Answer[Pet]{Body: pet}, nil
}

func (s *service) CreatePet(ctx context.Context, r *Request, p CreatePetParams, body Pet) (*Answer[Pet], error) {
	if body.Name == "broken" {
		return nil, errors.New("secret")
	}
	s.pets[body.ID] = body
	return &Answer[Pet]{Body: body}, nil
}

func (s *service) ListPets(ctx context.Context, r *Request, p ListPetsParams) (*Answer[[]Pet], error) {
	var all []Pet
	for _, k := range p.Kind {
		all = append(all, Pet{ID: k})
	}
	for _, t := range p.Tags {
		all = append(all, Pet{ID: "tag " + t})
	}
	if p.Limit != nil {
		all = append(all, Pet{ID: fmt.Sprint("limit ", *p.Limit)})
	}
	if p.XTrace != nil {
		all = append(all, Pet{ID: "trace " + *p.XTrace})
	}
	if p.Session != nil {
		all = append(all, Pet{ID: "session " + *p.Session})
	}
	if p.Since != nil {
		all = append(all, Pet{ID: p.Since.UTC().Format(time.RFC3339)})
	}
	return &Answer[[]Pet]{Body: all}, nil
}

func (s *service) GetPetJSON(ctx context.Context, r *Request, p GetPetJSONParams) (*Answer[Pet], error) {
	return &Answer[Pet]{Body: Pet{ID: p.PetID, Name: "json"}}, nil
}
func (s *service) Mine(ctx context.Context, r *Request) (*Answer[Pet], error) { return &Answer[Pet]{Body: Pet{ID: "mine"}}, nil }
func (s *service) Act(ctx context.Context, r *Request, p ActParams) (*Answer[Pet], error) {
	return &Answer[Pet]{Body: Pet{ID: p.PetID, Name: "acts"}}, nil
}
func (s *service) Photo(ctx context.Context, r *Request, p PhotoParams) (*Answer[io.ReadCloser], error) {
	return &Answer[io.ReadCloser]{Body: io.NopCloser(strings.NewReader("photo of " + p.PetID))}, nil
}
func (s *service) Upload(ctx context.Context, r *Request, p UploadParams, body io.Reader) (*Answer[NoBody], error) {
	b, err := io.ReadAll(body)
	if err == nil && string(b) != "bytes of "+p.PetID {
		err = &APIError{StatusCode: 422, Body: b}
	}
	return nil, err
}

func (s *service) Again(ctx context.Context, r *Request) (*Answer[[]Pet], error) {
	return &Answer[[]Pet]{Body: []Pet{{ID: "the second one"}}}, nil
}

func (s *service) Form(ctx context.Context, r *Request, p FormParams, body io.Reader) (*Answer[string], error) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	form, err := multipart.NewReader(body, params["boundary"]).ReadForm(1 << 20)
	if err != nil {
		return nil, err
	}
	return &Answer[string]{Body: p.PetID + " " + form.Value["note"][0] + " " + form.File["photo"][0].Filename}, nil
}

func (s *service) Shared(ctx context.Context, r *Request, p SharedParams) (*Answer[string], error) {
	return &Answer[string]{Body: "shared " + p.PetID}, nil
}
func (s *service) Shared2(ctx context.Context, r *Request, p Shared2Params) (*Answer[string], error) {
	return &Answer[string]{Body: "shared again " + p.PetID}, nil
}
func (s *service) Hidden(ctx context.Context, r *Request, p HiddenParams) (*Answer[NoBody], error) { return nil, nil }
func (s *service) Own(ctx context.Context, r *Request, p OwnParams) (*Answer[string], error) {
	return &Answer[string]{Body: "own " + p.PetID}, nil
}

var (
	bad  = false
	lost   []string // errors that no client sees
)

func check(name string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		fmt.Printf("%s: %#v, want %#v\n", name, got, want)
		bad = true
	}
}

func body[T any](a *Answer[T], err error) (v T, _ error) {
	if err != nil {
		return v, err
	}
	return a.Body, nil
}

func main() {
	server := httptest.NewServer(NewHandler(&service{pets: map[string]Pet{}}, HandlerOptions{OnError: func(r *http.Request, err error) { lost = append(lost, err.Error()) }}))
	defer server.Close()
	edited := 0
	c := &Client{BaseURL: server.URL + "/", Edit: func(*http.Request) error { edited++; return nil }}
	ctx := context.Background()
	status := func(err error) int {
		var e *APIError
		if errors.As(err, &e) {
			return e.StatusCode
		}
		return -1
	}

	for _, id := range []string{"one", "a/b c", "50%", "ü?#&", "..", "{x}"} {
		born := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)
		pet := Pet{ID: id, Name: "Rex \"<&>\"", Born: &born, Tags: []string{"x"}, Mother: &Pet{ID: "m"}}
		made, err := body(c.CreatePet(ctx, CreatePetParams{}, pet))
		check("create "+id, err, nil)
		check("created "+id, made, pet)
		got, err := body(c.GetPet(ctx, GetPetParams{PetID: id}))
		check("get "+id, err, nil)
		check("got "+id, got, pet)
	}
	_, err := c.GetPet(ctx, GetPetParams{PetID: "none"})
	check("a pet that is not there", status(err), 404)
	check("its message", err.Error(), "status 404: {\"message\":\"no pet none\"}")
	_, err = c.CreatePet(ctx, CreatePetParams{}, Pet{Name: "broken"})
	check("an error of the service", status(err), 500)
	check("which stays secret", strings.Contains(err.Error(), "secret"), false)
	check("and is reported", strings.Join(lost, ";"), "secret")

	limit, trace, session, since := int32(7), "t 1", "s", time.Date(2021, 1, 2, 3, 4, 5, 0, time.UTC)
	list, err := body(c.ListPets(ctx, ListPetsParams{Limit: &limit, Kind: []string{"cat", "d,g"}, Tags: []string{"a", "b"}, XTrace: &trace, Session: &session, Since: &since}))
	check("list", err, nil)
	var ids []string
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	check("listed", strings.Join(ids, ";"), "cat;d,g;tag a;tag b;limit 7;trace t 1;session s;2021-01-02T03:04:05Z")
	list, err = body(c.ListPets(ctx, ListPetsParams{}))
	check("without parameters", len(list) == 0 && err == nil, true)

	named, err := body(c.GetPetJSON(ctx, GetPetJSONParams{PetID: "x"}))
	check("part of a segment", named.Name, "json")
	check("and its parameter", named.ID, "x")
	mine, err := body(c.Mine(ctx))
	check("the literal path comes first", mine.ID, "mine")
	acts, err := body(c.Act(ctx, ActParams{PetID: "x"}))
	check("a colon in a segment", acts.Name+acts.ID, "actsx")
	stream, err := body(c.Photo(ctx, PhotoParams{PetID: "x"}))
	check("a photo", err, nil)
	photo, err := io.ReadAll(stream)
	stream.Close()
	check("bytes", string(photo), "photo of x")
	up, err := c.Upload(ctx, UploadParams{PetID: "x"}, strings.NewReader("bytes of x"))
	check("a stream", err, nil)
	check("its status", up.Status, 204)
	_, err = c.Upload(ctx, UploadParams{PetID: "x"}, strings.NewReader("other"))
	check("a status of its own", status(err), 422)
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	check("a field", parts.WriteField("note", "n ü"), nil)
	file, _ := parts.CreateFormFile("photo", "p.png")
	file.Write([]byte{1, 2})
	parts.Close()
	said, err := body(c.Form(ctx, FormParams{PetID: "x"}, parts.FormDataContentType(), &form))
	check("a form in parts", err, nil)
	check("its parts", said, "x n ü p.png")
	said, err = body(c.Shared(ctx, SharedParams{PetID: "x"}))
	check("a path by reference", err, nil)
	check("its answer", said, "shared x")
	said, _ = body(c.Shared2(ctx, Shared2Params{PetID: "x"}))
	check("another path with the same reference", said, "shared again x")
	said, _ = body(c.Own(ctx, OwnParams{PetID: "x"}))
	check("an operation beside the reference", said, "own x")
	_, err = c.Hidden(ctx, HiddenParams{PetID: "x"})
	check("the same operation where the reference is alone", err, nil)
	again, err := body(c.Again(ctx))
	check("of two operations that differ in the query the first one is called", len(again), 0)
	check("all requests were edited", edited, 28)

	for _, q := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/pets?limit=x", "", 400}, {"GET", "/pets?limit=99999999999", "", 400}, {"GET", "/pets?since=today", "", 400}, {"POST", "/pets", "{", 400},
		{"POST", "/pets", "", 400}, {"POST", "/pets", "{}", 400}, {"POST", "/pets", "null", 400}, {"POST", "/pets", "{\"id\":\"a\",\"name\":\"b\"} x", 400}, {"POST", "/pets", "{\"id\":1}", 400}, {"PATCH", "/pets", "", 405}, {"GET", "/nothing", "", 404}, {"GET", "/pets/", "", 404},
		{"GET", "/pets/x/y/z", "", 404}, {"DELETE", "/pets/x", "", 405}, {"GET", "/pets/.json", "", 404},
	} {
		r, _ := http.NewRequest(q.method, server.URL+q.path, strings.NewReader(q.body))
		answer, err := http.DefaultClient.Do(r)
		check(q.method+" "+q.path, err, nil)
		check(q.method+" "+q.path+" "+q.body, answer.StatusCode, q.status)
		if q.status == 405 && answer.Header.Get("Allow") == "" {
			check(q.path+" Allow", "", "something")
		}
		answer.Body.Close()
	}
	tagged := Pet{ID: "t", Name: "t", Extra: map[string]json.RawMessage{"x": json.RawMessage("[1]")}}
	kept, err := body(c.CreatePet(ctx, CreatePetParams{}, tagged))
	check("members that are no properties", err, nil)
	check("are kept", kept, tagged)
	if bad {
		os.Exit(1)
	}
	fmt.Println("all requests were answered as they should be")
}
`

const document = `
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - {name: limit, in: query, schema: {type: integer, format: int32}}
        - {name: kind, in: query, schema: {type: array, items: {type: string}}}
        - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}}
        - {name: X-Trace, in: header, schema: {type: string}}
        - {name: session, in: cookie, schema: {type: string}}
        - {name: since, in: query, schema: {type: string, format: date-time}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}
    post:
      operationId: createPet
      parameters:
        - {name: dry, in: query, schema: {type: boolean}}
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses:
        "201": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /pets?again=1:
    get:
      operationId: again
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}
  /pets/{pet-id}:
    get:
      operationId: getPet
      parameters: [{name: pet-id, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /pets/{petId}.json:
    get:
      operationId: getPetJson
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /pets/mine:
    get:
      operationId: mine
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /pets/{petId}:act:
    get:
      operationId: act
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /pets/{petId}/photo:
    get:
      operationId: photo
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: ok, content: {image/png: {}}}
    put:
      operationId: upload
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      requestBody: {required: true, content: {image/png: {}}}
      responses:
        "204": {description: ok}
  /pets/{petId}/form:
    post:
      operationId: form
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      requestBody: {required: true, content: {multipart/form-data: {schema: {type: object}}}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: string}}}}
  /shared/{petId}:
    $ref: '#/components/pathItems/Shared'
  /again/{petId}:
    $ref: '#/components/pathItems/Shared'
    delete:
      operationId: own
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: string}}}}
components:
  pathItems:
    Shared:
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      get:
        operationId: shared
        responses:
          "200": {description: ok, content: {application/json: {schema: {type: string}}}}
      delete:
        operationId: hidden
        responses:
          "204": {description: ok}
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: {type: string}
        name: {type: string}
        born: {type: string, format: date-time}
        tags: {type: array, items: {type: string}}
        mother: {$ref: '#/components/schemas/Pet'}
`

// The generated client and server are built by the go command, pass go vet, and
// talk over HTTP.
func TestClientAndServerTalk(t *testing.T) {
	dir := t.TempDir()
	files, err := gen.Generate(parse(t, document), gen.Options{Package: "main"})
	if err != nil {
		t.Fatal(err)
	}
	files["main.go"] = []byte(program)
	files["go.mod"] = []byte("module pets\n\ngo 1.25\n")
	for name, source := range files {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"run", "."}} {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
		t.Logf("go %s: %s", args[0], out)
	}
}
