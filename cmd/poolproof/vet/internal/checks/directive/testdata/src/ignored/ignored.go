package ignored

func f() {
	bad := 1 //poolproof:ignore PV001 it is meant
	//poolproof:ignore PV001 so is this
	_ = bad
	_ = bad // want `PV001 use-after-put \(error\): it is bad`
	_ = bad //nolint:poolproof
	_ = bad //nolint:other // want `it is bad`
}
