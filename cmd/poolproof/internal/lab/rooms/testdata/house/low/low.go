package low

func Floor() {}
