package agree

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

const goMod = "module agree.example\n\ngo 1.25\n"

// common is the code that the programs of a package share.
const common = `package %s

import (
	"errors"
	"sync"
)

var (
	sink    int
	errFail = errors.New("it fails")
	tasks   []*task
)

func try(f func()) {
	defer func() { recover() }()
	f()
}

func take[T any](p *sync.Pool) T { return p.Get().(T) }

func put[T any](p *sync.Pool, v T) { p.Put(v) }

func same[T any](v T) T { return v }

func seq(n uint) func(func(uint) bool) {
	return func(yield func(uint) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func look(v []byte) { sink += int(v[0]) }

// task is a goroutine that begins when it may.
type task struct {
	gate, over chan bool
	began      bool
}

func newTask() *task {
	t := &task{gate: make(chan bool), over: make(chan bool)}
	tasks = append(tasks, t)
	return t
}

func (t *task) ended() {
	recover()
	close(t.over)
}

func (t *task) turn(now bool) {
	if now {
		t.Wait()
	}
}

func (t *task) Wait() {
	if !t.began {
		t.began = true
		close(t.gate)
	}
	<-t.over
}

func waitForTasks() {
	for i := 0; i < len(tasks); i++ {
		tasks[i].Wait()
	}
	tasks = nil
}
`

// module is programs on disk.
type module struct {
	lines map[string]map[int]*Stmt // by file: the statements that lines are of
	files map[string]*Program
}

// writeModule writes programs as the packages of a module, and nothing else.
func writeModule(dir string, all []*Program) (*module, error) {
	m := &module{map[string]map[int]*Stmt{}, map[string]*Program{}}
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	write := func(name, text string) error {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), 0o666)
	}
	if err := write("go.mod", goMod); err != nil {
		return nil, err
	}
	for i := 0; i < len(all); i += each {
		pkg := path.Dir(all[i].file())
		tests := fmt.Sprintf("package %s\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n", pkg)
		for _, p := range all[i:min(i+each, len(all))] {
			text, lines := p.source(pkg)
			name := p.file()
			m.lines[name], m.files[name] = lines, p
			if err := write(name, text); err != nil {
				return nil, err
			}
			tests += fmt.Sprintf("\nfunc TestP%d(t *testing.T) {\n\tfor _, in := range %s {\n\t\tt.Run(fmt.Sprint(in), func(t *testing.T) { run%d(in) })\n\t}\n}\n",
				p.Number, fmt.Sprintf("%#v", p.inputs()), p.Number)
		}
		if err := write(pkg+"/common.go", fmt.Sprintf(common, pkg)); err != nil {
			return nil, err
		}
		if err := write(pkg+"/p_test.go", tests); err != nil {
			return nil, err
		}
	}
	return m, nil
}
