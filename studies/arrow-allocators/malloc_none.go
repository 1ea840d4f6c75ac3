//go:build cmalloc && !(cgo && unix)

package arrowallocators

// The compiler prints this name, which is the only message that it can.
var _ = the_tag_cmalloc_needs_cgo_with_a_C_compiler_and_a_Unix_system
