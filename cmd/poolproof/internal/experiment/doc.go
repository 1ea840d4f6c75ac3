// Package experiment carries one question from its plan to its verdict. It owns
// the folder of a run: it locks it, writes its files, and leads the question
// through the rooms, each of which knows only those before it:
//
//	ask    the question, and what the user chose beside it
//	build  finds packages, revisions and modules, and makes the test binaries
//	plan   lists the comparisons, and checks that they are safe and say something
//	run    measures launches until the rule has decided or the budget is spent
//
// What is measured is package duet's business, what it means package stat's.
package experiment

import "github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"

// Options are a question, and the choices of the user that do not shape its
// answer.
type Options = ask.Options
