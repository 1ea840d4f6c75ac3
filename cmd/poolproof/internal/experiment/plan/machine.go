package plan

import (
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Machine describes this computer, as far as the system tells.
func Machine() study.Machine {
	m := study.Machine{CPU: runtime.GOARCH, Cores: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			name, value, ok := strings.Cut(line, ":")
			if ok && strings.TrimSpace(name) == "model name" {
				m.CPU = strings.TrimSpace(value)
				break
			}
		}
	}
	m.Kernel = readLine("/proc/sys/kernel/osrelease")
	var limits []string
	for _, name := range []string{"cpu.max", "memory.max"} {
		if v := readLine("/sys/fs/cgroup/" + name); v != "" && !strings.HasPrefix(v, "max") {
			limits = append(limits, name+"="+v)
		}
	}
	m.Limits = strings.Join(limits, ", ")
	return m
}

func readLine(name string) string {
	b, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// shaping names the environment variables that change what a Go program does
// or how it is built.
var shaping = []string{
	"CGO_ENABLED", "GOAMD64", "GOARM64", "GODEBUG", "GOEXPERIMENT", "GOFLAGS", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GOTOOLCHAIN",
}

// Environment returns what of them is set, sorted.
func Environment() []string {
	env := []string{}
	for _, name := range shaping {
		if v, ok := os.LookupEnv(name); ok && v != "" {
			env = append(env, name+"="+v)
		}
	}
	slices.Sort(env)
	return env
}
