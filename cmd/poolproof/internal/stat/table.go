package stat

import "github.com/poolproof/poolproof/cmd/poolproof/internal/study"

// Verdict is the truth table. time is Better, Same, NotWorse, Worse or
// Unresolved; memory is Better, Same, Worse or Mixed; bytesFell matters for
// Mixed only and says that B/op fell while allocs/op rose. Any other class
// gives Inconclusive.
//
//	time \ memory   better      same          worse      mixed
//	better          POSITIVE    POSITIVE      TRADE-OFF  POSITIVE
//	same            POSITIVE    NO CHANGE     NEGATIVE   TRADE-OFF
//	not worse       POSITIVE    INCONCLUSIVE  NEGATIVE   TRADE-OFF
//	worse           TRADE-OFF   NEGATIVE      NEGATIVE   TRADE-OFF if bytes fell, else NEGATIVE
//	unresolved      INCONCL.    INCONCLUSIVE  NEGATIVE   INCONCLUSIVE
//
// Memory that is worse while time neither is nor looks better is a rejection: what
// costs memory has to show that it saves time. See weighed.
func Verdict(time, memory study.Class, bytesFell bool) study.Verdict {
	if v, ok := table[time][memory]; ok {
		return v
	}
	if time == study.Worse && memory == study.Mixed {
		if bytesFell {
			return study.TradeOff
		}
		return study.Negative
	}
	return study.Inconclusive
}

var table = map[study.Class]map[study.Class]study.Verdict{
	study.Better:     {study.Better: study.Positive, study.Same: study.Positive, study.Worse: study.TradeOff, study.Mixed: study.Positive},
	study.Same:       {study.Better: study.Positive, study.Same: study.NoChange, study.Worse: study.Negative, study.Mixed: study.TradeOff},
	study.NotWorse:   {study.Better: study.Positive, study.Same: study.Inconclusive, study.Worse: study.Negative, study.Mixed: study.TradeOff},
	study.Worse:      {study.Better: study.TradeOff, study.Same: study.Negative, study.Worse: study.Negative},
	study.Unresolved: {study.Better: study.Inconclusive, study.Same: study.Inconclusive, study.Worse: study.Negative, study.Mixed: study.Inconclusive},
}
