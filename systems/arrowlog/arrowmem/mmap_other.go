//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package arrowmem

import "errors"

const canMap = false

var pageSize = 4096

func mapMemory(int) ([]byte, error) { return nil, errors.ErrUnsupported }
func unmapMemory([]byte) error      { return errors.ErrUnsupported }
func protect([]byte) error          { return errors.ErrUnsupported }
