package audit

func f() {
	bad := 1 //poolproof:ignore PV011 of use, though the finding is below the tier
	_ = bad  //poolproof:ignore PV011 the same
}
