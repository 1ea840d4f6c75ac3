package noise

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Module is code at one version.
type Module struct {
	Name    string // as people call it
	Path    string // empty: the standard library
	Version string
	Folder  string // the part that is looked at; empty: all
}

// Std is the standard library of the toolchain that runs.
var Std = Module{Name: "std"}

// Modules are the modules that reports are counted in: servers, encoders and
// loggers, most of which pool.
var Modules = []Module{
	{Name: "fasthttp", Path: "github.com/valyala/fasthttp", Version: "v1.68.0"},
	{Name: "fiber", Path: "github.com/gofiber/fiber/v2", Version: "v2.52.15"},
	{Name: "echo", Path: "github.com/labstack/echo/v4", Version: "v4.16.0"},
	{Name: "gin", Path: "github.com/gin-gonic/gin", Version: "v1.12.0"},
	{Name: "zap", Path: "go.uber.org/zap", Version: "v1.28.0"},
	{Name: "zerolog", Path: "github.com/rs/zerolog", Version: "v1.35.1"},
	{Name: "compress", Path: "github.com/klauspost/compress", Version: "v1.20.3"},
	{Name: "go-json", Path: "github.com/goccy/go-json", Version: "v0.12.0"},
	{Name: "grpc", Path: "google.golang.org/grpc", Version: "v1.85.0"},
	{Name: "websocket", Path: "github.com/gorilla/websocket", Version: "v1.5.3"},
	{Name: "badger", Path: "github.com/dgraph-io/badger/v4", Version: "v4.9.6"},
	{Name: "quic-go", Path: "github.com/quic-go/quic-go", Version: "v0.65.0"},
	{Name: "nats-server", Path: "github.com/nats-io/nats-server/v2", Version: "v2.15.2"},
	{Name: "bytebufferpool", Path: "github.com/valyala/bytebufferpool", Version: "v1.0.0"},
}

// Later are modules that pool and were looked at when the rules had been mended
// with the others in sight.
var Later = []Module{
	{Name: "hertz", Path: "github.com/cloudwego/hertz", Version: "v0.10.4"},
	{Name: "tidb-parser", Path: "github.com/pingcap/tidb/pkg/parser", Version: "v0.0.0-20260418072757-ce92298d1124"},
	{Name: "VictoriaMetrics", Path: "github.com/VictoriaMetrics/VictoriaMetrics", Version: "v0.0.0-20250718125606-9d9bea03485e", Folder: "lib"},
	{Name: "pebble", Path: "github.com/cockroachdb/pebble/v2", Version: "v2.1.7"},
	{Name: "prometheus", Path: "github.com/prometheus/prometheus", Version: "v0.316.0", Folder: "tsdb"},
	{Name: "caddy", Path: "github.com/caddyserver/caddy/v2", Version: "v2.11.9", Folder: "modules/caddyhttp"},
	{Name: "connect", Path: "connectrpc.com/connect", Version: "v1.21.1"},
	{Name: "netpoll", Path: "github.com/cloudwego/netpoll", Version: "v0.7.2"},
	{Name: "kafka-go", Path: "github.com/segmentio/kafka-go", Version: "v0.4.51"},
	{Name: "pgx", Path: "github.com/jackc/pgx/v5", Version: "v5.12.0"},
	{Name: "go-redis", Path: "github.com/redis/go-redis/v9", Version: "v9.23.0"},
}

// Everyday are the modules in whose everyday code the rules were wrong. They were mended
// with these in sight.
var Everyday = []Module{
	{Name: "regexp2", Path: "github.com/dlclark/regexp2", Version: "v1.12.0"},
	{Name: "chroma", Path: "github.com/alecthomas/chroma/v2", Version: "v2.27.0"},
	{Name: "goja", Path: "github.com/dop251/goja", Version: "v0.0.0-20260917113740-793a2a65c13b"},
	{Name: "minio-go", Path: "github.com/minio/minio-go/v7", Version: "v7.4.1"},
	{Name: "templ", Path: "github.com/a-h/templ", Version: "v0.3.977"},
	{Name: "lz4", Path: "github.com/pierrec/lz4/v4", Version: "v4.1.33"},
	{Name: "go-lz4", Path: "github.com/bkaradzic/go-lz4", Version: "v1.0.0"},
}

// Named returns the module of that name.
func Named(name string) (Module, error) {
	known := slices.Concat([]Module{Std}, Modules, Later, Everyday)
	for _, draw := range slices.Sorted(maps.Keys(Draws)) {
		known = append(known, Draws[draw]...)
	}
	var names []string
	for _, m := range known {
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
	root := filepath.Join(scratch, strings.ReplaceAll(m.Name, "/", "+")+"@"+m.Version)
	t := Tree{m, filepath.Join(root, filepath.FromSlash(m.Folder)), []string{"./..."}}
	if _, err := os.Stat(root); err == nil {
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
	part := root + ".part"
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
	// A module that is a dependency has neither its neighbours nor its vendor folder.
	if err := standAlone(ctx, part); err != nil {
		return t, err
	}
	// The go command of today may ask for what a go.mod of an older one lacks.
	if _, err := goCommand(ctx, part, "list", "-mod=mod", "-e", "./..."); err != nil {
		return t, err
	}
	return t, os.Rename(part, root)
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

// standAlone drops the vendor folder of a module and the replacements by folders that
// are not there: what a user of the module does not have either.
func standAlone(ctx context.Context, dir string) error {
	if err := os.RemoveAll(filepath.Join(dir, "vendor")); err != nil {
		return err
	}
	out, err := goCommand(ctx, dir, "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if _, err := goCommand(ctx, dir, "mod", "edit", "-dropreplace="+old); err != nil {
			return err
		}
	}
	return nil
}
