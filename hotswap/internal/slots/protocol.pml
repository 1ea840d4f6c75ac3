/*
The protocol of doc.go for spin (https://spinroot.com), in steps of one atomic
operation each:

	spin -a protocol.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m1000000

An assertion that fails is a value that is used again while it is read, or a
generation that changes under its reader. A state in which nobody can go on, and
not all have ended, is a value that was not reclaimed: writers wait for one. At
the end no slot is retired and all counts are 0.
*/

#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef SHARDS
#define SHARDS 2
#endif
#ifndef READERS
#define READERS 2
#endif
#ifndef READS
#define READS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef UPDATES
#define UPDATES 3
#endif
#ifndef CLONE
#define CLONE 0
#endif

mtype = { spare, owned, live, retired };

typedef slot {
	byte gen;
	mtype state;
	byte count[SHARDS];
	byte readers; /* valid holds: what the counts stand for */
};

slot s[SLOTS];
byte cur = 0;
bool mutex = false;

/* reclaim of slot x, whose word was read as generation g, Retired. */
inline reclaim(x, g) {
	i = 0;
	do
	:: i < SHARDS ->
		if
		:: s[x].count[i] == 0 -> i++
		:: else -> break
		fi
	:: else ->
		claimed = false;
		atomic {
			if
			:: s[x].gen == g && s[x].state == retired ->
				assert(s[x].readers == 0);
				s[x].gen++;
				s[x].state = owned;
				claimed = true
			:: else
			fi
		};
		if
		:: claimed -> s[x].state = spare
		:: else
		fi;
		break
	od
}

/* look, after a count of slot x has become 0. */
inline look(x) {
	atomic { word = s[x].state; g = s[x].gen };
	if
	:: word == retired -> reclaim(x, g)
	:: else
	fi
}

/* down takes 1 from a count of slot x. valid: a hold, and not a transient. */
inline down(x, h, valid) {
	atomic {
		assert(s[x].count[h] > 0);
		s[x].count[h]--;
		zero = (s[x].count[h] == 0);
		if
		:: valid -> s[x].readers--
		:: else
		fi
	};
	if
	:: zero -> look(x)
	:: else
	fi
}

inline leave() {
	assert(s[c].gen == hold);
	down(c, h, true)
}

proctype reader() {
	byte c, h, i, g, hold, n;
	bool zero, claimed, ok;
	mtype word;
	do
	:: n < READS ->
		n++;
		ok = false;
		do
		:: !ok ->
			c = cur;
			if
			:: h = 0
			:: SHARDS > 1 -> h = SHARDS - 1
			fi;
			s[c].count[h]++;
			atomic {
				if
				:: cur == c -> ok = true; s[c].readers++
				:: else
				fi
			};
			if
			:: !ok -> down(c, h, false)
			:: else
			fi
		:: else -> break
		od;
		atomic {
			hold = s[c].gen;
			assert(s[c].state == live || s[c].state == retired)
		};
#if CLONE
		atomic { s[c].count[h]++; s[c].readers++ };
		leave();
#endif
		leave()
	:: else -> break
	od
}

proctype writer() {
	byte c, old, i, g, n;
	bool claimed;
	do
	:: n < UPDATES ->
		n++;
		/* claim a spare slot, or wait for one */
		atomic {
			if
			:: s[0].state == spare -> c = 0
			:: s[1].state == spare -> c = 1
#if SLOTS > 2
			:: s[2].state == spare -> c = 2
#endif
			fi;
			assert(s[c].readers == 0);
			s[c].gen++;
			s[c].state = owned
		};
		atomic { !mutex -> mutex = true };
		s[c].state = live;
		old = cur;
		cur = c;
		s[old].state = retired;
		g = s[old].gen;
		mutex = false;
		reclaim(old, g)
	:: else -> break
	od
}

init {
	byte i, j;
	atomic {
		s[0].state = live;
		s[1].state = spare;
#if SLOTS > 2
		s[2].state = spare;
#endif
		for (i : 1 .. READERS) { run reader() }
		for (i : 1 .. WRITERS) { run writer() }
	};
	_nr_pr == 1;
	for (i : 0 .. SLOTS - 1) {
		assert(s[i].state == spare || s[i].state == live);
		assert(s[i].readers == 0);
		for (j : 0 .. SHARDS - 1) {
			assert(s[i].count[j] == 0)
		}
	}
}
