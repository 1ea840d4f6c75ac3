// Package lost finds paths on which an object that was got is neither put nor handed to other
// code.
//
// ends.go, literal.go and absent.go say of single instructions and conditions whether they end
// the object, or say that there is none: an exemption from reports of lost objects belongs
// in ends.go. keeper.go walks; replaced.go and failure.go are two further questions.
package lost
