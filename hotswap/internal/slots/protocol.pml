/*
The protocol of doc.go for spin (https://spinroot.com): a statement is one atomic
operation of the source, and between two of them every other process may run.

	spin -a protocol.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m1000000

An assertion that fails is a value that gets an owner while it is read, a
generation that changes under its reader, a word that is not what its owner left,
or a count below 0. A state in which nobody can go on, and not all have ended, is
a value that was not reclaimed: writers wait for one. At the end no slot is
retired and all counts are 0. Variables are set to 0 when they have had their use,
so that states do not differ by what nobody will read.

A shard of the model is a place of doc.go, as one slot sees it: a reader counts in
any, and where it counted it ends the hold.

ANY is the variant of anyshard.go. MUTANT breaks the protocol in one way, to see
that the model can fail: spin_test.go lists them.
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
#ifndef ANY
#define ANY 0
#endif

#define NO_SECOND_LOOK       1
#define UNDO_DOES_NOT_LOOK   2
#define UNDO_ELSEWHERE       3
#define LEAVE_DOES_NOT_LOOK  4
#define LEAVE_LOOKS_BEFORE   5
#define CLONE_ELSEWHERE      6
#define SCAN_ONE_SHORT       7
#define CLAIM_ANY_GENERATION 8
#define CLAIM_LOAD_STORE     9
#define CLAIM_RESETS         10
#define RETIRER_DOES_NOT_SCAN 11
#define SCAN_BEFORE_RETIRED  12
#define RETIRED_BEFORE_SWAP  13
#define NO_MUTEX             14
#define ANY_ZERO_SCAN        15
#define ANY_LOOKS_AT_ZERO    16

#ifndef MUTANT
#define MUTANT 0
#endif

mtype = { spare, owned, live, retired };

typedef slot {
	byte gen;
	mtype state;
	short count[SHARDS];
	byte readers /* valid holds: what the counts stand for */
};

slot s[SLOTS];
byte cur = 0;
bool mutex = false;

inline shard(h) {
	if
	:: h = 0
	:: SHARDS > 1 -> h = SHARDS - 1
	fi
}

/* scan sets quiet if nobody is counted in slot x: all shards read 0, or their sum
does. */
#if MUTANT == SCAN_ONE_SHORT
#define SCANNED (SHARDS - 1)
#else
#define SCANNED SHARDS
#endif

inline scan(x) {
#if ANY && MUTANT != ANY_ZERO_SCAN
	do
	:: atomic { i < SCANNED -> sum = sum + s[x].count[i]; i++ }
	:: atomic { i == SCANNED -> quiet = (sum == 0); i = 0; sum = 0; break }
	od
#else
	do
	:: atomic { i < SCANNED && s[x].count[i] == 0 -> i++ }
	:: atomic { i < SCANNED && s[x].count[i] != 0 -> i = 0; break }
	:: atomic { i == SCANNED -> i = 0; quiet = true; break }
	od
#endif
}

/* reclaim of slot x, whose word was read as generation g, Retired, by one who
found nobody. */
inline reclaim(x, g) {
	if
	:: quiet ->
		quiet = false;
#if MUTANT == CLAIM_LOAD_STORE
		claimed = (s[x].gen == g && s[x].state == retired);
		if
		:: claimed -> atomic {
				assert(s[x].readers == 0);
				s[x].gen = g + 1;
				s[x].state = owned
			}
		:: else
		fi;
#else
		atomic {
			if
#if MUTANT == CLAIM_ANY_GENERATION
			:: s[x].state == retired ->
#else
			:: s[x].gen == g && s[x].state == retired ->
#endif
				assert(s[x].readers == 0);
				s[x].gen++;
				s[x].state = owned;
				claimed = true
			:: else
			fi
		};
#endif
		if
		:: claimed ->
#if MUTANT == CLAIM_RESETS
			do
			:: atomic { i < SHARDS -> s[x].count[i] = 0; i++ }
			:: atomic { i == SHARDS -> i = 0; break }
			od;
#endif
			atomic { assert(s[x].state == owned); s[x].state = spare; claimed = false }
		:: else
		fi
	:: else
	fi
}

/* look, after a count of slot x was lowered. */
inline look(x) {
	atomic { word = s[x].state; g = s[x].gen };
	lookAt(x)
}

