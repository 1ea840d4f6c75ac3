//go:build !ccalloc

package arrowallocators

func cgoArrowArms() []Arm { return nil }
