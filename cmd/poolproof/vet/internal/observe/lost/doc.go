// Package lost finds paths on which an object that was got is neither put nor handed to other
// code.
//
// ends.go and absent.go say of single instructions and conditions whether they end
// the object, or say that there is none: an exemption from reports of lost objects belongs
// in ends.go. keeper.go walks; failure.go, forgotten.go and kept.go are further questions.
package lost
