package duet

// Version is that of the engine. It rises when a launch of the same two binaries
// would do or record something else than before, so that the result of an older
// engine is known for one. How records are judged has a version of its own, in
// package stat. TestTheEngineIsThatOfItsVersion fails where the measuring code has
// changed, until testdata/engine.txt says whether the version rises, and why.
const Version = 3
