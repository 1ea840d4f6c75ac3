package corpus

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Large is a document that a published package holds: large ones, and some that
// other people's tests are about.
type Large struct {
	Name    string
	Package string // and its version, as the go command and npm write it
	Path    string // in the package
	NPM     bool   // the package is one of npm; otherwise it is a Go module
	Refused string // what Parse says of the document, if it must refuse it
}

const (
	octokit = "@octokit/openapi@23.0.2"
	stripe  = "github.com/stripe/stripe-mock@v0.203.0"
	pb33f   = "github.com/pb33f/libopenapi@v0.39.0"
	goSpec  = "github.com/go-openapi/spec@v1.0.1"
)

// LargeDocuments are these, the ones that are quickly vetted first.
var LargeDocuments = []Large{
	{Name: "petstore", Package: pb33f, Path: "test_specs/petstorev3.json"},
	{Name: "gitea", Package: goSpec, Path: "testdata/bugs/1614/gitea.json"},
	{Name: "pagerduty", Package: "github.com/speakeasy-api/openapi@v1.26.3", Path: "jsonschema/oas3/testdata/pagerduty.json"},
	{Name: "bitbucket", Package: goSpec, Path: "testdata/more_circulars/bitbucket.json"},
	{Name: "dapperbox", Package: goSpec, Path: "testdata/bugs/69/dapperbox.json"},
	{Name: "asana", Package: pb33f, Path: "test_specs/asana.yaml"},
	{Name: "xsoar", Package: pb33f, Path: "test_specs/xsoar.json"},
	{Name: "docusign", Package: pb33f, Path: "test_specs/docusignv3.1.json"},
	{Name: "kubernetes", Package: "k8s.io/kube-openapi@v0.0.0-20260317180543-43fb72c5454a", Path: "pkg/schemaconv/testdata/swagger.json"},
	{Name: "stripe-yaml", Package: pb33f, Path: "test_specs/stripe.yaml"},
	{Name: "stripe-old", Package: pb33f, Path: "test_specs/stripe-old.yaml", Refused: "twice"},
	{Name: "stripe", Package: stripe, Path: "embedded/openapi/spec3.json"},
	{Name: "stripe-beta", Package: stripe, Path: "embedded/openapi/spec3.beta.sdk.json"},
	{Name: "github", Package: octokit, Path: "generated/api.github.com.json", NPM: true},
	{Name: "github-server", Package: octokit, Path: "generated/ghes-3.19.json", NPM: true},
	{Name: "github-cloud", Package: octokit, Path: "generated/ghec.json", NPM: true},
}

// Source returns the text of the document, which npm or the go command downloads
// if no cache has it.
func (l Large) Source() ([]byte, error) {
	if !l.NPM {
		return l.ofModule()
	}
	file, err := pack(l.Package)
	if err != nil {
		return nil, err
	}
	return member(file, "package/"+l.Path)
}

func (l Large) ofModule() ([]byte, error) {
	c := exec.Command("go", "mod", "download", "-json", l.Package)
	c.Dir = os.TempDir() // no module of ours has a say in it
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := c.Output()
	var module struct{ Dir, Error string }
	if wrong := json.Unmarshal(out, &module); wrong != nil || module.Dir == "" {
		return nil, fmt.Errorf("go mod download %s: %v %s", l.Package, err, module.Error)
	}
	return os.ReadFile(filepath.Join(module.Dir, filepath.FromSlash(l.Path)))
}

// member returns one file of a packed archive.
func member(file, name string) ([]byte, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	archive := tar.NewReader(unzipped)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s has no %s", file, name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if h.Name == name {
			return io.ReadAll(archive)
		}
	}
}
