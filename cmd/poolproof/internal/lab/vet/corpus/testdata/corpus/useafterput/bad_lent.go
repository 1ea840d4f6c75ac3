package useafterput

func firstGiven(names []string) string {
	giveNames(names)
	return names[0] // want "PV001"
}
