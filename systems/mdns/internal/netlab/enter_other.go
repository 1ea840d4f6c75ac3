//go:build !linux

package netlab

import "errors"

func enter(string) error { return errors.ErrUnsupported }
