package house

func helper() { Key[string]() }
