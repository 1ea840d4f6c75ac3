//go:build unix

package logfiles_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

func TestFilesHaveThePermissionsOfTheProcess(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	w := writer(t, t.TempDir(), logfiles.Options{})
	add(t, w, time.Unix(0, 1), "a")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(w.Written()[0].Path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions are %v (%v), want 0640", info.Mode().Perm(), err)
	}
}
