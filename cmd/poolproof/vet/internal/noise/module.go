package noise

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Module is code at one version.
type Module struct {
	Name    string // as people call it
	Path    string // empty: the standard library
	Version string
}

// Std is the standard library of the toolchain that runs.
var Std = Module{Name: "std"}

// Modules are the modules that reports are counted in: servers, encoders and
// loggers, most of which pool.
var Modules = []Module{
	{"fasthttp", "github.com/valyala/fasthttp", "v1.68.0"},
	{"fiber", "github.com/gofiber/fiber/v2", "v2.52.15"},
	{"echo", "github.com/labstack/echo/v4", "v4.16.0"},
	{"gin", "github.com/gin-gonic/gin", "v1.12.0"},
	{"zap", "go.uber.org/zap", "v1.28.0"},
	{"zerolog", "github.com/rs/zerolog", "v1.35.1"},
	{"compress", "github.com/klauspost/compress", "v1.20.3"},
	{"go-json", "github.com/goccy/go-json", "v0.12.0"},
	{"grpc", "google.golang.org/grpc", "v1.85.0"},
	{"websocket", "github.com/gorilla/websocket", "v1.5.3"},
	{"badger", "github.com/dgraph-io/badger/v4", "v4.9.6"},
	{"quic-go", "github.com/quic-go/quic-go", "v0.65.0"},
	{"nats-server", "github.com/nats-io/nats-server/v2", "v2.15.2"},
	{"bytebufferpool", "github.com/valyala/bytebufferpool", "v1.0.0"},
}

// Named returns the module of that name.
func Named(name string) (Module, error) {
	var names []string
	for _, m := range append([]Module{Std}, Modules...) {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Module{}, fmt.Errorf("there is no module %q here; there are %s", name, strings.Join(names, ", "))
}

// Tree is the code of a module on disk.
type Tree struct {
	Module
	Dir      string   // reports are relative to it
	Patterns []string // what to analyse
}

// Fetch brings the code of a module into a folder below scratch, unless it is
// there already. The standard library is where the toolchain is.
func Fetch(ctx context.Context, m Module, scratch string) (Tree, error) {
	if m.Path == "" {
		out, err := goCommand(ctx, ".", "env", "GOROOT", "GOVERSION")
		if err != nil {
			return Tree{}, err
		}
		lines := strings.Fields(string(out))
		if len(lines) != 2 {
			return Tree{}, fmt.Errorf("go env GOROOT GOVERSION printed %q", out)
		}
		m.Version = lines[1]
		return Tree{m, filepath.Join(lines[0], "src"), []string{"std"}}, nil
	}
	t := Tree{m, filepath.Join(scratch, m.Name+"@"+m.Version), []string{"./..."}}
	if _, err := os.Stat(t.Dir); err == nil {
		return t, nil
	}
	out, err := goCommand(ctx, scratch, "mod", "download", "-json", m.Path+"@"+m.Version)
	if err != nil {
		return t, err
	}
	var info struct{ Dir, Error string }
	if err := json.Unmarshal(out, &info); err != nil || info.Error != "" || info.Dir == "" {
		return t, fmt.Errorf("go mod download %s@%s: %w: %s", m.Path, m.Version, err, out)
	}
	// A copy: the module cache is read-only, and no main module may live there.
	part := t.Dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return t, err
	}
	if err := copyTree(part, info.Dir); err != nil {
		return t, err
	}
	if _, err := os.Stat(filepath.Join(part, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(filepath.Join(part, "go.mod"), []byte("module "+m.Path+"\n"), 0o666); err != nil {
			return t, err
		}
	}
	return t, os.Rename(part, t.Dir)
}

// copyTree copies files, which may be changed afterwards.
func copyTree(dst, src string) error {
	return filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dst, rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o666)
	})
}

// goCommand runs the go command outside of all workspaces and returns what it
// prints.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return out, nil
}
