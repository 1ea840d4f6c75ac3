//go:build !cmalloc

package arrowallocators

func mallocArms() []Arm { return nil }
