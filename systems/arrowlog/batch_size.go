package arrowlog

import "errors"

// maxBatch is the size in bytes of texts at which a batch of several rows is read
// again with fewer of them: a few bytes of a file can stand for rows without end.
// Tests lower it.
var maxBatch = 64 << 20

// errBatch asks for fewer rows.
var errBatch = errors.New("the rows of a batch take too much memory")

// batchSize counts the texts of a batch.
type batchSize struct{ bytes int }

// add counts a text of a batch of so many rows.
func (b *batchSize) add(n, rows int) error {
	b.bytes += n
	if b.bytes > maxBatch && rows > 1 {
		return errBatch
	}
	return nil
}
