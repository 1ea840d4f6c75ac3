package collector

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

// recover removes files that were not finished, and writes those of the journals that
// are left.
func (c *Collector) recover() error {
	removed, err := logfiles.RemoveTemporary(c.o.Dir)
	if err != nil {
		return err
	}
	for _, name := range removed {
		c.logf("removed %s, which a killed process did not finish; its logs are in a journal", name)
	}
	left, err := filepath.Glob(filepath.Join(quoted(c.o.Dir), "*"+journalSuffix))
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := c.recoverOne(path); err != nil {
			return err
		}
	}
	return nil
}

// quoted makes a path a pattern for itself.
func quoted(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// recoverOne writes the file of a journal in the format that its name says: not in
// that of today's options. Messages that do not fit into one file go into files beside
// it, which come first: the file itself says that all is written. A message that is too
// large for today's memory was acknowledged, and is read all the same.
func (c *Collector) recoverOne(path string) error {
	target := strings.TrimSuffix(path, journalSuffix)
	if _, err := os.Stat(target); err == nil { // it was written, and only the journal was left
		return os.Remove(path)
	}
	ending := filepath.Ext(target)
	ipc := ending == suffix(true)
	b, err := c.newBatch(ipc, c.o.Encoder.MaxBytes)
	if err != nil {
		return err
	}
	rows, parts, strange := 0, 0, 0
	left, err := readJournal(path, func(message []byte) (bool, error) {
		err := b.add(message)
		if errors.Is(err, arrowlog.ErrTooLarge) && b.files.Encoder().Rows() > 0 {
			parts++
			b.name = fmt.Sprintf("%s-part%d%s", strings.TrimSuffix(filepath.Base(target), ending), parts, ending)
			rows += b.files.Encoder().Rows()
			if err := b.files.Flush(); err != nil {
				return false, err
			}
			err = b.add(message)
		}
		if errors.Is(err, arrowlog.ErrTooLarge) {
			if b, err = c.newBatch(ipc, 0); err != nil {
				return false, err
			}
			err = b.add(message)
		}
		if err != nil {
			strange++
		}
		return err == nil, nil
	})
	if err != nil {
		return err
	}
	rows += b.files.Encoder().Rows()
	b.name = filepath.Base(target)
	if err := b.files.Close(); err != nil {
		return err
	}
	c.logf("recovered %d logs into %s", rows, target)
	if left.torn > 0 {
		c.logf("the last %d bytes of %s are of a request that was not written to its end, and so was not acknowledged", left.torn, path)
	}
	if len(left.damaged) == 0 {
		return os.Remove(path)
	}
	kept, err := keep(path)
	if err != nil {
		return err
	}
	for _, d := range left.damaged {
		c.logf("bytes %d to %d of the journal are damaged: logs may be missing; %s has them as they are", d.from, d.to, kept)
	}
	if strange > 0 {
		c.logf("%d messages of the journal are whole and cannot be read", strange)
	}
	return nil
}

// keep gives a damaged journal a name under which nothing looks for it.
func keep(path string) (string, error) {
	for n := 1; ; n++ {
		kept := path + ".damaged"
		if n > 1 {
			kept = fmt.Sprintf("%s-%d", kept, n)
		}
		if _, err := os.Lstat(kept); err == nil {
			continue
		}
		if err := os.Rename(path, kept); err != nil {
			return "", err
		}
		return kept, logfiles.SyncDir(filepath.Dir(path))
	}
}