inline lookAt(x) {
	if
	:: word == retired -> scan(x); reclaim(x, g)
	:: else
	fi;
	d_step { word = 0; g = 0; zero = false }
}

/* leave takes a valid hold from count h of slot x. */
inline leave(x, h) {
#if ANY
	shard(h);
#else
	assert(s[x].gen == hold);
#endif
#if MUTANT == LEAVE_LOOKS_BEFORE
	atomic { word = s[x].state; g = s[x].gen };
#endif
	atomic {
		s[x].count[h] = s[x].count[h] - 1;
		assert(ANY || s[x].count[h] >= 0);
		zero = (s[x].count[h] == 0);
		s[x].readers--
	};
	if
#if ANY && MUTANT != ANY_LOOKS_AT_ZERO
	:: true ->
#else
	:: zero ->
#endif
#if MUTANT == LEAVE_LOOKS_BEFORE
		lookAt(x)
#elif MUTANT == LEAVE_DOES_NOT_LOOK
		skip
#else
		look(x)
#endif
#if !ANY || MUTANT == ANY_LOOKS_AT_ZERO
	:: else
#endif
	fi
}

/* undo takes a transient from count h of slot x. */
inline undo(x, h) {
#if MUTANT == UNDO_ELSEWHERE
	shard(h);
#endif
	atomic {
		s[x].count[h] = s[x].count[h] - 1;
		assert(ANY || s[x].count[h] >= 0);
		zero = (s[x].count[h] == 0)
	};
	if
#if MUTANT == UNDO_DOES_NOT_LOOK
	:: true
#elif ANY
	:: true -> look(x)
#else
	:: zero -> look(x)
	:: else
#endif
	fi
}

proctype reader() {
	byte c, h, other, i, g, hold, n;
	short sum;
	bool zero, claimed, ok, quiet;
	mtype word;
	do
	:: n < READS ->
		n++;
		do
		:: !ok ->
			c = cur;
			shard(h);
			s[c].count[h] = s[c].count[h] + 1;
			atomic {
				if
				:: cur == c || MUTANT == NO_SECOND_LOOK -> ok = true; s[c].readers++
				:: else
				fi
			};
			if
			:: !ok -> undo(c, h); d_step { c = 0; h = 0 }
			:: else
			fi
		:: else -> break
		od;
		ok = false;
		atomic {
			hold = s[c].gen;
			assert(s[c].state == live || s[c].state == retired)
		};
#if CLONE
		other = h;
#if MUTANT == CLONE_ELSEWHERE
		shard(other);
#endif
		atomic { s[c].count[other] = s[c].count[other] + 1; s[c].readers++ };
		leave(c, h);
		leave(c, other);
#else
		leave(c, h);
#endif
		d_step { c = 0; h = 0; other = 0; hold = 0 }
	:: else -> break
	od
}

proctype writer() {
	byte c, old, i, g, mine, n;
	short sum;
	bool claimed, quiet;
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
			s[c].state = owned;
			mine = s[c].gen
		};
#if MUTANT != NO_MUTEX
		atomic { !mutex -> mutex = true };
#endif
		atomic {
			assert(s[c].state == owned && s[c].gen == mine);
			s[c].state = live
		};
		old = cur;
#if MUTANT == RETIRED_BEFORE_SWAP
		atomic { s[old].state = retired; g = s[old].gen };
		cur = c;
#elif MUTANT == SCAN_BEFORE_RETIRED
		cur = c;
		scan(old);
		atomic { s[old].state = retired; g = s[old].gen };
#else
		cur = c;
		atomic { assert(s[old].state == live); s[old].state = retired; g = s[old].gen };
#endif
		mutex = false;
#if MUTANT == RETIRER_DOES_NOT_SCAN
		quiet = false;
#elif MUTANT != SCAN_BEFORE_RETIRED
		scan(old);
#endif
		reclaim(old, g);
		d_step { c = 0; old = 0; g = 0; mine = 0 }
	:: else -> break
	od
}

init {
	byte i, j;
	short sum;
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
		sum = 0;
		for (j : 0 .. SHARDS - 1) {
			assert(ANY || s[i].count[j] == 0);
			sum = sum + s[i].count[j]
		}
		assert(sum == 0)
	}
}
