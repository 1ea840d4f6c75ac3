package plan

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// program describes this binary, as far as the go command and the system tell.
var program = sync.OnceValue(func() study.Program {
	p := study.Program{Engine: duet.Version}
	if info, ok := debug.ReadBuildInfo(); ok {
		p.Version = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				p.Revision = s.Value
			case "vcs.modified":
				p.Dirty = s.Value == "true"
			}
		}
	}
	if name, err := os.Executable(); err == nil {
		if text, err := os.ReadFile(name); err == nil {
			p.SHA256 = fmt.Sprintf("%x", sha256.Sum256(text))
		}
	}
	return p
})
