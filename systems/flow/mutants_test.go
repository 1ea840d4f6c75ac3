package flow_test

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/mutate"
)

var mutated = flag.Bool("mutants", false, "run the tests on each mutant of the package (minutes)")

// mutants are small errors that the tests must notice.
var mutants = []struct {
	name string
	tags string
	edit []mutate.Edit
}{
	{"errors come after the values of their batch", "", mutate.In("batch.go", "from := 0\n\tfor _, e := range b.errs {\n\t\tif e.pos > from {", "from := 0\n\tfor _, e := range b.errs {\n\t\te.pos = len(b.v)\n\t\tif e.pos > from {")},
	{"the position of an error is that before a send", "", mutate.In("batch.go", "itemError{len(o.v), err}", "itemError{max(len(o.v), len(o.errs)), err}")},
	{"errors after the last value are lost", "", mutate.In("batch.go", "if len(o.v) == 0 && len(o.errs) == 0 {", "if len(o.v) == 0 {")},
	{"values are not cleared", "", mutate.In("retire_off.go", "clear(v)", "_ = pointers")},
	{"errors are not cleared", "", mutate.In("batch.go", "clear(b.errs)\n", "")},
	{"a batch is made each time", "", mutate.In("boundary.go", "if last < 0 {", "if true {")},
	{"a batch is used before it came back", "", mutate.In("boundary.go", "b.free = b.free[:last]\n", "")},
	{"a consumer that stops does not drain", "", mutate.In("boundary.go", "b.cancel()\n\tfor range b.full {\n\t}", "b.cancel()")},
	{"a consumer that stops does not cancel", "", mutate.In("boundary.go", "b.cancel()\n\tfor range b.full {\n\t}", "for range b.full {\n\t}")},
	{"a fatal error of a producer is lost", "", mutate.In("boundary.go", "b.err = err\n", "")},
	{"values that are lent are not copied", "", mutate.In("batch.go", "if own != nil {", "if own != nil && len(dst.v) == 0 {")},
	{"a source does not ask for the context", "", mutate.In("stream.go", "if r.ctx.Err() != nil {", "if r.ctx == nil {")},
	{"after a panic the same item comes again", "", mutate.In("map.go", "in = in[1:]", "in = in[0:]\n\t\t\t\t\tif len(o.errs) > 3 {\n\t\t\t\t\t\tin = in[1:]\n\t\t\t\t\t}")},
	{"a foreign result is taken for the batch's own", "", mutate.In("flatmap.go", "unsafe.SliceData(got) != unsafe.SliceData(tail) || ", "unsafe.SliceData(got) == nil || ")},
	{"a result that does not fit is taken for one that does", "", mutate.In("flatmap.go", " || len(got) > cap(tail)", " && len(got) <= cap(tail)")},
	{"what a function appended before it failed is kept", "", mutate.In("flatmap.go", "got, err := f(tail, in[read])\n\t\tif err != nil {\n\t\t\treturn read, wrote, nil, err", "got, err := f(tail, in[read])\n\t\tif err != nil {\n\t\t\treturn read, wrote + len(got), nil, err")},
	{"what a function appended before it failed stays in memory", "", mutate.In("flatmap.go", "clear(to[n:])", "_ = to")},
	{"all runs share a batch", "", mutate.In("map.go", "return Stream[O]{node: newNode(\"map\", s.node).of(f), lent: lent, own: own, run: func(r *run, down func(*batch[O]) error) error {\n\t\to := newOut(r, down)\n", "shared := &out[O]{batch: batch[O]{moves: true}, size: DefaultSize, pointers: true}\n\treturn Stream[O]{node: newNode(\"map\", s.node).of(f), lent: lent, own: own, run: func(r *run, down func(*batch[O]) error) error {\n\t\to := shared\n\t\to.down, o.look = down, newLook(r)\n")},
	{"take passes one more", "", mutate.In("take.go", "batch[T]{v: b.v[:n:n], errs: errs}", "batch[T]{v: b.v[:min(n+1, len(b.v))], errs: errs}")},
	{"take has the errors after its last value", "", mutate.In("take.go", "if e.pos >= n {", "if e.pos > n {")},
	{"skip shifts errors wrongly", "", mutate.In("take.go", "max(e.pos-skipped, 0)", "max(e.pos-skipped-1, 0)")},
	{"a parallel map ends as if complete when jobs were left out", "", mutate.In("parallel.go", "p.fail(err) // j is left out: the run must not end as if it were complete\n", "")},
	{"a parallel map keeps what it has until a batch is full", "", mutate.In("parallel_sink.go", "default:\n\t\t\tif err := o.send(); err != nil {\n\t\t\t\treturn err\n\t\t\t}\n\t\t\tj, open = <-p.results", "default:\n\t\t\tj, open = <-p.results")},
	{"a worker that ends does not end the run", "", mutate.In("parallel.go", "p.fail(errExit) // f has ended the goroutine\n", "")},
	{"many values are handed to a worker", "", mutate.In("parallel.go", "target/each), 1), mostAtOnce)", "target/each), 256), mostAtOnce)")},
	{"one slow value stops all workers", "", mutate.In("parallel_lead.go", "l.long.Store(true)", "l.long.Store(false)")},
	{"workers run ahead of a slow sink", "", mutate.In("parallel_lead.go", "l.long.Load() && n*l", "n*l")},
	{"the dispatcher does not see that a job was taken", "", mutate.In("parallel_lead.go", "l.jobs.Add(-1)\n\tl.move()", "l.jobs.Add(-1)")},
	{"errors of a parallel map's source come at the end of their job", "", mutate.In("parallel.go", "itemError{errs[0].pos - base, errs[0].err}", "itemError{n, errs[0].err}")},
	{"a window's time begins with its last value", "", mutate.In("window.go", "case g.began: // with this batch", "case g.began || g.group != nil:")},
	{"a group is used again", "", mutate.In("window.go", "group := g.group\n\tg.group = nil", "group := g.group\n\tg.group = g.group[:0]")},
	{"a tee hands its own batch to the side", "", mutate.In("tee.go", "still.moves = false\n", "")},
	{"a tee does not wait for the side", "", mutate.In("tee.go", "t.b.ended(nil)\n\t<-t.gone\n", "t.b.ended(nil)\n")},
	{"the side's error after the end is lost", "", mutate.In("tee.go", "if t.err != nil {\n\t\treturn t.err\n\t}\n\treturn err", "return err")},
	{"a map does not look up", "", mutate.In("map.go", "if l.due() {", "if l == nil {")},
	{"a filter does not look up", "", mutate.In("filter.go", "if l.due() {", "if l == nil {")},
	{"a flat map does not look up", "", mutate.In("flatmap.go", "limit || l.due() {\n\t\t\treturn read + 1, wrote, nil, nil\n\t\t}\n\t}\n\treturn len(in), wrote, nil, nil\n}\n\n// copyUntil", "limit {\n\t\t\treturn read + 1, wrote, nil, nil\n\t\t}\n\t}\n\treturn len(in), wrote, nil, nil\n}\n\n// copyUntil")},
	{"a stage that looks up keeps what it has", "", mutate.In("batch.go", "o.r.pulse.ask()\n\treturn o.send()\n}\n\n// begin", "o.r.pulse.ask()\n\treturn nil\n}\n\n// begin")},
	{"a stage that looks up does not ask for the context", "", mutate.In("pulse.go", "return l.r.ended()", "return nil")},
	{"a sink does not look up", "", mutate.In("sink.go", "if l.due() {\n\t\t\t\tif err := l.up(); err != nil {\n\t\t\t\t\treturn err\n\t\t\t\t}\n\t\t\t}\n\t\t\tif err := f(in[i], nil)", "if err := f(in[i], nil)")},
	{"a pulse beats once", "", mutate.In("pulse.go", "if p.state.CompareAndSwap(asked, armed) {\n\t\t\t\tp.timer.Reset(patience)", "if p.state.CompareAndSwap(asked, armed) {")},
	{"a pulse that stopped does not start again", "", mutate.In("pulse.go", "if s == idle {", "if s == halted {")},
	{"a stage that stops does not wake those before", "", mutate.In("stream.go", "end()\n\t\tr.pulse.wake()", "end()")},
	{"a source that is silent keeps a part of a batch", "", mutate.In("inlet.go", "case n == 1 && in.waiting:\n\t\tin.timer.Reset(patience)", "case n == 1 && in.waiting:")},
	{"what came while the stages worked is kept", "", mutate.In("inlet.go", "if in.b.items() > 0 {\n\t\tin.timer.Reset(patience)\n\t}", "")},
	{"a slow source is asked ahead", "", mutate.In("inlet.go", "if in.goal == 1 {", "if in.goal == 0 {")},
	{"values before a source's error are lost", "", mutate.In("inlet.go", "if n == 0 {\n\t\treturn nil, false", "if n == 0 || in.err != nil {\n\t\treturn nil, false")},
	{"the last group before a fatal error is lost", "", mutate.In("window.go", "return cmp.Or(g.end(), err)", "return err")},
	{"workers do not call for help", "", mutate.In("parallel.go", "case p.help <- struct{}{}:", "case p.help <- struct{}{}:\n\t\t\treturn\n\t\tcase <-p.over:")},
	{"workers leave before the last job is done", "", mutate.In("parallel.go", "p.assistToTheEnd(&l)\n", "")},
	{"a map forgets that values are lent", "", mutate.In("map.go", "lent, own := lends[O](s.lent)", "lent, own := lends[O](false)")},
	{"a flat map forgets that values are lent", "", mutate.In("flatmap.go", "lent, own := lends[O](s.lent)", "lent, own := lends[O](false)")},
	{"FromReader lends", "", mutate.In("reader.go", "if !lent {\n\t\t\t\t\t\townBytes(o.v)\n\t\t\t\t\t}\n", "")},
	{"retry does not name the end of its context", "", mutate.In("retry.go", "if !sleep(ctx, b.pause(try)) {\n\t\t\t\treturn v, because(ctx, err)", "if !sleep(ctx, b.pause(try)) {\n\t\t\t\treturn v, err")},
	{"zip has the errors of its second stream late", "", mutate.In("zip.go", "c.errs[z.errs].pos <= z.v {", "c.errs[z.errs].pos < z.v {")},
	{"runs share what was seen", "", mutate.In("scan.go", "return make().run(r, down)", "return like.run(r, down)")},
	{"a window by key lives from its last value", "", mutate.In("keyed.go", "} else if g.pause {", "} else {")},
	{"a fatal error of an inner stream ends the outer one", "", mutate.In("concat.go", "return o.fail(err)\n}\n\n// made", "return err\n}\n\n// made")},
	{"a channel waits until a batch is full", "", mutate.In("source.go", "default:\n\t\t\treturn true\n\t\t}", "}")},
	{"lines keep their carriage return", "", mutate.In("reader.go", "line[n-1] == '\\r'", "line[n-1] == '\\v'")},
	{"a reader's last line is lost", "", mutate.In("reader.go", "if c.err == nil {", "if c.err != nil || true {")},
	{"retry waits once too often", "", mutate.In("retry.go", "try >= b.Tries", "try > b.Tries")},
	{"pauses do not grow", "", mutate.In("retry.go", "p *= factor", "p *= 1")},
	{"a gate lets one more pass", "", mutate.In("throttle.go", "g.n-g.held", "g.n+1-g.held")},
	{"a gate forgets what has passed", "", mutate.In("throttle.go", "g.held += passed\n", "")},
	{"a gate keeps what no longer counts", "", mutate.In("throttle.go", "g.first > len(g.last)/2 {", "g.first < len(g.last)/2 {")},
	{"a split keeps what went away until its batch ends", "", mutate.In("split.go", "if x.o.due() {\n\t\t\tif err := x.send()", "if x.o == nil {\n\t\t\tif err := x.send()")},
	{"a split loses the last that went away", "", mutate.In("split.go", "return err\n\t\t\t\t}\n\t\t\t\treturn x.send()", "return err\n\t\t\t\t}\n\t\t\t\treturn nil")},
	{"a session ends after its first value", "", mutate.In("keyed.go", "} else if g.pause {", "} else if g.now.IsZero() {")},
	{"a value joins a group whose time is over", "", mutate.In("keyed.go", "err := g.before(g.now.Add(-wait))", "err := error(nil)")},
	{"a key function is not interrupted", "", mutate.In("keyed.go", "if err := g.o.attend(); err != nil { // key may be slow", "if err := error(nil); err != nil {")},
	{"an empty inner stream is no item", "", mutate.In("concat.go", "return o.attend()\n\tcase o.broken", "return nil\n\tcase o.broken")},
	{"a line's end is looked for in what was read before", "", mutate.In("reader.go", "c.fresh = c.end", "c.fresh = c.start")},
	{"a line may be longer than the limit", "", mutate.In("reader.go", "if len(line) > MaxToken {", "if len(line) > 2*MaxToken {")},

	{"a watch counts errors as values", "", mutate.In("watch.go", "c.values.Add(uint64(len(b.v)))", "c.values.Add(uint64(len(b.v) + len(b.errs)))")},
	{"a watch takes the time of later stages for a stage's own", "", mutate.In("watch.go", "handed - c.down.Load()", "handed")},
	{"the checked build uses batches again", "poolproofdebug", mutate.In("retire_on.go", "b[i] = poison", "_ = b[i]")},
}

// TestMutantsFollowTheSource keeps the list in step with the package.
func TestMutantsFollowTheSource(t *testing.T) {
	for _, m := range mutants {
		if _, err := mutate.Texts(".", m.edit); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

func TestMutantsAreKilled(t *testing.T) {
	if !*mutated {
		t.Skip("only with -mutants")
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			overlay, err := mutate.Overlay(t.TempDir(), ".", m.edit)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			noticed, out, err := mutate.Test(ctx, ".", overlay, "-short", "-timeout=60s", "-skip=Mutants", "-tags="+m.tags, ".")
			switch {
			case err != nil:
				t.Fatalf("no mutant: %v\n%s", err, out)
			case !noticed:
				t.Error("survived")
			}
		})
	}
}
