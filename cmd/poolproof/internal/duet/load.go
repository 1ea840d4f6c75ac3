package duet

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// loadMeter measures what else the machine did between its start and its end.
// What the system does not tell (Linux alone does) is -1.
type loadMeter struct {
	read func(name string) ([]byte, error)
	self func() time.Duration // CPU time of this process
	stat cpuStat
	own  time.Duration
	ok   bool
}

// cpuStat is the first line of /proc/stat, in ticks of 10 ms, over all cores.
type cpuStat struct{ busy, steal, all int64 }

const tick = 10 * time.Millisecond

func startLoad() loadMeter { return newLoadMeter(os.ReadFile, ownCPU) }

func newLoadMeter(read func(string) ([]byte, error), self func() time.Duration) loadMeter {
	m := loadMeter{read: read, self: self, own: self()}
	m.stat, m.ok = readStat(read)
	return m
}

// end returns the load; measured is the CPU time of the measured processes.
// Shares are of the time that the kernel counted, not of the clock: a process
// that may use few of the machine's cores sees the counts of all of them.
func (m loadMeter) end(measured time.Duration) study.Load {
	l := study.Load{Foreign: -1, Steal: -1, Average: -1}
	if b, err := m.read("/proc/loadavg"); err == nil {
		if f := strings.Fields(string(b)); len(f) > 0 {
			if v, err := strconv.ParseFloat(f[0], 64); err == nil {
				l.Average = v
			}
		}
	}
	now, ok := readStat(m.read)
	all := time.Duration(now.all-m.stat.all) * tick
	if !m.ok || !ok || all <= 0 {
		return l
	}
	busy := time.Duration(now.busy-m.stat.busy) * tick
	own := measured + m.self() - m.own
	l.Foreign = share(busy-own, all)
	l.Steal = share(time.Duration(now.steal-m.stat.steal)*tick, all)
	return l
}

func share(d, all time.Duration) float64 {
	return min(1, max(0, float64(d)/float64(all)))
}

func readStat(read func(string) ([]byte, error)) (cpuStat, bool) {
	b, err := read("/proc/stat")
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
		s.all += v
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
