//go:build cgo

package arrowlog_test

import (
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

// share exports a record through the C data interface and imports it again.
func share(t *testing.T, mem arrowlog.Allocator) {
	t.Helper()
	columns := wide()
	e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{Allocator: mem})
	for i := range 50 {
		want := rows(columns, 100, uint64(i), 0.3)
		appendRows(t, e, want)
		record, err := e.Record()
		must(t, err)
		var schema cdata.CArrowSchema
		var values cdata.CArrowArray
		cdata.ExportArrowRecordBatch(record, &values, &schema)
		record.Release()
		back, err := cdata.ImportCRecordBatch(&values, &schema)
		must(t, err)
		if d := differ(arrowRows(t, arrow.RecordBatch(back)), want); d != "" {
			t.Fatal(d)
		}
		back.Release()
	}
}

// TestMemoryOfCMayGoToC passes also where the toolchain checks each pointer that is
// stored in C memory:
//
//	GOEXPERIMENT=cgocheck2 go test -run MayGoToC ./arrowlog
func TestMemoryOfCMayGoToC(t *testing.T) {
	mem := mallocator.NewMallocator()
	share(t, mem)
	if n := mem.AllocatedBytes(); n != 0 {
		t.Errorf("%d bytes were not freed", n)
	}
}

// TestGoMemoryMayNotGoToC holds the check above against what it must find: memory
// of the Go heap in a structure of C ends the process.
func TestGoMemoryMayNotGoToC(t *testing.T) {
	if os.Getenv("ARROWLOG_GO_MEMORY_TO_C") != "" {
		share(t, arrowmem.NewRecycler(arrowmem.Options{}))
		return
	}
	checked := false
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			checked = checked || s.Key == "GOEXPERIMENT" && strings.Contains(s.Value, "cgocheck2")
		}
	}
	if !checked {
		t.Skip("the build does not check pointers that are stored in C memory (GOEXPERIMENT=cgocheck2)")
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestGoMemoryMayNotGoToC")
	cmd.Env = append(os.Environ(), "ARROWLOG_GO_MEMORY_TO_C=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "unpinned Go pointer") {
		t.Errorf("the process ended with %v: %s", err, out)
	}
}
