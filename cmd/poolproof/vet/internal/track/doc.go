// Package track knows, along the paths of one function, which values and places are an
// object, and what each instruction does with it.
//
// [Code] is a function with the places where it gets and puts and the
// pools of those (site.go); [Table] is what the functions of the package do with the objects
// that fields hold, which package states fills in (table.go). [Follower] walks from an instruction and says at each
// next one what is still the object (live.go); [View] says what the instruction does with
// it (view.go, literals.go). lists.go is about lists whose elements are put, aliases.go about
// memory that methods hand out of a field, too.
package track
