package words

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// machinesSentence says what several machines say; "" for another reason.
func machinesSentence(r study.Result, why study.Reason) string {
	switch why.Code {
	case study.ReasonMachines:
		return fmt.Sprintf("on %s: %s", Plural(why.Count, "machine", "machines"), perKind(r.Machines))
	case study.ReasonMachinesOpen:
		return "some machines have decided, and others have not"
	case study.ReasonMachinesUnconfirmed:
		return "together the machines differ, but fewer than half of them have confirmed that by themselves"
	}
	return ""
}

// perKind lists what machines say by their processor.
func perKind(ms []study.MachineResult) string {
	var kinds, parts []string
	for _, m := range ms {
		kinds = append(kinds, m.CPU)
	}
	for _, k := range Unique(kinds) {
		var said []string
		for _, m := range ms {
			if m.CPU != k {
				continue
			}
			text := string(m.Verdict)
			if m.Deciding.Launches > 0 {
				text += " " + interval(m.Deciding)
			}
			said = append(said, text)
		}
		parts = append(parts, fmt.Sprintf("%s on %s", strings.Join(said, ", "), OrDash(k)))
	}
	return strings.Join(parts, "; ")
}
