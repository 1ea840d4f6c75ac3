//go:build poolproofmark

// The functions of this package are defined in the runtime.
