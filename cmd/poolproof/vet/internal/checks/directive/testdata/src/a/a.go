package a

func used() {
	bad := 1 //poolproof:ignore PV001,no-reset it is meant
	//poolproof:ignore PV001 so is this
	_ = bad
}

func unused() {
	x := 1 //poolproof:ignore PV001 nothing here // want `PV000 directive \(warning\): this directive ignores nothing`
	//poolproof:ignore PV005 another check // want `this directive ignores nothing`
	bad := x
	_ = bad //nolint:poolproof
	_ = x   //nolint:poolproof
}

// want +2 `there is no directive //poolproof:skip`

//poolproof:skip
func wrong(p, q int) {} // the rest is in the test of the directives themselves

// want +2 `owns x: wrongAgain has no such parameter; name one of p, q`

//poolproof:owns x
func wrongAgain(p, q int) {}

// A check that did not run cannot say that it is unused.
//
//poolproof:ignore PV020 the flag is not set
func notJudged() {}
