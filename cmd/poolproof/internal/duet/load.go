package duet

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// loadMeter measures what else the machine did between its start and its end.
// Where the system does not tell (anything but Linux) all is -1.
type loadMeter struct {
	at   time.Time
	stat cpuStat
	self time.Duration
	ok   bool
}

// cpuStat is the first line of /proc/stat, in ticks of 10 ms.
type cpuStat struct{ busy, steal int64 }

const tick = 10 * time.Millisecond

func startLoad() loadMeter {
	m := loadMeter{at: time.Now(), self: ownCPU()}
	m.stat, m.ok = readStat()
	return m
}

// end returns the load; measured is the CPU time of the measured processes.
func (m loadMeter) end(measured time.Duration) study.Load {
	l := study.Load{Foreign: -1, Steal: -1, Average: -1}
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		if f := strings.Fields(string(b)); len(f) > 0 {
			l.Average, _ = strconv.ParseFloat(f[0], 64)
		}
	}
	now, ok := readStat()
	if !m.ok || !ok {
		return l
	}
	all := time.Since(m.at) * time.Duration(runtime.NumCPU())
	if all <= 0 {
		return l
	}
	busy := time.Duration(now.busy-m.stat.busy) * tick
	own := measured + ownCPU() - m.self
	l.Foreign = share(busy-own, all)
	l.Steal = share(time.Duration(now.steal-m.stat.steal)*tick, all)
	return l
}

func share(d, all time.Duration) float64 {
	return min(1, max(0, float64(d)/float64(all)))
}

func readStat() (cpuStat, bool) {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return cpuStat{}, false
	}
	f := strings.Fields(firstLine(string(b)))
	if len(f) < 9 || f[0] != "cpu" {
		return cpuStat{}, false
	}
	var s cpuStat
	for i, field := range f[1:9] { // user nice system idle iowait irq softirq steal
		v, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return cpuStat{}, false
		}
		switch i {
		case 3, 4:
		case 7:
			s.steal = v
		default:
			s.busy += v
		}
	}
	return s, true
}
