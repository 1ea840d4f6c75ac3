// Package variant changes the functions of a corpus on purpose, in ways after
// which the verdict on each is known: most leave it as it is, some make wrong code
// right or right code wrong.
//
// An analyzer that finds a defect only in the words in which it was written fails
// here.
package variant
