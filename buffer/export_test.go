package buffer

// For the tests that are written as users of the package.
var (
	Exactly     = exactly
	NormalBuild = normalBuild
)

const RaceDetector = raceDetector
